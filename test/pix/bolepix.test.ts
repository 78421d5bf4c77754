import { callRpc } from '@cofre/platform/grpc/client'
import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import { BoletoStatus, UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { AcceptedMethod, InvoiceStatus, PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { PixStatus, type PixCharge } from '@cofre/proto/invoices/v1/pix'
import { prepareReader, readDark, readPicture } from '../../services/invoices/test/support/barcode-reader'
import { mail, mailerTo, sendDue } from '../../services/invoices/test/support/emails'
import { create, get, invoiceFor, newShop } from '../../services/invoices/test/support/invoices'
import { readPdf } from '../../services/invoices/test/support/pdf-text'
import {
  AGREEMENT,
  issue as issueSlip,
  look as lookAtSlips,
  receive,
  slipOf,
  startSlipBank,
} from '../../services/invoices/test/support/start-boletos'
import {
  atBank,
  look,
  movementsOf,
  newInvoice,
  payAt,
  PIX_KEY,
  startPix,
  tell,
  unexpected,
} from './start-pix'

const { PIX, BOLETO } = PaymentMethod
const accepting = (...methods: PaymentMethod[]) => ({
  acceptedMethods: methods.map((method) => AcceptedMethod.fromPartial({ method })),
})
const BOTH = accepting(BOLETO, PIX)

/** Has the sweeper look at every slip. */
const DUE = `UPDATE boletos SET ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL`

/** The service, and both of its banks. */
async function startBoth(server: TestMailServer) {
  const { boletos, stop: stopSlips, ...slipBank } = await startSlipBank()
  const pix = await startPix({ boletos, mailer: mailerTo(server) })
  const stop = async () => {
    await pix.stop()
    await stopSlips()
  }
  return { ...pix, slips: pix.receipts, slipBank, stop }
}

let both: Awaited<ReturnType<typeof startBoth>>
let server: TestMailServer
beforeAll(async () => {
  server = await startMailServer()
  both = await startBoth(server)
  await prepareReader()
})
beforeEach(() => both.slipBank.bank.slips.clear())
afterEach(() => both.faults.clear())
afterAll(async () => {
  await both.stop()
  await server.close()
})

const chargesOf = async ({ sellerId, id: invoiceId }: Invoice): Promise<PixCharge[]> =>
  (await callRpc(both.charges, both.charges.listPix, { sellerId, invoiceId })).pix
const isWithdrawn = (charge: PixCharge) => atBank(both, charge).status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

async function printed(publicId: string) {
  const { pdf } = await callRpc(both.slips, both.slips.drawBoleto, { publicId })
  return readPdf(Buffer.from(pdf))
}

/** An invoice with a slip and a Pix charge, both open. */
async function issued(changes: object = BOTH) {
  const invoice = await newInvoice(both, changes)
  both.slipBank.accounts.enabled.set(invoice.sellerId, AGREEMENT)
  const { boleto } = await issueSlip(both, invoice)
  if (!boleto) throw new Error('no slip was issued')
  const [charge] = await chargesOf(invoice)
  return { invoice, boleto, charge: charge! }
}

test('a slip is issued with a Pix charge, and its paper carries the code as a picture and as text', async () => {
  const { boleto, charge } = await issued()
  expect([boleto.status, charge.status]).toEqual([BoletoStatus.REGISTERED, PixStatus.REGISTERED])
  expect(charge.amount).toBe(boleto.amount)
  const { text, dark } = await printed(boleto.publicId)
  expect(text).toMatch(/Ou pague com Pix até\s+\d\d\/\d\d\/\d{4}/)
  expect(text.replaceAll(/\s/g, '')).toContain(charge.copyAndPaste.replaceAll(/\s/g, ''))
  expect(await readDark(dark)).toBe(charge.copyAndPaste)
})

test('a letter carries the code as a picture and as text, until the charge is withdrawn', async () => {
  const { invoice, charge } = await issued()
  const send = async () => {
    await mail(both, invoice)
    const { pool, log, slipOf: slips, pixOf, bookletOf, cardsOf } = both.deps
    const more = { baseUrl: 'https://pay.example.com', emailEveryMs: 10, emailRetryFirstMs: 30_000 }
    await sendDue({ pool, log, slipOf: slips, pixOf, bookletOf, cardsOf, mailer: mailerTo(server), ...more })
    return server.mails.at(-1)!
  }
  const letter = await send()
  expect(letter.text).toContain(`Pix Copia e Cola:\n${charge.copyAndPaste}`)
  expect(letter.attachments.map(({ filename }) => filename)).toEqual(['pix.png', 'boleto.pdf'])
  const [picture, page] = letter.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))
  expect(await readPicture(new Uint8Array(picture!))).toBe(charge.copyAndPaste)
  expect(letter.html).toContain(`src="cid:${letter.attachments[0]?.contentId?.replaceAll(/[<>]/g, '')}"`)
  expect(await readDark(readPdf(page!).dark)).toBe(charge.copyAndPaste)
  payAt(both, charge)
  await tell(both, [charge.txid])
  await look(both)
  const receipt = await send()
  expect([receipt.attachments, receipt.text?.includes('Copia e Cola')]).toEqual([[], false])
})

