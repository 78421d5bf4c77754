const CARD_NUMBER = 'packages/platform/src/card/card-number.ts'
const DIGIT_RUNS = 'packages/platform/src/card/digit-runs.ts'

/** The part of `equivalents.mjs` about finding card numbers in texts. */
export const OF_CARD_NUMBERS = [
  {
    file: CARD_NUMBER,
    code: "const digits = first ?? second ?? ''",
    mutant: '"Stryker was here!"',
    reason: 'a track has one of the two: only the compiler has to hear it',
  },
  {
    file: CARD_NUMBER,
    code: 'if (found.length === 0) return text',
    mutant: 'false',
    reason: 'of no runs the text is put together as it was',
  },
  {
    file: CARD_NUMBER,
    code: 'to - from === VOUCHER_LENGTH &&',
    mutant: 'true',
    reason: 'isVoucherNumber looks at the length too: it only costs time',
  },
  ...['true', 'known.size >= 0'].map((mutant) => ({
    file: CARD_NUMBER,
    code: 'known.size > 0 &&',
    mutant,
    reason: 'nothing is in an empty set',
  })),
  {
    file: CARD_NUMBER,
    code: 'for (let i = 0; i < all.length; i++)',
    mutant: 'i <= all.length',
    reason: 'a sum behind the end of the array is not kept',
  },
  {
    file: CARD_NUMBER,
    code: 'sums[0][i + 1] = (sums[0][i] ?? 0) + even',
    mutant: '(sums[0][i] ?? 0) - even',
    reason: 'a negative sum is divisible by ten where the positive one is',
  },
  {
    file: CARD_NUMBER,
    code: 'sums[1][i + 1] = (sums[1][i] ?? 0) + odd',
    mutant: '(sums[1][i] ?? 0) - odd',
    reason: 'a negative sum is divisible by ten where the positive one is',
  },
  {
    file: DIGIT_RUNS,
    code: 'if (!/[^\\x00-\\x7f]/.test(text)) return text',
    mutant: 'false',
    reason: 'ASCII is read as it stands either way: it only costs time',
  },
  {
    file: DIGIT_RUNS,
    code: 'const runs: DigitRun[] = []',
    mutant: '["Stryker was here"]',
    reason: 'a run without a place is not kept',
  },
  ...['false', 'match[0].length <= SHORTEST'].map((mutant) => ({
    file: DIGIT_RUNS,
    code: 'match[0].length < SHORTEST',
    mutant,
    reason:
      'of match[0].length < SHORTEST: what is too short is wanted by nobody, and twelve digits in one piece only if they are known, which are replaced as they stand',
  })),
  {
    file: DIGIT_RUNS,
    code: "matched.replace(/[^0-9]+/g, '')",
    mutant: '/[^0-9]/g',
    reason: 'the same digits stay',
  },
  {
    file: DIGIT_RUNS,
    code: 'for (let i = 0; i < matched.length; i++)',
    mutant: 'i <= matched.length',
    reason: 'there is no digit behind the end',
  },
  {
    file: DIGIT_RUNS,
    code: 'for (let from = 0; from < places.length; from++)',
    mutant: 'from <= places.length',
    reason: 'behind the last piece there are no digits',
  },
  {
    file: DIGIT_RUNS,
    code: 'for (let to = from; to < places.length; to++)',
    mutant: 'to <= places.length',
    reason: 'behind the last piece there are no digits',
  },
  {
    file: DIGIT_RUNS,
    code: 'if (length > LONGEST) break',
    mutant: 'false',
    reason: 'no number has more digits: it only costs time',
  },
  {
    file: DIGIT_RUNS,
    code: 'length >= SHORTEST && isWanted',
    mutant: 'true',
    reason: 'no number has fewer digits: it only costs time',
  },
  {
    file: DIGIT_RUNS,
    code: 'length < 16 || length > LONGEST_PIECE',
    mutant: 'false',
    reason: 'of length < 16: no beginning is shorter than that',
  },
  ...['BEGINNINGS', 'true', 'length >= each'].map((mutant) => ({
    file: DIGIT_RUNS,
    code: 'BEGINNINGS.filter((each) => length > each)',
    mutant,
    reason: 'the whole piece of sixteen digits is found twice and masked once',
  })),
  {
    file: DIGIT_RUNS,
    code: 'row.offsets.slice(0, -1).entries()',
    mutant: 'row.offsets',
    reason: 'behind the last piece there are no digits',
  },
  ...['false', 'length <= SHORTEST && length > LONGEST', 'length < SHORTEST'].map((mutant) => ({
    file: DIGIT_RUNS,
    code: 'length <= SHORTEST || length > LONGEST || !row.isWanted',
    mutant,
    reason:
      'of the lengths: nothing so long or so short is wanted, but known numbers, which are replaced as they stand',
  })),
]
