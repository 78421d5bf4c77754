/** Reads a BR Code apart from the bank's own reader: by the EMV manual alone. Nested fields are objects. */
export type Fields = { [id: string]: string | Fields }

const NESTED = new Set(['26', '62', '80'])

export function readFields(text: string, nested = true): Fields {
  const fields: Fields = {}
  let rest = text
  while (rest !== '') {
    const [, id = '', length = ''] = /^(\d\d)(\d\d)/.exec(rest) ?? []
    const value = rest.slice(4, 4 + Number(length))
    if (id === '' || value.length !== Number(length)) throw new Error('a field is cut')
    fields[id] = nested && NESTED.has(id) ? readFields(value, false) : value
    rest = rest.slice(4 + Number(length))
  }
  return fields
}

/** CRC-16/CCITT-FALSE by a table of 256 remainders. */
export function checkDigits(text: string): string {
  const table = Array.from({ length: 256 }, (_, index) => {
    let remainder = index * 256
    for (let bit = 0; bit < 8; bit += 1) {
      remainder = remainder >= 0x8000 ? ((remainder * 2) ^ 0x11021) & 0xffff : remainder * 2
    }
    return remainder
  })
  const sum = [...Buffer.from(text)].reduce(
    (crc, byte) => ((crc % 256) * 256) ^ (table[Math.floor(crc / 256) ^ byte] ?? 0),
    0xffff,
  )
  return sum.toString(16).toUpperCase().padStart(4, '0')
}
