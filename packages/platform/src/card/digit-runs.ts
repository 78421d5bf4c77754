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
const HEX = /[0-9A-Fa-f-]{20,}/g

/**
 * The text as it is read, NFKC, and the runs of 12 to 19 digits in it: whole pieces between separators, several pieces in
 * a row, and the first 15 or 16 digits of a longer piece; those that the caller wants.
 */
export function digitRunsIn(
  text: string,
  isWanted: (digits: string) => boolean,
): { text: string; runs: DigitRun[] } {
  const read = text.normalize('NFKC')
  const words = hexWordsIn(read)
  const runs: DigitRun[] = []
  for (const match of read.matchAll(RUN)) {
    if (match[0].length < SHORTEST || isNoCard(match[0])) continue
    const pieces = piecesOf(match[0], match.index)
    if (isWithin(words, match.index, match.index + match[0].length))
      runs.push(...pieces.filter((piece) => standsAlone(read, piece) && isWanted(piece.digits)))
    else addRuns(runs, pieces, isWanted)
  }
  return { text: read, runs }
}

function piecesOf(matched: string, at: number): DigitRun[] {
  return Array.from(matched.matchAll(DIGIT), ({ 0: digits, index }) => ({
    digits,
    start: at + index,
    end: at + index + digits.length,
  }))
}

function addRuns(runs: DigitRun[], pieces: readonly DigitRun[], isWanted: (digits: string) => boolean): void {
  for (const [from, first] of pieces.entries()) {
    let digits = ''
    for (let to = from; to < pieces.length; to++) {
      const piece = pieces[to] ?? first
      digits += piece.digits
      if (digits.length > LONGEST) break
      if (digits.length >= SHORTEST && isWanted(digits))
        runs.push({ digits, start: first.start, end: piece.end })
    }
    runs.push(...beginnings(first).filter((each) => isWanted(each.digits)))
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

type Span = { from: number; to: number }

/** Words of nothing but hexadecimal digits and dashes, with a letter among them, in their order. */
function hexWordsIn(text: string): Span[] {
  const isOfWord = (at: number) => /[A-Za-z0-9]/.test(text.charAt(at))
  return Array.from(text.matchAll(HEX), ({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }))
    .filter(({ word, from, to }) => /[a-f]/i.test(word) && !isOfWord(from - 1) && !isOfWord(to))
    .filter(({ word }) => word.replaceAll('-', '').length >= HEX_WORD)
}

/** Asked of runs in their order: words that end before one are of no use to the next. */
function isWithin(words: Span[], start: number, end: number): boolean {
  while ((words[0]?.to ?? Infinity) < end) words.shift()
  const [word] = words
  return word !== undefined && word.from <= start
}

/** Digits of a card's length between dashes or the ends of a word are no part of an id. */
function standsAlone(text: string, { digits, start, end }: DigitRun): boolean {
  if (digits.length <= SHORTEST || digits.length > LONGEST) return false
  return !/[A-Za-z0-9]/.test(text.charAt(start - 1)) && !/[A-Za-z0-9]/.test(text.charAt(end))
}
