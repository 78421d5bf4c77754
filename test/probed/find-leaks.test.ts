import { randomBytes } from 'node:crypto'
import { SPELLINGS } from './canaries'
import { createSearch } from './find-leaks'

const CANARY = { number: '4539578763621486', cvv: '0427', document: '52998224725' }
const search = createSearch([CANARY])
const kinds = (text: string) => search('here', text).map(({ kind }) => kind)
const hex = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part))).toString('hex')

test.each([
  ['as it is', `"cvv":"${CANARY.cvv}"`],
  ['in a path', `GET /api/v2/sellers/1/vouchers/tokens/${CANARY.cvv}`],
  ['as hexadecimal', hex(randomBytes(9), `{"cvv":"${CANARY.cvv}"}`, randomBytes(9))],
])('a CVV is found %s', (_how, text) => {
  expect(kinds(text)).toContain('cvv')
})

test.each([
  ['as it is', CANARY.number],
  ['in groups', '4539 5787-6362.1486'],
  ...SPELLINGS.map((spell, nth): [string, string] => [
    `in spelling ${nth}`,
    JSON.stringify({ name: spell(CANARY.number) }),
  ]),
  ['in part', `9${CANARY.number.slice(2, 14)}9`],
  ['as hexadecimal', hex(randomBytes(9), CANARY.number, randomBytes(9))],
  ...['', 'a', 'ab'].map((before) => [
    `in base64 behind ${before.length} letters`,
    Buffer.from(`${before}${CANARY.number}}`).toString('base64'),
  ]),
])('a number is found %s', (_how, text) => {
  expect(kinds(text)).toContain('number')
})

test.each([
  `"lastFour":"${CANARY.cvv}"`,
  `{\\"cryptogramLastFour\\":\\"${CANARY.cvv}\\"}`,
  `last_four: ${CANARY.cvv}`,
])('the last four digits of a number that look like a CVV are no leak: %s', (text) => {
  expect(kinds(text)).not.toContain('cvv')
})

test('four bytes of a key that look like a CVV are no leak', () => {
  const key = Buffer.concat([Buffer.alloc(14, 0x81), Buffer.from(CANARY.cvv), Buffer.alloc(14, 0x9f)])
  expect(kinds(`\\x${key.toString('hex')}`)).toEqual([])
  const letters = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A+${CANARY.cvv}/MIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo`
  expect(kinds(letters)).toEqual([])
})
