import { createHash } from 'node:crypto'
import { holdsCardNumber } from '@cofre/platform/card/card-number'
import { isAskedNumber } from '@cofre/platform/card/tax-number'

/** How many texts of each kind the test reads: 200,000 for the tables of the README. */
const TEXTS = Number(process.env['NET_TEXTS'] ?? 2_000)

/** Random-looking digits and bytes of a text, different for each kind and number, and the same in every run. */
type Draw = { n: number; bytes: Buffer; digits(count: number): string; phone: string; cep: string }

function drawOf(kind: string, n: number): Draw {
  const hash = (part: string) => createHash('sha256').update(`${kind}${part} ${n}`).digest()
  const bytes = hash('')
  let all = ''
  let used = 0
  const digits = (count: number) => {
    while (all.length < used + count) all += Array.from(hash(`+${all.length}`), (byte) => byte % 10).join('')
    used += count
    return all.slice(used - count, used)
  }
  return { n, bytes, digits, phone: `55119${digits(8)}`, cep: `${digits(5)}-${digits(3)}` }
}

const epochMs = (n: number) => String(1_700_000_000_000 + n * 7_919)
const epochS = (n: number) => String(1_700_000_000 + n * 7)

function uuid({ bytes }: Draw): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const lettersOf = (alphabet: string, bytes: Buffer) =>
  Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')

function boletoLine(d: string): string {
  const at = (from: number, to: number) => d.slice(from, to)
  return `${at(0, 5)}.${at(5, 10)} ${at(10, 15)}.${at(15, 21)} ${at(21, 26)}.${at(26, 32)} ${at(32, 33)} ${at(33, 47)}`
}

const maskedCpf = (d: string) => `${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6, 9)}-${d.slice(9)}`
const maskedCnpj = (d: string) =>
  `${d.slice(0, 2)}.${d.slice(2, 5)}.${d.slice(5, 8)}/${d.slice(8, 12)}-${d.slice(12)}`

