const CRC_POLYNOMIAL = 0x1021
const NAME_MAX = 25

/** Where a payer's bank reads a charge, a permission (Pix Automático), or both. */
export type Readable = { charge?: string | undefined; permission?: string | undefined }

/** Returns the text behind a QR code (EMV MPM, template 26; 80 for a permission). Locations have no scheme. */
export function brCode({ charge, permission }: Readable, name: string): string {
  const scheme = field('00', 'br.gov.bcb.pix')
  const text = [
    field('00', '01'),
    // A charge can be paid once.
    charge === undefined ? '' : field('01', '12'),
    field('26', charge === undefined ? scheme : scheme + field('25', charge)),
    field('52', '0000'),
    field('53', '986'),
    field('58', 'BR'),
    field('59', plain(name).slice(0, NAME_MAX).trim()),
    field('60', 'SAO PAULO'),
    field('62', field('05', '***')),
    permission === undefined ? '' : field('80', scheme + field('25', permission)),
    '6304',
  ].join('')
  return text + crc(text)
}

/** Returns the locations in a BR Code that this bank made, or undefined when the text is damaged. */
export function readBrCode(pasted: string): Readable | undefined {
  const text = pasted.trim()
  if (text.length < 8 || crc(text.slice(0, -4)) !== text.slice(-4)) return undefined
  const fields = fieldsOf(text)
  const locationIn = (id: string) => fieldsOf(fields.get(id) ?? '').get('25')
  return { charge: locationIn('26'), permission: locationIn('80') }
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 0; at + 4 <= text.length;) {
    const length = Number(text.slice(at + 2, at + 4))
    fields.set(text.slice(at, at + 2), text.slice(at + 4, at + 4 + length))
    at += 4 + (Number.isInteger(length) ? length : text.length)
  }
  return fields
}

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

/** Removes accents: older readers count bytes. */
function plain(name: string): string {
  return name.normalize('NFD').replaceAll(/[^ -~]/g, '')
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
