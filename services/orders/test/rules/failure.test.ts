import { REFUSALS } from '@cofre/api/declines/refusal-table'
import { failure, failureWords } from '../../src/charge/failure'

const SALE = { type: 'AUTHORIZATION', amount: 100 } as const
const refused = (acquirerCode: string) => failure('ACQUIRER_REFUSED', acquirerCode)

test.each([
  ['214', 'the name of the card’s holder', 'holder.name'],
  ['105', 'the payer’s name', 'customer.name'],
  ['104', 'the payer’s document', 'customer.document'],
  ['149', 'the payer’s address', 'customer.address'],
  ['158', 'e-mail address', 'customer.email'],
])('a refusal %s names its member in words', (code, words, member) => {
  const message = failureWords(refused(code), SALE)
  expect(message).toMatch(/^The acquirer refused the operation\. Nothing was done\. /)
  expect(message).toContain(words)
  expect(message).toMatch(new RegExp(` Check ${member}\\.$`))
})

test('a code of no member, and the same code for a refund, is explained in general', () => {
  const general = 'The acquirer refused the operation. Nothing was done.'
  expect(failureWords(refused('114'), SALE)).toBe(general)
  expect(failureWords(refused(''), SALE)).toBe(general)
  expect(failureWords(refused('130'), { type: 'REFUND', amount: 100 })).toBe(general)
  expect(failureWords(failure('NOT_SENT', '214'), SALE)).toContain('did not reach the acquirer')
})

test('a brand that cannot be verified is named for amount 0 alone', () => {
  expect(failureWords(refused('57'), { ...SALE, amount: 0 })).toContain('cannot verify a card of this brand')
  expect(failureWords(refused('57'), SALE)).not.toContain('verify')
  expect(failureWords(refused('214'), { ...SALE, amount: 0 })).toContain('Check holder.name.')
})

test('every code has one explanation', () => {
  const codes = REFUSALS.flatMap((refusal) => refusal.codes)
  expect(codes).toEqual([...new Set(codes)])
})
