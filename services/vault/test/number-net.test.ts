import { createHash } from 'node:crypto'
import { holdsCardNumber } from '@cofre/platform/card/card-number'

/** How many texts of each kind the test reads: a million for the table of the README. */
const TEXTS = Number(process.env['NET_TEXTS'] ?? 2_000)

/** Returns 32 random-looking bytes, different for each kind and number. */
const bytes = (kind: string, n: number) => createHash('sha256').update(`${kind} ${n}`).digest()
const digits = (kind: string, n: number, count: number) =>
  Array.from(
    Buffer.concat([bytes(kind, n), bytes(`${kind}+`, n)]).subarray(0, count),
    (byte) => byte % 10,
  ).join('')

function uuid(n: number): string {
  const hex = bytes('uuid', n).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ulid = (n: number) =>
  `01KA${[...bytes('ulid', n)]
    .slice(0, 22)
    .map((byte) => BASE32[byte % 32])
    .join('')}`

function boletoLine(n: number): string {
  const d = digits('boleto', n, 47)
  const at = (from: number, to: number) => d.slice(from, to)
  return `${at(0, 5)}.${at(5, 10)} ${at(10, 15)}.${at(15, 21)} ${at(21, 26)}.${at(26, 32)} ${at(32, 33)} ${at(33, 47)}`
}

const cnpj = (n: number) => digits('cnpj', n, 14)
const masked = (d: string) =>
  `${d.slice(0, 2)}.${d.slice(2, 5)}.${d.slice(5, 8)}/${d.slice(8, 12)}-${d.slice(12)}`

/** A kind of text without card numbers, and how many of 1,000 may be mistaken for one. */
test.each<[string, (n: number) => string, number]>([
  ['UUIDs', uuid, 0.1],
  ['ULIDs', ulid, 0.1],
  ['hashes', (n) => bytes('hash', n).toString('hex'), 0.1],
  ['epoch milliseconds', (n) => String(1_700_000_000_000 + n * 7_919), 0],
  ['snowflake ids', (n) => String(1_900_000_000_000_000_000n + BigInt(n) * 4_194_311n), 0],
  ['order numbers of 10 digits', (n) => digits('order', n, 10), 0],
  ['order numbers of 12 digits', (n) => digits('order', n, 12), 0],
  ['phones', (n) => `+55 11 9${digits('phone', n, 8)}`, 0],
  ['CPFs', (n) => digits('cpf', n, 11), 0],
  ['CNPJs, digits alone', cnpj, 15],
  ['CNPJs, as printed', (n) => masked(cnpj(n)), 15],
  ['boleto lines, digits alone', (n) => digits('boleto', n, 47), 0],
  ['boleto lines, as printed', boletoLine, 0],
  ['NF-e keys', (n) => digits('nfe', n, 44), 0],
  ['times as printed', (n) => new Date(1_700_000_000_000 + n * 7_919_333).toISOString(), 0],
  [
    'prices in a list',
    (n) => Array.from(digits('price', n, 12).matchAll(/\d{3}/g), ([d]) => `${d}.90`).join(', '),
    0,
  ],
  ['random numbers of 16 digits', (n) => digits('random', n, 16), 60],
])('few %s are mistaken for card numbers', (_, make, perThousand) => {
  let taken = 0
  for (let n = 0; n < TEXTS; n++) if (holdsCardNumber(`ref ${make(n)}`)) taken += 1
  if (process.env['NET_TEXTS']) process.stdout.write(`${_}: ${((taken / TEXTS) * 100).toFixed(3)} %\n`)
  expect((taken / TEXTS) * 1_000).toBeLessThanOrEqual(perThousand)
})
