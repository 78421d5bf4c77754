import { BLANK, FIRST_OF_LISTS, OTHER } from './characters'
import type { Pieces } from './digit-pieces'
import { bitOf } from './first-digits'
import { isDigit } from './ids'
import type { Digits } from './luhn'

/** Digits of a text that are one number. `start` and `end` are places in the text. */
export type DigitRun = { digits: Digits; start: number; end: number }
/** The lengths of the numbers that begin at a digit, as bits. */
export type LengthsAt = (digit: number) => number

const SHORTEST = 12
const LONGEST = 19
/** Longer pieces of digits are not searched: some of the 47 digits of a boleto line look like a card number. */
const LONGEST_PIECE = 24
/** Lengths to try at the start of a piece: a CVV, an expiry or an order number may stand right behind a card number. */
const BEGINNINGS = [16, 15]
/** A CVV has three digits. */
const SHORTEST_REST = 3
/** A tax receipt's key (NF-e) is printed in so many groups of four. */
const RECEIPT_GROUPS = 11
/** The pieces of a printed boleto line before its last 14 digits. */
const BOLETO = [5, 5, 5, 6, 5, 6, 1]

/** Pieces in a row that are equally long, with one kind of separator between them. */
type Row = { from: number; to: number; kind: number }
type Search = Asked & { pieces: Pieces; runs: DigitRun[]; row: Row }
/** `lengthsAt` is asked at most twice for each digit. `knownAt`: for numbers that are found in any groups. */
type Asked = { lengthsAt: LengthsAt; knownAt?: LengthsAt | undefined }

/**
 * The runs of digits that are written as a card number is, and are one by `lengthsAt`. The search ends once there are
 * `most`. A card number is written in one piece, or in groups as cards are printed, with one kind of separator: by fours,
 * 4-6-5, 4-6-4, two eights, or digit by digit. Any other pieces in a row are an id, a phone or a date.
 */
export function digitRunsIn(pieces: Pieces, asked: Asked, most = Infinity): DigitRun[] {
  const search: Search = { ...asked, pieces, runs: [], row: { from: 0, to: 0, kind: OTHER } }
  // Stryker disable next-line EqualityOperator: behind the last piece stands one without digits
  for (let piece = 0; piece < pieces.count; piece++) {
    if (search.runs.length >= most) break
    const size = sizeOf(pieces, piece)
    if (asked.knownAt) addKnown(search, piece, asked.knownAt(firstOf(pieces, piece)))
    if (size >= SHORTEST) addWhole(search, piece, size)
    else if (size === 4) addFours(search, piece)
    else if (size === 8) addEights(search, piece)
    else if (size === 1) addSingles(search, piece)
  }
  return search.runs
}

const firstOf = ({ firsts }: Pieces, piece: number) => firsts[piece] ?? 0
const sizeOf = (pieces: Pieces, piece: number) => firstOf(pieces, piece + 1) - firstOf(pieces, piece)
const kindOf = ({ kinds }: Pieces, piece: number) => kinds[piece] ?? OTHER

/** The run from one digit up to another. */
function addRun({ pieces, runs }: Search, from: number, to: number, lastPiece: number): void {
  const { digits, places, ends } = pieces
  const isWhole = firstOf(pieces, lastPiece + 1) === to
  const end = (isWhole ? ends[lastPiece] : places[to]) ?? 0
  runs.push({ digits: digits.subarray(from, to), start: places[from] ?? 0, end })
}

/** Adds a piece that is a number, or begins with one. */
function addWhole(search: Search, piece: number, size: number): void {
  const { pieces, lengthsAt } = search
  const first = firstOf(pieces, piece)
  const end = first + size
  if (size > LONGEST_PIECE || isBoleto(pieces, piece, size)) return
  if (isTrack(pieces, piece, size)) return addRun(search, first, end, piece)
  const from = withoutZeros(pieces.digits, first, end - SHORTEST)
  const lengths = lengthsAt(from)
  const whole = end - from
  const lengthsThere = [whole, ...BEGINNINGS.filter((length) => whole - length >= SHORTEST_REST)]
  const length = lengthsThere.find((each) => (lengths & bitOf(each)) !== 0)
  if (length !== undefined) addRun(search, from, from + length, piece)
}

