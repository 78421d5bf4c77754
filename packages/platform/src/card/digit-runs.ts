/** Digits of a text that may be one number. `start` and `end` are places in the text. */
export type DigitRun = { digits: string; start: number; end: number }

const SHORTEST = 12
const LONGEST = 19
/** Longer words of digits and a to f are ids and hashes, whatever digits they have. */
const HEX_WORD = 20
/** Of longer digits in one piece no part is looked at: a boleto's line has 47, of which some are like a card's. */
const LONGEST_PIECE = 24

// One or two blanks, dashes, dots, slashes, line breaks, of any alphabet, keep digits together.
const RUN = /\d+(?:[\p{Zs}\p{Pd}\s./\\_·|]{1,2}\d+)*/gu
const DIGIT = /\d+/g

/**
 * The text as it is read, NFKC, and the runs of 12 to 19 digits in it: whole pieces between separators, several pieces in
 * a row, and the first 15 or 16 digits of a longer piece. A caller judges which of them are numbers of cards.
 */
export function digitRunsIn(text: string): { text: string; runs: DigitRun[] } {
  const read = text.normalize('NFKC')
  const runs = [...read.matchAll(RUN)].flatMap((match) => runsOf(read, match[0], match.index))
  return { text: read, runs }
}

function runsOf(text: string, matched: string, at: number): DigitRun[] {
  if (matched.length < SHORTEST || isInHexWord(text, at, at + matched.length)) return []
  if (isNoCard(matched)) return []
  const pieces = [...matched.matchAll(DIGIT)].map(({ 0: digits, index }) => ({
    digits,
    start: at + index,
    end: at + index + digits.length,
  }))
  return pieces.flatMap((piece, from) => [...joined(pieces, from), ...beginnings(piece)])
}

function* joined(pieces: readonly DigitRun[], from: number): Generator<DigitRun> {
  let digits = ''
  const start = pieces[from]?.start ?? 0
  for (const piece of pieces.slice(from)) {
    digits += piece.digits
    if (digits.length > LONGEST) return
    if (digits.length >= SHORTEST) yield { digits, start, end: piece.end }
  }
}

/** A card's number with its expiry, its CVV or an order's number right behind it. */
function beginnings({ digits, start }: DigitRun): DigitRun[] {
  if (digits.length > LONGEST_PIECE) return []
  const lengths = [16, 15].filter((length) => digits.length > length)
  return lengths.map((length) => ({ digits: digits.slice(0, length), start, end: start + length }))
}

/** A boleto's line as it is printed, and a tax receipt's key (NF-e): 47 and 44 digits of which some are like a card's. */
function isNoCard(matched: string): boolean {
  return (
    /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/.test(matched) ||
    /^\d{4}(?: \d{4}){10}$/.test(matched)
  )
}

function isInHexWord(text: string, start: number, end: number): boolean {
  let [from, to] = [start, end]
  while (from > 0 && /[A-Za-z0-9-]/.test(text[from - 1] ?? '')) from--
  while (to < text.length && /[A-Za-z0-9-]/.test(text[to] ?? '')) to++
  const word = text.slice(from, to).replaceAll('-', '')
  return word.length >= HEX_WORD && /^[0-9a-f]+$/i.test(word) && /[a-f]/i.test(word)
}
