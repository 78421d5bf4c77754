import { letterOf, type LetterFacts } from '../../src/letters/letter'
import { factsWith, invoiceWith, noon, PAID } from '../support/letters'

const textOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).text
const RETRIED = { status: 'WAITING', attempts: 1, isHeld: false, reason: 'INSUFFICIENT_FUNDS' } as const
const VISA = { brand: 'VISA', lastFour: '1111' }
const ELO = { brand: 'ELO', lastFour: '0004' }

test.each([
  [
    'pt-BR',
    'no cartão Visa final 1111 não foi concluída. Vamos tentar de novo em 11/03/2026, no mesmo cartão:',
    'Vamos tentar de novo em 11/03/2026, no cartão Elo final 0004:',
    'com o cartão Visa final 1111 não foi concluído.',
  ],
  [
    'en',
    'to your Visa ending in 1111 did not go through. We will try again on 11 March 2026 with the same card:',
    'We will try again on 11 March 2026 with your Elo ending in 0004:',
    'could not be charged to your Visa ending in 1111.',
  ],
] as const)(
  'letters about a declined card name it, and the next one, in %s',
  (language, same, other, over) => {
    const invoice = invoiceWith({ automaticCharge: { ...RETRIED, nextAttemptAt: noon('2026-03-11') } })
    const retry = { kind: 'RETRY_PLANNED', language, invoice, at: noon('2026-03-10') } as const
    expect(textOf({ ...retry, cards: { tried: VISA, next: VISA } })).toContain(same)
    expect(textOf({ ...retry, cards: { tried: VISA, next: ELO } })).toContain(other)
    expect(textOf({ ...retry, kind: 'DECLINED', cards: { tried: VISA, next: undefined } })).toContain(over)
  },
)

test.each([
  ['pt-BR', 'Cartão de crédito (Visa final 1111), à vista'],
  ['en', 'Credit card (Visa ending in 1111), in full'],
] as const)('a receipt names the stored card that paid, in %s', (language, said) => {
  const payments = [{ method: 'CREDIT_CARD', installments: 1, card: VISA }] as const
  expect(textOf({ kind: 'RECEIPT', invoice: PAID, language, payments })).toContain(said)
})

test('a card of no known brand has its last four digits', () => {
  const cards = { tried: { brand: '', lastFour: '0004' }, next: undefined }
  expect(textOf({ kind: 'DECLINED', cards })).toContain('com o cartão final 0004 não foi')
  expect(textOf({ kind: 'DECLINED', cards, language: 'en' })).toContain('to your card ending in 0004.')
})
