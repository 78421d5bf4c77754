import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { UserLettersClient, type DisputeNotice } from '@cofre/proto/invoices/v1/user_letters'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { eventually } from '@cofre/testing/testing'
import { startSendingUserLetters } from '../../src/letters/send-user-letters'
import { oldestUserLetterAge } from '../../src/letters/users/user-letter-store'
import { startMailing, type MailingInvoices } from '../support/emails'
import { create, invoiceFor, newShop } from '../support/invoices'
import { answerAsUsual, chargeOf, pay } from '../support/payments'
import { newSeller } from '../support/start-invoices'
import { newDisputeId, startDisputes, type Told } from './start-disputes'

let invoices: MailingInvoices
let on: Awaited<ReturnType<typeof startDisputes>>
let client: UserLettersClient
const sweepers: Loop[] = []
beforeAll(async () => {
  invoices = await startMailing()
  on = await startDisputes(invoices)
  client = await invoices.network.clientOf(UserLettersClient, invoices.address, 'gateway')
})
beforeEach(() => {
  answerAsUsual(invoices)
  invoices.server.mails.length = 0
})
afterEach(async () => {
  await Promise.all(sweepers.splice(0).map((each) => each.stop()))
})
afterAll(async () => {
  await on.stop()
  await invoices.stop()
})

const FACTS = {
  respondBy: '2027-03-05',
  brand: 'VISA',
  lastFour: '1111',
  reason: { code: '10.4', brand: 'VISA', text: 'Fraude\ncom cartão ausente' },
}
const elsewhere = (): Charge => ({ id: 981, sellerId: newSeller(), amount: 12_345 }) as Charge

/** The notices of a seller, once there are so many. */
async function noticesOf(sellerId: number, count: number): Promise<DisputeNotice[]> {
  const found: DisputeNotice[] = []
  await eventually(async () => {
    const { notices } = await callRpc(client, client.takeDisputeNotices, {})
    found.push(...notices.filter((each) => each.sellerId === sellerId))
    expect(found).toHaveLength(count)
  })
  return found
}
const tell = (
  { id: noticeId, sellerId }: DisputeNotice,
  recipients: string[],
  isLast = false,
  language = 'pt-BR',
) => callRpc(client, client.tellOfDispute, { sellerId, noticeId, recipients, language, isLast })
async function sent(count: number) {
  sweepers.push(startSendingUserLetters(invoices.emailDeps))
  await eventually(() => expect(invoices.server.mails).toHaveLength(count))
  return invoices.server.mails
}

test('a dispute of an invoice’s charge: how much, whose, until when, and what to do, in Portuguese', async () => {
  const shop = await newShop(invoices)
  const invoice = await create(invoices, invoiceFor(shop))
  await pay(invoices, invoice)
  const charge = chargeOf(invoices, invoice)
  const id = newDisputeId()
  await on.tell(charge, { id, ...FACTS })
  const [notice] = await noticesOf(shop.sellerId, 1)
  if (notice) await tell(notice, ['ana@example.com'], true)
  const [mail] = await sent(1)
  expect(mail?.subject).toBe('Cobrança de R$ 99,80 contestada no cartão')
  for (const part of [
    'o valor foi descontado dos seus recebimentos',
    'Valor contestado: R$ 99,80',
    `Cliente: ${invoice.customer?.name}`,
    `Fatura: ${invoice.invoiceNumber}`,
    'Cartão: VISA •••• 1111',
    'Motivo: 10.4 · Fraude com cartão ausente',
    'Responder até: 05/03/2027',
    'envie até 05/03/2027 um arquivo com as provas',
    `/api/v2/disputes/${id}`,
    `https://pay.example.com/portal/disputes/${id}`,
  ])
    expect(mail?.text).toContain(part)
  expect(mail?.html).toContain('<html lang="pt-BR">')
})

test('a dispute of any other charge, in English; three business days before its last day once more', async () => {
  const charge = elsewhere()
  const id = newDisputeId()
  await on.tell(charge, { id, ...FACTS, orderReference: 'A-17' })
  await on.tell(charge, { id, ...FACTS, sequence: 2, type: 'dispute.updated' })
  await on.tell(charge, { id, ...FACTS, sequence: 3, type: 'dispute.response_due' })
  for (const notice of await noticesOf(charge.sellerId, 2))
    await tell(notice, ['rui@example.com'], true, 'en')
  const mails = await sent(2)
  const textOf = (subject: string) => mails.find((each) => each.subject === subject)?.text
  expect(textOf('A card charge of R$ 123.45 was disputed')).toContain('Order: A-17')
  expect(textOf(`Respond to dispute ${id} by 5 March 2027`)).toContain(
    'Nobody has answered this dispute yet.',
  )
})

test('a request for information, of no charge of ours and without a last day, says so', async () => {
  const charge = elsewhere()
  const inquiry: Told = { id: newDisputeId(), chargeId: undefined, withdrawnAmount: 0 }
  await on.tell(charge, inquiry)
  await on.tell(charge, { ...inquiry, id: newDisputeId(), status: DisputeStatus.UNDER_REVIEW })
  for (const notice of await noticesOf(charge.sellerId, 2)) await tell(notice, ['eva@example.com'], true)
  const texts = (await sent(2)).map(({ text = '' }) => text)
  expect(texts.every((text) => text.includes('Nenhum valor foi descontado.'))).toBe(true)
  expect(texts.filter((text) => text.includes('envie o quanto antes um arquivo'))).toHaveLength(1)
  expect(texts.filter((text) => text.includes('não é preciso responder'))).toHaveLength(1)
  for (const text of texts) expect(text).toMatch(/https:\/\/pay\.example\.com\/portal\/disputes\/\d+\n/)
})

test('each user gets one e-mail of a notice, whatever is repeated; two callers do not have it at once', async () => {
  const charge = elsewhere()
  const eventId = randomUUID()
  const told = { id: newDisputeId(), ...FACTS, eventId }
  await on.tell(charge, told)
  await on.tell(charge, told)
  const [notice] = await noticesOf(charge.sellerId, 1)
  if (!notice) throw new Error('no notice')
  expect(await oldestUserLetterAge(invoices.pool)).toBeGreaterThan(0)
  const { notices } = await callRpc(client, client.takeDisputeNotices, {})
  expect(notices.filter(({ id }) => id === notice.id)).toEqual([])
  await Promise.all([tell(notice, ['ana@example.com', 'ana@example.com']), tell(notice, ['ana@example.com'])])
  await tell({ ...notice, sellerId: newSeller() }, ['thief@example.com'], true)
  await tell(notice, [], true)
  await tell(notice, ['late@example.com'])
  const mails = await sent(1)
  expect(mails.map(({ recipients }) => recipients.join())).toEqual(['ana@example.com'])
  const many = Array.from({ length: 501 }, (_none, nth) => `u${nth}@example.com`)
  await expect(tell(notice, many)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
