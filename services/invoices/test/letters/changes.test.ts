import { letterOf, type LetterFacts } from '../../src/letters/letter'
import { factsWith, invoiceWith, noon, PAID } from '../support/letters'

const LINK = factsWith().paymentUrl
const subjectOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).subject
const textOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).text

const REFUND = { amount: 5_000, method: 'CREDIT_CARD', at: noon('2026-03-20'), isWhole: false } as const

test.each([
  [
    'pt-BR',
    'Fatura 000077 de Padaria Sol: devolução de R$ 50,00',
    'foi devolvida em 20/03/2026',
    'Valor devolvido: R$ 50,00',
    'fatura do cartão',
  ],
  [
    'en',
    'Invoice 000077 from Padaria Sol: R$ 50.00 refunded',
    'was refunded on 20 March 2026',
    'Amount refunded: R$ 50.00',
    'card statement',
  ],
] as const)(
  'a part that was refunded, in %s: how much, when, and how it comes back',
  (language, subject, ...parts) => {
    const facts = { kind: 'REFUNDED', invoice: PAID, refund: REFUND, language } as const
    expect(subjectOf(facts).replaceAll('\u00a0', ' ')).toBe(subject)
    for (const part of parts) expect(textOf(facts).replaceAll('\u00a0', ' ')).toContain(part)
    for (const absent of ['Consultoria', LINK]) expect(textOf(facts)).not.toContain(absent)
  },
)

test.each([
  ['PIX', 'O dinheiro volta por Pix para a conta de onde saiu o pagamento.'],
  ['EXTERNAL', 'Quem emitiu a fatura fez a devolução diretamente a você.'],
] as const)('all of a payment that went back by %s', (method, comes) => {
  const refund = { ...REFUND, method, isWhole: true }
  const text = textOf({ kind: 'REFUNDED', invoice: PAID, refund })
  expect(text).toContain(
    'O valor que você pagou pela fatura 000077 de Padaria Sol foi devolvido em 20/03/2026.',
  )
  expect(text).toContain(comes)
})

test.each([
  ['pt-BR', 'A fatura 000077 de Padaria Sol foi cancelada: não é preciso pagar', 'Você não precisa pagá-la.'],
  ['en', 'Invoice 000077 from Padaria Sol was cancelled: you need not pay it', 'You need not pay it.'],
] as const)('a voided invoice, in %s: it asks for nothing', (language, subject, part) => {
  const facts = { kind: 'VOIDED', invoice: invoiceWith({ status: 'CANCELLED' }), language } as const
  expect(subjectOf(facts)).toBe(subject)
  expect(textOf(facts)).toContain(part)
  for (const absent of ['Consultoria', LINK]) expect(textOf(facts)).not.toContain(absent)
})
