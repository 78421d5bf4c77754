import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { get } from '../support/invoices'
import { answerAsUsual, chargeOf, declines, pay, resolveLater, staysSilent } from '../support/payments'
import { issue, look, newInvoice, slipOf, startBoletos, type TestBoletos } from '../support/start-boletos'

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(() => {
  answerAsUsual(boletos)
  boletos.bank.slips.clear()
})

test('a card payment cancels the invoice’s boleto, at the bank too, and nobody pays twice', async () => {
  const invoice = await newInvoice(boletos)
  const { boleto } = await issue(boletos, invoice)
  await pay(boletos, invoice)
  expect((await get(boletos, invoice)).status).toBe(InvoiceStatus.PAID)
  expect((await slipOf(boletos, boleto?.publicId ?? '')).status).toBe(BoletoStatus.CANCELLED)
  await look(boletos)
  expect(boletos.bank.only.cancelled).toBe(true)
})

test('no boleto is issued while a card is charged; once the card is declined, one is', async () => {
  const invoice = await newInvoice(boletos)
  boletos.behind.orders.hooks.outcome = staysSilent
  await pay(boletos, invoice)
  await expect(issue(boletos, invoice)).rejects.toMatchObject({ kind: 'conflict', reason: 'PAYMENT_PENDING' })
  expect(boletos.bank.slips.size).toBe(0)
  chargeOf(boletos, invoice, declines)
  await resolveLater(boletos)
  expect((await issue(boletos, invoice)).boleto?.status).toBe(BoletoStatus.REGISTERED)
})
