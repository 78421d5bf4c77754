/** Digits of a text that may be one number. `start` and `end` are places in the text. */
export type DigitRun = { digits: string; start: number; end: number }

const SHORTEST = 12
const LONGEST = 19
/** Longer words of digits and a to f are ids and hashes, whatever digits they have. */
const HEX_WORD = 20
/** Of longer digits in one piece no part is looked at: a boleto's line has 47, of which some are like a card's. */
const LONGEST_PIECE = 24

// One to three blanks, dashes, dots, slashes, line breaks, of any alphabet, keep digits together. Commas and colons do not:
// they stand between the entries of a list, and in times.
const RUN = /\d+(?:[\p{Zs}\p{Pd}\s./\\_|*+~·•‧∙⋅−]{1,3}\d+)*/gu
const [ZERO, NINE] = [48, 57]
const HEX = /[0-9A-Fa-f-]{20,}/g

/** Of the digits of a row, one behind another: whether those from one place to another are wanted. */
export type IsWanted = (from: number, to: number) => boolean

/** Pieces of digits with separators between them. The piece `n` begins at `places[n]` in the text, at `offsets[n]` in `digits`. */
type Row = { digits: string; places: number[]; offsets: number[]; isWanted: IsWanted }

const UNSEEN = /[\p{Cf}\p{Mn}]/gu
const DIGIT_OF_ANOTHER_SCRIPT = /[^\P{Nd}0-9]/gu

/** A text as a person reads it: NFKC, without what nobody sees, and its digits in ASCII. */
export function asRead(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what is not ASCII
  if (!/[^\x00-\x7f]/.test(text)) return text
  return text.normalize('NFKC').replace(UNSEEN, '').replace(DIGIT_OF_ANOTHER_SCRIPT, inAscii)
}

/** The ten digits of a script stand one behind another, and two scripts may adjoin. */
function inAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let behind = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - behind - 1))) behind += 1
  return String(behind % 10)
}

/**
 * The runs of 12 to 19 digits in a text: whole pieces between separators, several pieces in a row, and the first 15 or 16
 * digits of a longer piece; those that the caller wants, who sees the digits of a row first.
 */
export function digitRunsIn(text: string, wantedOf: (digits: string) => IsWanted): DigitRun[] {
  const words = hexWordsIn(text)
  const runs: DigitRun[] = []
  for (const match of text.matchAll(RUN)) {
    if (match[0].length < SHORTEST || isNoCard(match[0])) continue
    const row = rowOf(match[0], match.index, wantedOf)
    if (isWithin(words, match.index, match.index + match[0].length)) addAlone(runs, row, text)
    else addRuns(runs, row)
  }
  return runs
}

function rowOf(matched: string, at: number, wantedOf: (digits: string) => IsWanted): Row {
  const digits = matched.replace(/[^0-9]+/g, '')
  const row: Row = { digits, places: [], offsets: [], isWanted: wantedOf(digits) }
  let [read, isWithinPiece] = [0, false]
  for (let i = 0; i < matched.length; i++) {
    const isDigit = matched.charCodeAt(i) >= ZERO && matched.charCodeAt(i) <= NINE
    if (isDigit && !isWithinPiece) {
      row.places.push(at + i)
      row.offsets.push(read)
    }
    if (isDigit) read += 1
    isWithinPiece = isDigit
  }
  row.offsets.push(read)
  return row
}

/** The length of a row's piece. */
const lengthOf = ({ offsets }: Row, piece: number) => (offsets[piece + 1] ?? 0) - (offsets[piece] ?? 0)

/** The first `length` digits of some pieces in a row. */
function runOf({ digits, places, offsets }: Row, [from, to]: [number, number], length: number): DigitRun {
  const [start, first] = [places[from] ?? 0, offsets[from] ?? 0]
  const end = (places[to] ?? 0) + first + length - (offsets[to] ?? 0)
  return { digits: digits.slice(first, first + length), start, end }
}

function addRuns(runs: DigitRun[], row: Row): void {
  const { places, offsets, isWanted } = row
  for (let from = 0; from < places.length; from++) {
    const first = offsets[from] ?? 0
    for (let to = from; to < places.length; to++) {
      const length = (offsets[to + 1] ?? 0) - first
      if (length > LONGEST) break
      if (length >= SHORTEST && isWanted(first, first + length)) runs.push(runOf(row, [from, to], length))
    }
    for (const length of beginningsOf(lengthOf(row, from)))
      if (isWanted(first, first + length)) runs.push(runOf(row, [from, from], length))
  }
}

const NONE: readonly number[] = []
const BEGINNINGS = [16, 15]

/** A card's number with its expiry, its CVV or an order's number right behind it. */
function beginningsOf(length: number): readonly number[] {
  return length < 16 || length > LONGEST_PIECE ? NONE : BEGINNINGS.filter((each) => length > each)
}

/** Digits of a card's length between dashes or the ends of a word are no part of an id. */
function addAlone(runs: DigitRun[], row: Row, text: string): void {
  for (const [piece, first] of row.offsets.slice(0, -1).entries()) {
    const length = lengthOf(row, piece)
    if (length <= SHORTEST || length > LONGEST || !row.isWanted(first, first + length)) continue
    const run = runOf(row, [piece, piece], length)
    if (!isOfWord(text, run.start - 1) && !isOfWord(text, run.end)) runs.push(run)
  }
}

const isOfWord = (text: string, at: number) => /[A-Za-z0-9]/.test(text.charAt(at))

/** A boleto's line as it is printed, and a tax receipt's key (NF-e): 47 and 44 digits of which some are like a card's. */
function isNoCard(matched: string): boolean {
  return (
    /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/.test(matched) ||
    /^\d{4}(?: \d{4}){10}$/.test(matched)
  )
}

type Span = { from: number; to: number }
/** Words in their order, of which those before `next` are behind us. */
type Words = { spans: readonly Span[]; next: number }

/** Words of nothing but hexadecimal digits and dashes, with a letter among them. */
function hexWordsIn(text: string): Words {
  const spans = Array.from(text.matchAll(HEX), ({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }))
    .filter(({ word, from, to }) => /[a-f]/i.test(word) && !isOfWord(text, from - 1) && !isOfWord(text, to))
    .filter(({ word }) => word.replaceAll('-', '').length >= HEX_WORD)
  return { spans, next: 0 }
}

/** Asked of runs in their order: words that end before one are of no use to the next. */
function isWithin(words: Words, start: number, end: number): boolean {
  while ((words.spans[words.next]?.to ?? Infinity) < end) words.next += 1
  const word = words.spans[words.next]
  return word !== undefined && word.from <= start
}
