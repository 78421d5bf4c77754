/** A part of a text that is an id, whatever digits it holds. */
export type Id = { from: number; to: number }

/** Words of hexadecimal digits that are at least this long are ids and hashes. */
const HEX_WORD = 20
/** The first group of a UUID. The hexadecimal digits at the start of a Pix number are longer. */
export const SHORTEST_ID = 8
const UUID = /(?=[0-9-]{0,35}[a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/iy
/** A Pix payment or its return, as the central bank numbers them: participant, minute and eleven characters. */
const PIX = /[ED]\d{8}20\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d[0-9A-Za-z]{11}(?![0-9A-Za-z])/y
/** Letters between two digits of a word. */
const TWO_PIECES = /[a-f]*\d+[a-f]+\d/iy
const [ZERO, NINE] = [48, 57]

export const isDigit = (code: number) => code >= ZERO && code <= NINE
export const isHex = (code: number) => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102)

/** Where the word of hexadecimal digits ends that begins at a place. */
export function endOfHex(text: string, at: number): number {
  let end = at
  while (isHex(text.charCodeAt(end))) end += 1
  return end
}

/**
 * Returns the id that a word of hexadecimal digits is, or that begins in it: a hash, a UUID, the number of a Pix payment.
 * Anything may be attached to it. A long word with only one piece of digits is not random: those may be a card's.
 */
export function idOf(text: string, at: number, end: number): Id | undefined {
  if (end - at >= HEX_WORD && matchesAt(TWO_PIECES, text, at)) return { from: at, to: end }
  if (matchesAt(UUID, text, end - SHORTEST_ID)) return { from: end - SHORTEST_ID, to: end + 28 }
  return matchesAt(PIX, text, at) ? { from: at, to: at + 32 } : undefined
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
