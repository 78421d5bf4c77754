/** A character that is written out, and how many characters its writing takes. */
export type Escaped = { code: number; width: number }

const [PERCENT, AMPERSAND] = [37, 38]
const MAY_BE_ESCAPED = /%[0-9A-Fa-f]|&[#n]|\\[unrtx]/

/** True when a text may hold a character that is written out: `%34`, `&#52;`, `&nbsp;`, `\u0034`. */
export function mayHoldEscapes(text: string): boolean {
  return MAY_BE_ESCAPED.test(text)
}

/** Returns the character that is written out from a `%`, `&` or `\` on; undefined when none is. */
export function escapedAt(text: string, at: number): Escaped | undefined {
  const code = text.charCodeAt(at)
  if (code === PERCENT) return percentAt(text, at)
  return code === AMPERSAND ? entityAt(text, at) : backslashAt(text, at)
}

const escaped = (code: number, width: number): Escaped | undefined =>
  code < 0x110000 ? { code, width } : undefined

/** The value of a hexadecimal digit; 16 or more for any other character. */
function valueOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = (code | 32) - 87
  return letter >= 10 ? letter : 16
}

/** The value of the digits from one place up to another; NaN when one is no digit of the base. */
function numberAt(text: string, from: number, to: number, base: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = valueOf(text.charCodeAt(at))
    if (digit >= base) return NaN
    number = number * base + digit
  }
  return number
}

const byteAt = (text: string, at: number) =>
  text.charCodeAt(at) === PERCENT ? numberAt(text, at + 1, at + 3, 16) : NaN

/** How many bytes a character of UTF-8 has, by its first byte: as many as there are ones in front, or one. */
const bytesOf = (first: number) => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1)

function percentAt(text: string, at: number): Escaped | undefined {
  const first = byteAt(text, at)
  const count = bytesOf(first)
  let code = count === 1 ? first : first & (0x7f >> count)
  for (let nth = 1; nth < count; nth++) {
    const next = byteAt(text, at + 3 * nth)
    if (next >> 6 !== 2) return undefined
    code = code * 64 + (next & 63)
  }
  return escaped(code, 3 * count)
}

function entityAt(text: string, at: number): Escaped | undefined {
  if (text.startsWith('nbsp', at + 1)) return escaped(32, text[at + 5] === ';' ? 6 : 5)
  if (text[at + 1] !== '#') return undefined
  const base = text[at + 2] === 'x' || text[at + 2] === 'X' ? 16 : 10
  const from = at + (base === 16 ? 3 : 2)
  let to = from
  while (valueOf(text.charCodeAt(to)) < base) to += 1
  return escaped(numberAt(text, from, to, base), to - at + (text[to] === ';' ? 1 : 0))
}

/** A character as JSON and programs write it: `\u0034`, `\x34`, or a line break or tab. */
function backslashAt(text: string, at: number): Escaped | undefined {
  const letter = text[at + 1]
  if (letter === 'n' || letter === 'r' || letter === 't') return escaped(32, 2)
  if (letter !== 'u' && letter !== 'x') return undefined
  const width = letter === 'u' ? 6 : 4
  return escaped(numberAt(text, at + 2, at + width, 16), width)
}