/** A CNPJ with its check digits (modulo 11), of a company whose number begins so. */
function cnpjOf(start: string, digits: Draw['digits']): string {
  const digitAfter = (body: string) => {
    const sum = Array.from(body, Number)
      .toReversed()
      .reduce((total, digit, at) => total + digit * (2 + (at % 8)), 0)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const body = `${start}${digits(8 - start.length)}0001`
  const first = `${body}${digitAfter(body)}`
  return `${first}${digitAfter(first)}`
}

const minuteOf = (n: number) =>
  new Date(1_700_000_000_000 + n * 7_919_000).toISOString().replace(/\D/g, '').slice(0, 12)

const diners = (n: number) => ['30', '36', '38', '39'][n % 4] ?? ''

/** Ids as shops and banks write them. Each may be mistaken for a card number less than once in 10,000 times. */
const FIFTEEN: [kind: string, make: (draw: Draw) => string][] = [
  ['`<4 and 5 digits>-<epoch ms>`', ({ n, digits }) => `4${digits(5)}-${epochMs(n)}`],
  ['`order-<4 and 5 digits>-<epoch s>`', ({ n, digits }) => `order-4${digits(5)}-${epochS(n)}`],
  ['`<5 and 5 digits>-<epoch s>`', ({ n, digits }) => `5${digits(5)}-${epochS(n)}`],
  ['`<6 and 6 digits>_<epoch s>`', ({ n, digits }) => `6${digits(6)}_${epochS(n)}`],
  ['`<6 digits>-<epoch s>`', ({ n, digits }) => `${digits(6)}-${epochS(n)}`],
  ['`<3 digits>-<epoch ms>`', ({ n, digits }) => `${digits(3)}-${epochMs(n)}`],
  ['`<phone 55119…>-<3 digits>`', ({ phone, digits }) => `${phone}-${digits(3)}`],
  ['`<CPF>-<5 digits>`', ({ digits }) => `${digits(11)}-${digits(5)}`],
  ['two printed CPFs', ({ digits }) => `${maskedCpf(digits(11))} ${maskedCpf(digits(11))}`],
  [
    'address, CEP and phone in a note',
    ({ digits, cep }) => `Rua A, ${digits(3)}, ${cep} 11 9${digits(4)}-${digits(4)}`,
  ],
  [
    'Pix end-to-end ids',
    ({ n, digits, bytes }) => `E${digits(8)}${minuteOf(n)}${lettersOf(ALPHANUMERIC, bytes.subarray(0, 11))}`,
  ],
  [
    'UUIDs with anything attached',
    (draw) => {
      const id = uuid(draw)
      const attached = [`order-${id}`, `${id}-refund`, `order-${id}-1`, `ORD${id}`, `pay-${id}-capture`]
      return attached[draw.n % attached.length] ?? id
    },
  ],
  [
    'UUIDs, hashes, ULIDs alone',
    (draw) => {
      const hex = draw.bytes.toString('hex')
      const ulid = `01KA${lettersOf(BASE32, draw.bytes.subarray(0, 22))}`
      const alone = [uuid(draw), `order_${uuid(draw)}`, hex, hex.slice(0, 32), hex.slice(0, 24), ulid]
      return alone[draw.n % alone.length] ?? hex
    },
  ],
  ['printed CNPJs', ({ digits }) => maskedCnpj(cnpjOf('', digits))],
  ['printed CNPJs that begin as Diners cards do', ({ n, digits }) => maskedCnpj(cnpjOf(diners(n), digits))],
]

test.each(FIFTEEN)('less than one in 10,000 of %s is mistaken for a card number', (kind, make) => {
  expect(taken(kind, make)).toBeLessThan(0.1)
})

/** Numbers that the API asks for by their member: all of them are taken as they are. */
test.each<[kind: string, pointer: string, make: (draw: Draw) => string]>([
  ['externalReference', '#/externalReference', ({ digits }) => `4${digits(15)}`],
  ['externalReference in a range of vouchers', '#/externalReference', ({ digits }) => `5067${digits(12)}`],
  ['CNPJs in document', '#/customer/document', ({ n, digits }) => cnpjOf(diners(n), digits)],
  ['printed CNPJs in document', '#/document', ({ n, digits }) => maskedCnpj(cnpjOf(diners(n), digits))],
])('no number of %s is refused', (kind, pointer, make) => {
  const isRefused = (text: string) => holdsCardNumber(text) && !isAskedNumber(pointer, text)
  expect(taken(kind, make, isRefused)).toBe(0)
})

/** Other texts, and how many of 1,000 may be mistaken for a card number. */
test.each<[kind: string, make: (draw: Draw) => string, perThousand: number]>([
  ['epoch milliseconds', ({ n }) => epochMs(n), 0],
  ['snowflake ids', ({ n }) => String(1_900_000_000_000_000_000n + BigInt(n) * 4_194_311n), 0],
  ['order numbers of 10 digits', ({ digits }) => digits(10), 0],
  ['order numbers of 12 digits', ({ digits }) => digits(12), 0],
  ['phones', ({ digits }) => `+55 11 9${digits(8)}`, 0],
  ['CPFs', ({ digits }) => digits(11), 0],
  ['boleto lines, digits alone', ({ digits }) => digits(47), 0],
  ['boleto lines, as printed', ({ digits }) => boletoLine(digits(47)), 0],
  ['NF-e keys', ({ digits }) => digits(44), 0],
  ['NF-e keys, as printed', ({ digits }) => digits(44).replace(/\d{4}(?=\d)/g, '$& '), 0],
  ['times as printed', ({ n }) => new Date(1_700_000_000_000 + n * 7_919_333).toISOString(), 0],
  ['prices in a list', ({ digits }) => digits(12).replace(/\d{3}/g, '$&.90, '), 0],
  ['hexadecimal words of 16', ({ bytes }) => bytes.toString('hex').slice(0, 16), 0.5],
  ['CNPJs, digits alone, outside document', ({ digits }) => cnpjOf('', digits), 15],
  ['random numbers of 13 digits', ({ digits }) => digits(13), 30],
  ['random numbers of 14 digits', ({ digits }) => digits(14), 15],
  ['random numbers of 15 digits', ({ digits }) => digits(15), 10],
  ['random numbers of 16 digits', ({ digits }) => digits(16), 60],
  ['random numbers of 16 digits that begin with 4', ({ digits }) => `4${digits(15)}`, 130],
  ['random numbers of 17 digits', ({ digits }) => digits(17), 30],
  ['random numbers of 18 digits', ({ digits }) => digits(18), 30],
  ['random numbers of 20 digits', ({ digits }) => digits(20), 70],
])('few %s are mistaken for card numbers', (kind, make, perThousand) => {
  expect(taken(kind, make)).toBeLessThanOrEqual(perThousand)
})

/** How many of 1,000 texts of a kind are taken for a card number. */
function taken(kind: string, make: (draw: Draw) => string, isTaken = holdsCardNumber): number {
  let count = 0
  for (let n = 0; n < TEXTS; n++) if (isTaken(make(drawOf(kind, n)))) count += 1
  const percent = ((count / TEXTS) * 100).toFixed(4)
  if (process.env['NET_TEXTS']) process.stdout.write(`${kind}: ${percent} % (${count})\n`)
  return (count / TEXTS) * 1_000
}
