/** The first and the last of the templates of a BR Code in which a permission stands. */
const PERMISSION = { from: '80', to: '99' }
const CRC_FIELD = '6304'
const CRC_POLYNOMIAL = 0x1021

/**
 * The text of a QR code that asks for a charge and a permission at once: journey 4 of API Pix. Both codes are the bank's.
 */
export function codeWithPermission(charge: string, permission: string): string {
  const ofPermission = fieldsOf(permission).filter(([id]) => id >= PERMISSION.from && id <= PERMISSION.to)
  const text = [...fieldsOf(charge).filter(([id]) => id !== '63'), ...ofPermission]
    .map(([id, value]) => `${id}${String(value.length).padStart(2, '0')}${value}`)
    .join('')
  return `${text}${CRC_FIELD}${crc(`${text}${CRC_FIELD}`)}`
}

function fieldsOf(text: string): [id: string, value: string][] {
  const fields: [string, string][] = []
  for (let at = 0; at + 4 <= text.length;) {
    const length = Number(text.slice(at + 2, at + 4))
    fields.push([text.slice(at, at + 2), text.slice(at + 4, at + 4 + length)])
    at += 4 + (length || text.length)
  }
  return fields
}

/** CRC-16/CCITT-FALSE, four upper-case hexadecimal digits. */
function crc(text: string): string {
  let sum = 0xffff
  for (const byte of Buffer.from(text)) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ CRC_POLYNOMIAL
    }
    sum &= 0xffff
  }
  return sum.toString(16).toUpperCase().padStart(4, '0')
}