test('a paid Pix withdraws the slip at its bank, and its paper offers no Pix any more', async () => {
  const { invoice, boleto, charge } = await issued()
  payAt(both, charge)
  await tell(both, [charge.txid])
  await look(both)
  expect((await get(both, invoice)).status).toBe(InvoiceStatus.PAID)
  expect((await slipOf(both, boleto.publicId)).status).toBe(BoletoStatus.CANCELLED)
  await lookAtSlips(both)
  expect(both.slipBank.bank.only.cancelled).toBe(true)
  expect((await printed(boleto.publicId)).dark).toEqual([])
})

test('a paid slip withdraws the Pix charge at its bank', async () => {
  const { invoice, charge } = await issued()
  receive(both.slipBank.bank.only, charge.amount)
  await both.pool.query(DUE)
  await lookAtSlips(both)
  expect((await get(both, invoice)).status).toBe(InvoiceStatus.PAID)
  expect((await chargesOf(invoice))[0]?.status).toBe(PixStatus.CANCELLED)
  await look(both)
  expect(isWithdrawn(charge)).toBe(true)
})

test('both paid at the same instant: one pays, and the money of the other waits for a person', async () => {
  for (let time = 0; time < 5; time += 1) {
    both.slipBank.bank.slips.clear()
    const { invoice, charge } = await issued()
    payAt(both, charge)
    receive(both.slipBank.bank.only, charge.amount)
    await both.pool.query(DUE)
    await tell(both, [charge.txid])
    await Promise.all([look(both), lookAtSlips(both)])
    // Whoever lost was withdrawn, and the look that follows finds its money.
    await Promise.all([look(both), lookAtSlips(both)])
    expect(await get(both, invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: charge.amount })
    expect(await movementsOf(both, invoice)).toHaveLength(1)
    expect(await unexpected(both, invoice)).toMatchObject([
      {
        reason: UnexpectedReason.ALREADY_PAID,
        unexpectedAmount: charge.amount,
      },
    ])
  }
})

test('a slip needs no Pix: the bank is away, the seller has no account, or the invoice does not accept it', async () => {
  both.faults.add({
    partner: 'PIX_BANK',
    kind: 'HTTP_500',
    times: 9,
    delayMs: 0,
    changes: true,
    queries: true,
  })
  const away = await issued()
  expect(away.boleto.status).toBe(BoletoStatus.REGISTERED)
  both.faults.clear()
  const { sellerId } = away.invoice
  both.accounts.enabled.delete(sellerId)
  const { acceptedMethods } = BOTH
  const shop = await newShop(both)
  both.slipBank.accounts.enabled.set(shop.sellerId, AGREEMENT)
  const without = await create(both, invoiceFor(shop, { acceptedMethods }))
  expect((await issueSlip(both, without)).boleto?.status).toBe(BoletoStatus.REGISTERED)
  both.accounts.enabled.set(shop.sellerId, PIX_KEY)
  const only = await create(both, invoiceFor(shop, accepting(BOLETO)))
  expect((await issueSlip(both, only)).boleto?.status).toBe(BoletoStatus.REGISTERED)
  expect([await chargesOf(without), await chargesOf(only)]).toEqual([[], []])
  // Asked again, the slip is the same one, and now it has a charge beside it.
  await issueSlip(both, without)
  expect(await chargesOf(without)).toMatchObject([{ status: PixStatus.REGISTERED }])
})
