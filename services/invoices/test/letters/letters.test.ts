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
Não reconhece esta cobrança? Não pague, e fale com quem a emitiu.
`)
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
  // Ten days: 2 % of R$ 1.234,56 are 24,69; 10/30 of 1 % are 4,12.
  for (const part of [
    'Total a pagar: R$ 1.263,37',
    'Subtotal: R$ 1.234,56',
    'Multa: R$ 24,69',
    'Juros: R$ 4,12',
    'os juros aumentam a cada dia',
  ]) {
    expect(textOf(late)).toContain(part)
  }
  expect(textOf({ ...late, language: 'en' })).toContain('Interest: R$ 4.12')
  const onTime = textOf({ kind: 'REMINDER', at: noon('2026-03-10') })
  expect(onTime).not.toMatch(/Multa|Juros|Subtotal|aumentam/)
})

test('a receipt shows the amount and the time of the payment, and asks for nothing', () => {
  const receipt = { kind: 'RECEIPT', invoice: PAID, at: noon('2026-03-13') } as const
  const text = textOf(receipt)
  for (const part of [
    'O pagamento da fatura 000077 foi recebido em 12/03/2026.',
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
