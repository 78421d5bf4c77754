import { BLANK, classesOf, classOf, OTHER, SEVERAL, UNSEEN } from './characters'
import { escapedAt } from './escapes'
import { endOfHex, idOf, isHex, SHORTEST_ID, type Id } from './ids'

/** The most separators between two pieces of one number. */
const WIDEST = 4
/** Between digits of one piece. */
const TOGETHER = 27
const [PERCENT, AMPERSAND, BACKSLASH] = [37, 38, 92]

/**
 * The digits of a text, by their values and places. A piece is digits with nothing between them that is seen. Piece `n`
 * begins at digit `firsts[n]` and ends at place `ends[n]`; `kinds[n]`: the kind of separator before it, or OTHER. Behind
 * the last piece stands one without digits.
 */
export type Pieces = {
  text: string
  count: number
  digits: Uint8Array
  places: Int32Array
  firsts: Int32Array
  ends: Int32Array
  kinds: Uint8Array
}

/**
 * Reads the digits of a text as a person sees them, in one pass. `most`: at least as many as it has. `isDecoded`:
 * characters that are written out, such as `%34`, are read as what they stand for. The digits of ids are left out.
 */
export function piecesOf(text: string, most: number, isDecoded: boolean): Pieces {
  const [digits, places, ends] = [new Uint8Array(most), new Int32Array(most), new Int32Array(most)]
  const [firsts, kinds] = [new Int32Array(most + 1), new Uint8Array(most + 1)]
  let [digitCount, count, gap, width, at, endOfWord] = [0, 0, OTHER, 0, 0, 0]
  let id: Id | undefined
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (at >= endOfWord && isHex(unit)) {
      endOfWord = endOfHex(text, at)
      // Stryker disable next-line ConditionalExpression,ArithmeticOperator: shorter words are no ids
      id = endOfWord - at < SHORTEST_ID ? undefined : idOf(text, at, endOfWord)
    }
    if (at === id?.from) {
      gap = OTHER
      at = id.to
      continue
    }
    let [code, end] = [unit, at + 1]
    if (unit >= 0xd800) {
      code = text.codePointAt(at) ?? unit
      if (code > 0xffff) end += 1
    } else if (isDecoded && (unit === PERCENT || unit === AMPERSAND || unit === BACKSLASH)) {
      const escaped = escapedAt(text, at)
      if (escaped) {
        code = escaped.code
        end = at + escaped.width
      }
    }
    let read = classOf(code)
    const several = read === SEVERAL ? classesOf(code) : undefined
    let nth = 0
    do {
      if (several) read = several[nth] ?? OTHER
      if (read < BLANK) {
        if (gap !== TOGETHER) {
          firsts[count] = digitCount
          kinds[count] = gap
          count += 1
        }
        ends[count - 1] = end
        digits[digitCount] = read
        places[digitCount] = at
        digitCount += 1
        gap = TOGETHER
        width = 0
      } else if (read !== UNSEEN) {
        width += 1
        gap = width > WIDEST ? OTHER : joined(gap, read)
      }
      nth += 1
    } while (several && nth < several.length)
    at = end
  }
  firsts[count] = digitCount
  kinds[count] = OTHER
  return { text, count, digits, places, firsts, ends, kinds }
}

/** The kind of two separators side by side: blanks may stand around another kind. */
function joined(kind: number, next: number): number {
  if (kind === TOGETHER || kind === next || kind === BLANK) return next
  return next === BLANK ? kind : OTHER
}
