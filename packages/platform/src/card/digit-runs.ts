/** Digits of a text that may be one number. `start` and `end` are places in the text. */
export type DigitRun = { digits: string; start: number; end: number }

const SHORTEST = 12
const LONGEST = 19
/** Words of hexadecimal digits that are at least this long are ids and hashes, whatever digits they hold. */
const HEX_WORD = 20
/** Longer pieces of digits are not searched: some of the 47 digits of a boleto line look like a card number. */
const LONGEST_PIECE = 24

// Digits stay together across one to three blanks, dashes, dots, slashes or line breaks of any alphabet.
// Commas and colons separate them: those stand between the entries of a list, and in times.
const RUN = /\d+(?:[\p{Zs}\p{Pd}\s./\\_|*+~·•‧∙⋅−]{1,3}\d+)*/gu
const [ZERO, NINE] = [48, 57]
const HEX = /[0-9A-Fa-f-]{20,}/g

/** True when the digits of a row from one offset up to another are wanted. */
export type IsWanted = (from: number, to: number) => boolean

/** Pieces of digits with separators between. Piece `n` begins at `places[n]` in the text, `offsets[n]` in `digits`. */
type Row = { digits: string; places: number[]; offsets: number[]; isWanted: IsWanted }

const UNSEEN = /[\p{Cf}\p{Mn}]/gu
const DIGIT_OF_ANOTHER_SCRIPT = /[^\P{Nd}0-9]/gu

/** A text as a person reads it: NFKC, without invisible characters, and with its digits in ASCII. */
export function asRead(text: string): string {
  // oxlint-disable-next-line no-control-regex -- any character beyond ASCII
  if (!/[^\x00-\x7f]/.test(text)) return text
  return text.normalize('NFKC').replace(UNSEEN, '').replace(DIGIT_OF_ANOTHER_SCRIPT, inAscii)
}

/** Converts a digit of another script. The ten digits of a script are consecutive, and two scripts may adjoin. */
function inAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let behind = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - behind - 1))) behind += 1
  return String(behind % 10)
}

/**
 * The runs of 12 to 19 digits in a text that the caller wants. A run is a whole piece between separators, several
 * pieces in a row, or the first 15 or 16 digits of a longer piece. `wantedOf` gets the digits of each row first.
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

/** The run of the first `length` digits from the piece `from` to the piece `to`. */
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

/** Lengths to try at the start of a piece: an expiry, a CVV or an order number may directly follow a card number. */
function beginningsOf(length: number): readonly number[] {
  return length < 16 || length > LONGEST_PIECE ? NONE : BEGINNINGS.filter((each) => length > each)
}

/** Adds each piece of a hexadecimal word that has a card's length and no letter beside it: it is no part of an id. */
function addAlone(runs: DigitRun[], row: Row, text: string): void {
  for (const [piece, first] of row.offsets.slice(0, -1).entries()) {
    const length = lengthOf(row, piece)
    if (length <= SHORTEST || length > LONGEST || !row.isWanted(first, first + length)) continue
    const run = runOf(row, [piece, piece], length)
    if (!isOfWord(text, run.start - 1) && !isOfWord(text, run.end)) runs.push(run)
  }
}

const isOfWord = (text: string, at: number) => /[A-Za-z0-9]/.test(text.charAt(at))

/** True for a printed boleto line and a tax receipt key (NF-e): part of their 47 or 44 digits may look like a card. */
function isNoCard(matched: string): boolean {
  return (
    /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/.test(matched) ||
    /^\d{4}(?: \d{4}){10}$/.test(matched)
  )
}

type Span = { from: number; to: number }
/** Words in their order. The search is past those before `next`. */
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

/** True when a word spans the run. Runs come in order, so a word that ends before one run is skipped for the next. */
function isWithin(words: Words, start: number, end: number): boolean {
  while ((words.spans[words.next]?.to ?? Infinity) < end) words.next += 1
  const word = words.spans[words.next]
  return word !== undefined && word.from <= start
}
