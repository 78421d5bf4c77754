import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import { CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { printedLine } from '../../src/boletos/rules/barcode'
import { emailsOf, mailerTo, passTime, sendDue } from '../support/emails'
import { get, newShop, voidInvoice } from '../support/invoices'
import { readPdf } from '../support/pdf-text'
import { withKey } from '../support/repeated'
import { bookletFor, createBooklet, generate, shopAtBank } from '../support/start-booklets'
import { startBoletos, type TestBoletos } from '../support/start-boletos'
import { cycleInvoices } from '../support/recurring'

let boletos: TestBoletos
let server: TestMailServer
beforeAll(async () => {
  server = await startMailServer()
  boletos = await startBoletos({ mailer: mailerTo(server) })
})
beforeEach(async () => {
  await boletos.pool.query('DELETE FROM emails')
  server.mails.length = 0
})
afterAll(async () => {
  await boletos.stop()
  await server.close()
})

async function send() {
  const { pool, log, slipOf, pixOf, bookletOf, cardsOf } = boletos.deps
  const more = { baseUrl: 'https://pay.example.com', emailEveryMs: 10, emailRetryFirstMs: 30_000 }
  await sendDue({ pool, log, slipOf, pixOf, bookletOf, cardsOf, mailer: mailerTo(server), ...more })
  return server.mails.splice(0)
}

test('a booklet has one letter, which waits for its slips and carries them, also where it is repeated', async () => {
  const shop = await shopAtBank(boletos)
  const request = bookletFor(shop, { charges: 3 })
  const make = () => createBooklet(boletos, request)
  const booklet = await withKey('booklet-letter', make)
  await withKey('booklet-letter', make)
  expect(await send()).toEqual([])
  await passTime(boletos, 20_000)
  const [letter, ...others] = await send()
  expect([letter?.subject?.startsWith('Carnê: 3 faturas'), others]).toEqual([true, []])
  const [page, ...more] = letter?.attachments ?? []
  expect([page?.filename, more]).toEqual(['boletos.pdf', []])
  const { text } = readPdf(Buffer.from(page?.content as ArrayBuffer))
  for (const { boleto } of await generate(boletos, booklet))
    expect(text).toContain(printedLine(boleto?.digitableLine ?? ''))
  const [, second] = await cycleInvoices(boletos, booklet)
  const { publicId } = await get(boletos, { sellerId: shop.sellerId, id: second?.id ?? 0 })
  expect(letter?.text).toContain(`https://pay.example.com/checkout/${publicId}`)
})

test('a later invoice of a booklet that is voided has its letter: the booklet’s has asked for it', async () => {
  const booklet = await createBooklet(boletos, bookletFor(await newShop(boletos), { charges: 2 }))
  expect((await send())[0]?.attachments).toEqual([])
  const [, second] = await cycleInvoices(boletos, booklet)
  if (!second) throw new Error('the booklet has no second invoice')
  await voidInvoice(boletos, second)
  expect(await emailsOf(boletos, second)).toMatchObject([{ kind: 'VOIDED' }])
})

test('a booklet whose card is charged by itself has no letter', async () => {
  const shop = await newShop(boletos)
  await createBooklet(boletos, bookletFor(shop, { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY }))
  const keptNone = await send()
  expect(keptNone).toHaveLength(1)
  await boletos.pool.query('UPDATE customers SET kept_card_id = 41 WHERE id = $1', [shop.customerId])
  await createBooklet(boletos, bookletFor(shop, { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY }))
  expect(await send()).toEqual([])
})
