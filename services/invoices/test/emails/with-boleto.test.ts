import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import { printedLine } from '../../src/boletos/rules/barcode'
import { voidInvoice } from '../support/invoices'
import { mail, mailerTo, sendDue } from '../support/emails'
import { readPdf } from '../support/pdf-text'
import { issue, newInvoice, startBoletos, type TestBoletos } from '../support/start-boletos'

let boletos: TestBoletos
let server: TestMailServer
beforeAll(async () => {
  server = await startMailServer()
  boletos = await startBoletos({ mailer: mailerTo(server) })
})
beforeEach(() => void (server.mails.length = 0))
afterAll(async () => {
  await boletos.stop()
  await server.close()
})

const send = async () => {
  const { pool, log, slipOf, pixOf, bookletOf, cardsOf } = boletos.deps
  const more = { baseUrl: 'https://pay.example.com', emailEveryMs: 10, emailRetryFirstMs: 30_000 }
  expect(
    await sendDue({ pool, log, slipOf, pixOf, bookletOf, cardsOf, mailer: mailerTo(server), ...more }),
  ).toBe(1)
  return server.mails.at(-1)
}

test('a letter carries the digitable line and the page of the open boleto', async () => {
  const invoice = await newInvoice(boletos)
  await mail(boletos, invoice)
  const before = await send()
  expect([before?.attachments, before?.text?.includes('boleto')]).toEqual([[], false])
  const line = printedLine((await issue(boletos, invoice)).boleto?.digitableLine ?? '')
  await mail(boletos, invoice)
  const arrived = await send()
  expect(arrived?.text).toContain(`Linha digitável do boleto: ${line}`)
  const [page, ...others] = arrived?.attachments ?? []
  expect([page?.filename, page?.mimeType, others]).toEqual(['boleto.pdf', 'application/pdf', []])
  const { text } = readPdf(Buffer.from(page?.content as ArrayBuffer))
  expect(text).toContain(line)
})

test('no letter carries a boleto that was withdrawn', async () => {
  const invoice = await newInvoice(boletos)
  await issue(boletos, invoice)
  expect(await boletos.deps.slipOf(invoice.id)).toBeDefined()
  await voidInvoice(boletos, invoice)
  expect(await boletos.deps.slipOf(invoice.id)).toBeUndefined()
})
