import { letterOf, type LetterFacts } from '../../src/letters/letter'
import { factsWith, invoiceWith, item, noon, PAID } from '../support/letters'

const LINK = 'https://pay.example.com/checkout/4fJz1Qm8Tn2bYw0c7Rk5Xg'
const subjectOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).subject
const textOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).text
const htmlOf = (changes: Partial<LetterFacts>) => letterOf(factsWith(changes)).html

test('an issued invoice, in Portuguese: the items, the amount, the due date and the link', () => {
  const { subject, text } = letterOf(factsWith())
  expect(subject).toBe('Fatura 000077 de Padaria Sol: vence em 10/03/2026')
  expect(text).toBe(`Sua fatura chegou

Olá, Ana Souza!
A fatura 000077 de Padaria Sol vence em 10/03/2026.

Total a pagar: R$ 1.234,56
Fatura: 000077
Vencimento: 10/03/2026

Itens:
- Consultoria (2 × R$ 500,00) R$ 1.000,00
- Caneca esmaltada R$ 234,56

Pagar a fatura:
${LINK}

Você recebe este e-mail porque Padaria Sol emitiu uma fatura em seu nome.
Não reconhece esta cobrança? Não pague, e fale com Padaria Sol.
`)
})

test.each([
  ['pt-BR', 'Pague com Pix', 'O código funciona até 09/04/2026; o vencimento da fatura não muda.'],
  ['en', 'Pay by Pix', 'The code works until 9 April 2026; the invoice stays due on its own day.'],
] as const)('in %s, the last day of a Pix code does not look like the due date', (language, title, until) => {
  const facts = { language, pix: { copyAndPaste: '00020126', payableUntil: '2026-04-09' } } as const
  expect(textOf(facts)).toContain(`\n${title}\n`)
  for (const letter of [textOf(facts), htmlOf(facts)]) expect(letter).toContain(until)
})

test('the same in English', () => {
  const { subject, text } = letterOf(factsWith({ language: 'en' }))
  expect(subject).toBe('Invoice 000077 from Padaria Sol: due on 10 March 2026')
  for (const part of [
    'Hello Ana Souza,',
    'Total to pay: R$ 1,234.56',
    'Due date: 10 March 2026',
    `Pay the invoice:\n${LINK}`,
  ]) {
    expect(text).toContain(part)
  }
})

test.each([
  ['pt-BR', 'Fatura 000077 de Padaria Sol: não conseguimos cobrar seu cartão', 'Pague com outro cartão'],
  ['en', 'Invoice 000077 from Padaria Sol: your card could not be charged', 'Please pay with another card'],
] as const)(
  'a card that could not be charged, in %s: the reason for the letter, and the link for paying',
  (language, subject, part) => {
    const facts = { kind: 'DECLINED', language } as const
    expect(subjectOf(facts)).toBe(subject)
    for (const letter of [textOf(facts), htmlOf(facts)]) {
      expect(letter).toContain(part)
      expect(letter).toContain(LINK)
      expect(letter).toMatch(/1\.234,56|1,234\.56/)
    }
  },
)

const RETRIED = { status: 'WAITING', attempts: 1, isHeld: false, reason: 'INSUFFICIENT_FUNDS' } as const

test.each([
  [
    'pt-BR',
    'Vamos tentar de novo em 11/03/2026',
    'O banco do cartão não aprovou a cobrança.',
    'não há multa',
  ],
  ['en', 'We will try again on 11 March 2026', 'The bank of the card did not approve the charge.', 'no fine'],
] as const)(
  'a card that is charged again, in %s: the day, why in words that shame nobody, and the link for paying before',
  (language, again, why, free) => {
    const automaticCharge = { ...RETRIED, nextAttemptAt: noon('2026-03-11') }
    const retried = { fine: { amountInCents: null, percentageBps: 200, startsAfterDays: 8 }, interest: null }
    const invoice = invoiceWith({ automaticCharge, ...retried })
    const facts = { kind: 'RETRY_PLANNED', language, invoice, at: noon('2026-03-10') } as const
    for (const letter of [textOf(facts), htmlOf(facts)]) {
      for (const part of [again, why, free, LINK]) expect(letter).toContain(part)
      expect(letter).not.toContain('INSUFFICIENT')
    }
    expect(textOf({ ...facts, invoice: invoiceWith({ automaticCharge }) })).not.toContain(free)
    const trying = invoiceWith({ automaticCharge: { ...automaticCharge, nextAttemptAt: null } })
    expect(textOf({ ...facts, invoice: trying })).not.toContain('undefined')
  },
)

// The due day is a Tuesday. An amount due on Saturday 14 March may be paid on Monday.
test.each<[string, string, string]>([
  ['2026-03-08', '2026-03-10', 'Lembrete: a fatura 000077 de Padaria Sol vence em 10/03/2026'],
  ['2026-03-10', '2026-03-10', 'A fatura 000077 de Padaria Sol vence hoje'],
  ['2026-03-15', '2026-03-14', 'Fatura 000077 de Padaria Sol: pague até 16/03/2026 sem multa'],
  ['2026-03-20', '2026-03-10', 'A fatura 000077 de Padaria Sol venceu em 10/03/2026'],
])('a reminder of %s for an invoice due on %s: %s', (today, due, subject) => {
  const invoice = invoiceWith({ dueDate: noon(due) })
  expect(subjectOf({ kind: 'REMINDER', invoice, at: noon(today) })).toBe(subject)
})

