import { letterOf } from '../../src/letters/letter'
import { factsWith } from '../support/letters'

const PART = { number: '000077', dueDay: '2026-03-10', amount: 9_980, publicId: 'first' }
const BOOKLET = {
  parts: [PART, { ...PART, number: '000078', dueDay: '2026-04-10', publicId: 'second' }],
  slips: 2,
  pdf: Buffer.from('%PDF'),
}

test.each([
  [
    'pt-BR',
    'Carnê de Padaria Sol: 2 faturas, a primeira vence em 10/03/2026',
    'Total do carnê: R$ 199,60',
    '- Fatura 000078, vence em 10/04/2026 R$ 99,80 https://pay.example.com/checkout/second',
    'Os boletos estão em anexo, em um só PDF.',
    'Não reconhece esta cobrança?',
  ],
  [
    'en',
    'Booklet from Padaria Sol: 2 invoices, the first due on 10 March 2026',
    'Total of the booklet: R$ 199.60',
    '- Invoice 000078, due on 10 April 2026 R$ 99.80 https://pay.example.com/checkout/second',
    'The boletos are attached, in one PDF.',
    'If you do not recognize this invoice',
  ],
] as const)('a booklet, in %s: each invoice with its page, and the slips', (language, subject, ...parts) => {
  const letter = letterOf(factsWith({ kind: 'BOOKLET', language, booklet: BOOKLET }))
  expect(letter.subject).toBe(subject)
  for (const part of parts) expect(letter.text.replaceAll('\u00a0', ' ')).toContain(part)
  expect(letter.html).toContain('href="https://pay.example.com/checkout/second"')
  expect(letter.attachments).toMatchObject([{ filename: 'boletos.pdf', contentType: 'application/pdf' }])
})

test('a booklet with more slips than are attached says where the others are; one without slips says nothing', () => {
  const textWith = (slips: number) =>
    letterOf(factsWith({ kind: 'BOOKLET', booklet: { ...BOOKLET, slips } })).text
  expect(textWith(1)).toContain('Os demais boletos são emitidos na página de cada fatura.')
  expect(textWith(0)).not.toContain('boletos')
})
