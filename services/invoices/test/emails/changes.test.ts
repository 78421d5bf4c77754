import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import { EmailLanguage, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { emailsOf, mail, mailerTo, sendDue } from '../support/emails'
import { voidInvoice } from '../support/invoices'
import { startMoney, type TestMoney } from '../support/money'
import { answerAsUsual, captures, chargeOf, pay, resolveLater } from '../support/payments'
import { newInvoice } from '../support/start-boletos'

let on: TestMoney
let server: TestMailServer
beforeAll(async () => {
  server = await startMailServer()
  on = await startMoney({ mailer: mailerTo(server) })
})
beforeEach(async () => {
  await on.boletos.pool.query('DELETE FROM emails')
  answerAsUsual(on.boletos)
})
afterAll(async () => {
  await on.stop()
  await server.close()
})

/** Sends what is due. Returns the subject and the text of each letter. */
async function letters(): Promise<{ subject: string; text: string }[]> {
  const { pool, log, slipOf, pixOf, bookletOf, cardsOf } = on.boletos.deps
  const more = { baseUrl: 'https://pay.example.com', emailEveryMs: 10, emailRetryFirstMs: 30_000 }
  await sendDue({ pool, log, slipOf, pixOf, bookletOf, cardsOf, mailer: mailerTo(server), ...more })
  return server.mails.splice(0).map(({ subject = '', text = '' }) => ({
    subject: subject.replaceAll('\u00a0', ' '),
    text: text.replaceAll('\u00a0', ' '),
  }))
}

const kindsOf = async (invoice: Invoice) => (await emailsOf(on.boletos, invoice)).map(({ kind }) => kind)

test('the payer of a card gets a letter about each refund, with what goes back to the card', async () => {
  const invoice = await newInvoice(on.boletos)
  await pay(on.boletos, invoice)
  await letters()
  chargeOf(on.boletos, invoice, (charge) => ({
    ...captures(charge),
    status: ChargeStatus.PARTIALLY_REFUNDED,
    refundedAmount: 2_500,
  }))
  await resolveLater(on.boletos)
  await resolveLater(on.boletos)
  const [letter, ...others] = await letters()
  expect([letter?.subject, others]).toEqual([`Fatura ${invoice.invoiceNumber}: devolução de R$ 25,00`, []])
  expect(letter?.text).toContain('Uma parte do que você pagou')
  expect(letter?.text).toContain('volta para o cartão')
})

test('each return has its own letter; the one of all that was paid says so', async () => {
  const invoice = await newInvoice(on.boletos)
  await on.recordPayment(invoice)
  await on.recordReturn(invoice, 1_000)
  await on.recordReturn(invoice, 1_000)
  expect(await kindsOf(invoice)).toEqual(['RECEIPT', 'REFUNDED', 'REFUNDED'])
  const whole = await newInvoice(on.boletos)
  await on.recordPayment(whole)
  await on.recordReturn(whole, 9_980)
  const texts = (await letters()).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('Uma parte do que você pagou'))).toHaveLength(2)
  expect(texts.filter((text) => text.includes('O valor que você pagou'))).toHaveLength(1)
})

test.each([
  [EmailLanguage.PORTUGUESE, 'foi cancelada: não é preciso pagar'],
  [EmailLanguage.ENGLISH, 'was cancelled: you need not pay it'],
])(
  'an invoice that was sent and is voided has one letter, in the language of the first',
  async (language, said) => {
    const invoice = await newInvoice(on.boletos)
    await mail(on.boletos, invoice, { language })
    await letters()
    await voidInvoice(on.boletos, invoice)
    expect(await kindsOf(invoice)).toEqual(['ISSUED', 'VOIDED'])
    await expect(voidInvoice(on.boletos, invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
    expect(await letters()).toMatchObject([{ subject: expect.stringContaining(said) }])
  },
)

test('an invoice whose letter had not left is voided in silence', async () => {
  const invoice = await newInvoice(on.boletos)
  await mail(on.boletos, invoice)
  await voidInvoice(on.boletos, invoice)
  expect(await letters()).toEqual([])
  const never = await newInvoice(on.boletos)
  await voidInvoice(on.boletos, never)
  expect(await kindsOf(never)).toEqual([])
})