test('late charges are shown, and only once there are some', () => {
  const late = { kind: 'REMINDER', at: noon('2026-03-20') } as const
  // Ten days: 2 % of R$ 1.234,56 are 24,69; ten times 41 cents a day are 4,10.
  for (const part of [
    'Total a pagar: R$ 1.263,35',
    'Subtotal: R$ 1.234,56',
    'Multa: R$ 24,69',
    'Juros: R$ 4,10',
    'os juros aumentam a cada dia',
  ]) {
    expect(textOf(late)).toContain(part)
  }
  expect(textOf({ ...late, language: 'en' })).toContain('Interest: R$ 4.10')
  const onTime = textOf({ kind: 'REMINDER', at: noon('2026-03-10') })
  expect(onTime).not.toMatch(/Multa|Juros|Subtotal|aumentam/)
})

test('a discount is shown with its last day, and a receipt shows what was taken off', () => {
  const discounts = [{ daysBeforeDueDate: 5, amountInCents: null, percentageBps: 1_000 }]
  const early = { invoice: invoiceWith({ discounts }) }
  for (const part of [
    'Total a pagar: R$ 1.111,11',
    'Subtotal: R$ 1.234,56',
    'Desconto até 05/03/2026: R$ 123,45',
  ]) {
    expect(textOf(early)).toContain(part)
  }
  expect(textOf({ ...early, language: 'en' })).toContain('Discount until 5 March 2026: R$ 123.45')
  expect(textOf({ ...early, at: noon('2026-03-06') })).not.toContain('Desconto')
  const invoice = { ...PAID, paidAmount: 111_111, writtenOffAmount: 12_345 }
  expect(textOf({ kind: 'RECEIPT', invoice })).toContain('Abatimento: R$ 123,45')
})

test('the receipt of a card that was charged automatically leads to the page where its payer removes it', () => {
  const automaticCharge = { ...RETRIED, status: 'PAID', reason: null, nextAttemptAt: null } as const
  const invoice = { ...PAID, automaticCharge }
  const receipt = { kind: 'RECEIPT', invoice, at: noon('2026-03-13') } as const
  expect(textOf(receipt)).toContain(`Ver a fatura ou remover o cartão salvo:\n${LINK}`)
  expect(htmlOf(receipt)).toContain(LINK)
})