/** Programs fill numbers up with zeros. No card number begins with one. */
function withoutZeros(digits: Digits, from: number, last: number): number {
  let at = from
  while (at < last && digits[at] === 0) at += 1
  return at
}

function isBoleto(pieces: Pieces, piece: number, size: number): boolean {
  return size === 14 && BOLETO.every((each, nth) => sizeOf(pieces, piece - BOLETO.length + nth) === each)
}

/** True for the number on a magnetic stripe (ISO/IEC 7813): `%B…^` or `;…=` and an expiry. */
function isTrack(pieces: Pieces, piece: number, size: number): boolean {
  const { text, places, ends } = pieces
  const [start, end] = [places[firstOf(pieces, piece)] ?? 0, ends[piece] ?? 0]
  if (size > LONGEST) return false
  if (text[end] === '^') return text[start - 1] === 'B'
  return text[end] === '=' && [1, 2, 3, 4].every((next) => isDigit(text.charCodeAt(end + next)))
}

/** The row of a piece and those behind it. The search goes from row to row: each is measured once. */
function rowOf(search: Search, piece: number): Row {
  if (piece >= search.row.to - 1) search.row = rowAt(search.pieces, piece)
  return search.row
}

function rowAt(pieces: Pieces, from: number): Row {
  const [size, kind] = [sizeOf(pieces, from), kindOf(pieces, from + 1)]
  let to = from + 1
  while (kindOf(pieces, to) === kind && sizeOf(pieces, to) === size) to += 1
  return { from, to, kind }
}

/** Adds each row of pieces that is as long as a known number, whatever their sizes and separators. */
function addKnown(search: Search, piece: number, lengths: number): void {
  const { pieces } = search
  const first = firstOf(pieces, piece)
  // Stryker disable next-line ConditionalExpression: the search finds nothing either way, but takes more steps
  if (lengths === 0) return
  for (let to = piece + 1; firstOf(pieces, to) - first <= LONGEST; to++) {
    const end = firstOf(pieces, to)
    if ((lengths & bitOf(end - first)) !== 0) addRun(search, first, end, to - 1)
    if (kindOf(pieces, to) === OTHER) return
  }
}

/** Adds the pieces from one up to another when they are a number. Between entries of a list they must stand alone. */
function addGroups(search: Search, from: number, to: number, kind: number): void {
  const { pieces } = search
  if (kind >= FIRST_OF_LISTS && (kindOf(pieces, from) === kind || kindOf(pieces, to) === kind)) return
  const [first, end] = [firstOf(pieces, from), firstOf(pieces, to)]
  if ((search.lengthsAt(first) & bitOf(end - first)) !== 0) addRun(search, first, end, to - 1)
}

function addFours(search: Search, piece: number): void {
  const { pieces } = search
  const { from, to, kind } = rowOf(search, piece)
  if (kind === OTHER || to - from === RECEIPT_GROUPS) return
  const groups = to - piece
  const behind = kindOf(pieces, to) === kind ? sizeOf(pieces, to) : 0
  if (groups === 1) {
    const last = kindOf(pieces, to + 1) === kind ? sizeOf(pieces, to + 1) : 0
    if (behind === 6 && (last === 4 || last === 5)) addGroups(search, piece, to + 2, kind)
    return
  }
  if (groups >= 4) addGroups(search, piece, piece + 4, kind)
  if (groups <= 4 && behind > 0 && behind <= 3) addGroups(search, piece, to + 1, kind)
}

/** Adds two eights. Only blanks may stand between them: dates and codes of eight digits stand between dashes. */
function addEights(search: Search, piece: number): void {
  const { to, kind } = rowOf(search, piece)
  if (kind === BLANK && to - piece >= 2) addGroups(search, piece, piece + 2, kind)
}

function addSingles(search: Search, piece: number): void {
  const { to, kind } = rowOf(search, piece)
  if (kind >= FIRST_OF_LISTS) return
  const first = firstOf(search.pieces, piece)
  const lengths = search.lengthsAt(first)
  // Stryker disable next-line ConditionalExpression: the search finds nothing either way, but takes more steps
  if (lengths === 0) return
  const longest = Math.min(LONGEST, to - piece)
  for (let length = SHORTEST; length <= longest; length++)
    if ((lengths & bitOf(length)) !== 0) addRun(search, first, first + length, piece + length - 1)
}