test('a receipt shows the amount and the time of the payment, and asks for nothing', () => {
  const receipt = { kind: 'RECEIPT', invoice: PAID, at: noon('2026-03-13') } as const
  const text = textOf(receipt)
  for (const part of [
    'O pagamento da fatura 000077 de Padaria Sol foi recebido em 12/03/2026.',
    'Total pago: R$ 1.260,07',
    'Subtotal: R$ 1.234,56',
    'Multa e juros: R$ 25,51',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).not.toContain(LINK)
  expect(htmlOf(receipt)).not.toContain('<a ')
  expect(subjectOf({ ...receipt, language: 'en' })).toBe('Receipt for invoice 000077 from Padaria Sol')
  const refunded = { ...PAID, refundedAmount: 10_000 }
  expect(textOf({ ...receipt, invoice: refunded })).toContain('Estornado: R$ 100,00')
})

test.each([
  ['CREDIT_CARD', 3, 'Cartão de crédito, 3 parcelas', 'Credit card, 3 installments'],
  ['CREDIT_CARD', 1, 'Cartão de crédito, à vista', 'Credit card, in full'],
  ['CREDIT_CARD', null, 'Cartão de crédito', 'Credit card'],
  ['PIX', null, 'Pix', 'Pix'],
  ['BOLETO', null, 'Boleto', 'Boleto'],
  ['EXTERNAL', null, 'Pago diretamente à loja', 'Paid to the shop itself'],
] as const)('a receipt says how it was paid: %s, %s', (method, installments, portuguese, english) => {
  const receipt = {
    kind: 'RECEIPT',
    invoice: PAID,
    payments: [{ method, installments, card: null }],
  } as const
  expect(textOf(receipt)).toContain(`Forma de pagamento: ${portuguese}`)
  expect(textOf({ ...receipt, language: 'en' })).toContain(`Paid with: ${english}`)
})

test.each([
  [
    'pt-BR',
    'devolvemos a cobrança no seu cartão',
    'já tinha sido paga de outra forma',
    'Valor devolvido: R$ 1.260,07',
  ],
  [
    'en',
    'the charge to your card was refunded',
    'already been paid in another way',
    'Amount refunded: R$ 1,260.07',
  ],
] as const)('a card that was charged and refunded, in %s', (language, subject, why, amount) => {
  const facts = { kind: 'GIVEN_BACK', language, invoice: PAID, attempted: 126_007 } as const
  expect(subjectOf(facts)).toContain(subject)
  for (const part of [why, amount]) expect(textOf(facts)).toContain(part)
  expect(textOf(facts)).not.toContain('Consultoria')
  expect(textOf({ ...facts, invoice: invoiceWith() })).not.toContain(why)
  expect(htmlOf(facts)).not.toContain('<a ')
})

test('a letter that asks for payment carries the open boleto: its digitable line and its page', () => {
  const slip = { line: '00190.00009 01234.567004 00000.001172 1 13150000123456', pdf: Buffer.from('%PDF') }
  for (const kind of ['ISSUED', 'REMINDER', 'DECLINED'] as const) {
    const { text, html, attachments } = letterOf(factsWith({ kind, slip, at: noon('2026-03-20') }))
    expect(text).toContain(`Linha digitável do boleto: ${slip.line}`)
    expect(text).toContain('os juros aumentam a cada dia. O boleto está em anexo, em PDF.')
    expect(html).toContain(slip.line)
    expect(attachments).toEqual([
      { filename: 'boleto.pdf', contentType: 'application/pdf', content: slip.pdf },
    ])
  }
  expect(letterOf(factsWith()).attachments).toBeUndefined()
  expect(textOf({ language: 'en', slip })).toContain('The boleto is attached as a PDF.')
})

test('a letter tells of a part that was paid, of what is left, and of money that waits', () => {
  const open = { principal: 83_456, fine: 0, interest: 0, countedTo: null }
  const invoice = invoiceWith({ paidAmount: 40_000, open })
  const text = textOf({ invoice, waiting: 9_999 })
  for (const part of [
    'Falta pagar: R$ 834,56',
    'Subtotal: R$ 1.234,56\nJá pago: R$ 400,00',
    'Recebemos R$ 99,99, mas esse valor ainda não foi usado nesta fatura.',
  ]) {
    expect(text).toContain(part)
  }
  expect(textOf({ invoice, language: 'en' })).toContain('Left to pay: R$ 834.56')
  expect(textOf({})).not.toMatch(/Já pago|Recebemos|Falta/)
})

test('without the seller’s name, the letter names nobody', () => {
  const { subject, text, html } = letterOf(factsWith({ sellerName: null }))
  expect(subject).toBe('Fatura 000077: vence em 10/03/2026')
  expect(text).toContain('porque há uma fatura em seu nome')
  expect(html).not.toContain('null')
})

test('a letter shows twenty items and the number of further ones', () => {
  const items = Array.from({ length: 22 }, (_, at) => item(`item ${at + 1}.`))
  const text = textOf({ invoice: invoiceWith({ items }) })
  expect(text).toContain('- item 20. R$ 1,00\n- e mais 2 itens')
  expect(text).not.toContain('item 21.')
  expect(textOf({ language: 'en', invoice: invoiceWith({ items: items.slice(0, 21) }) })).toContain(
    'and 1 more item\n',
  )
})

const EVIL = '<script>alert("x")</script>&\'"><img src=x onerror=alert(1)>'

test('user input is text: no tag of it is in the page', () => {
  const invoice = invoiceWith({
    invoiceNumber: EVIL,
    customer: { ...PAID.customer, name: EVIL },
    items: [item(EVIL, 2)],
  })
  const theme = { ...factsWith().theme, logoUrl: `https://shop.example.com/"onerror="alert(1)` }
  for (const kind of ['ISSUED', 'REMINDER', 'RECEIPT'] as const) {
    const html = htmlOf({ kind, invoice, sellerName: EVIL, theme })
    expect(html).not.toMatch(/<script|<img src=x|"onerror=/)
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;&quot;&gt;')
  }
})

test('a logo that is no web address is left out', () => {
  const theme = { ...factsWith().theme, logoUrl: 'javascript:alert(1)' }
  expect(htmlOf({ theme })).not.toContain('javascript')
  const shown = htmlOf({ theme: { ...theme, logoUrl: 'https://shop.example.com/logo.png?a=1&b=2' } })
  expect(shown).toContain('<img src="https://shop.example.com/logo.png?a=1&amp;b=2" alt="Padaria Sol"')
})

test('user input stays on its line, and reads forwards', () => {
  const broken = 'Ana\r\nBcc: all@example.com\u2028\u202Emoc\u0000\tX'
  const invoice = invoiceWith({
    invoiceNumber: broken,
    customer: { ...PAID.customer, name: broken },
    items: [item(broken)],
  })
  const { subject, text } = letterOf(factsWith({ invoice, sellerName: broken }))
  expect(subject).toBe(
    'Fatura Ana Bcc: all@example.com moc X de Ana Bcc: all@example.com moc X: vence em 10/03/2026',
  )
  expect(text).not.toMatch(/\r|^Bcc|\u202E|\u2028|\0/m)
})

test('an endless name is cut', () => {
  const invoice = invoiceWith({ invoiceNumber: '9'.repeat(255) })
  expect(subjectOf({ invoice }).length).toBeLessThan(250)
})
