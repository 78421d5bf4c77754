import { eventually } from '@cofre/testing/testing'
import { INVOICES, invoiceOf, newInvoice, newShop, read, readInvoice, write, type Shop } from '../shop'
import { cardEndingIn, discard, startSystem, typedCard, type System } from '../system'

const DISPUTES = '/api/v2/disputes'
const PDF = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(2_000_000, 7)])
const EIGHT_MIB = 8 * 1024 * 1024

let system: System
let shop: Shop
beforeAll(async () => {
  // The acquirer is asked every second: a call of the acquirer that is lost costs no six hours.
  system = await startSystem(undefined, {
    adapt: (name, settings) => (name === 'orders' ? { ...settings, DISPUTES_EVERY_MS: '1000' } : settings),
  })
  shop = await newShop(system)
})
afterAll(() => discard(system))

type Paid = { invoiceId: number; chargeId: number; tid: string }

/** An invoice of 99.80 that a card has paid. */
async function paidInvoice(changes: object = {}): Promise<Paid> {
  const { id: invoiceId } = await newInvoice(system, invoiceOf(shop, changes))
  const card = typedCard(cardEndingIn(1))
  const { body } = await write(system, 'POST', `${INVOICES}/${invoiceId}/credit-card/pay`, { body: { card } })
  expect(body.status).toBe('PAID')
  const [{ chargeId }] = body.transactions
  const { body: charge } = await read(system, `/api/v2/charges/${chargeId}`)
  return { invoiceId, chargeId, tid: charge.payments[0].acquirer.tid }
}

const atAcquirer = async (body: object, path = '') => {
  const answer = await system.sandbox('POST', `/acquirer/chargebacks${path}`, body)
  expect(answer).toHaveProperty('idChargeback')
  return answer
}

/** The dispute of a charge once it has a status. */
const disputeOf = (chargeId: number, status: string) =>
  eventually(async () => {
    const { body } = await read(system, `${DISPUTES}?chargeId=${chargeId}`)
    expect(body.content.map((each: { status: string }) => each.status)).toEqual([status])
    return body.content[0]
  })

function defend(id: number, { file = PDF, type = 'application/pdf', key = '' } = {}): Promise<Response> {
  const form = new FormData()
  form.append('reason', 'Entregue e assinado por Ana.')
  form.append('file', new Blob([new Uint8Array(file)], { type }), 'entrega.pdf')
  return fetch(`${system.ready.baseUrl}${DISPUTES}/${id}/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.ready.token}`, ...(key ? { 'idempotency-key': key } : {}) },
    body: form,
  })
}

const kindsOf = async (invoiceId: number) => {
  const { body } = await read(system, `${INVOICES}/${invoiceId}/movements`)
  return body.content.map(({ kind, amountInCents }: any) => [kind, amountInCents]).toReversed()
}

test('a dispute takes the money of an invoice, is defended by one answer, and won brings it back', async () => {
  const url = `${system.ready.sandboxInboxUrl}/disputes`
  const events = ['dispute.opened', 'dispute.updated', 'dispute.won', 'dispute.lost']
  await write(system, 'POST', '/api/v2/webhooks/endpoints', { body: { url, events } })
  const { invoiceId, chargeId, tid } = await paidInvoice()
  const { idChargeback } = await atAcquirer({ tid, webhook: 'lost' })
  const { id } = await disputeOf(chargeId, 'NEEDS_RESPONSE')
  await eventually(async () =>
    expect(await readInvoice(system, invoiceId)).toMatchObject({ status: 'PAID', disputedInCents: 9_980 }),
  )
  const refund = await system.api('POST', `/api/v2/charges/${chargeId}/refund`, { body: { amount: 100 } })
  expect([refund.status, refund.body.code]).toEqual([422, 'CHARGE_DISPUTED'])

  const tooLarge = await defend(id, { file: Buffer.concat([PDF, Buffer.alloc(EIGHT_MIB)]) })
  expect(tooLarge.status).toBe(413)
  expect((await defend(id, { type: 'text/html' })).status).toBe(400)
  const answers = await Promise.all([defend(id, { key: 'defence' }), defend(id), defend(id)])
  expect(answers.filter(({ status }) => status === 201 || status === 200)).toHaveLength(1)
  expect(await disputeOf(chargeId, 'UNDER_REVIEW')).toMatchObject({
    evidence: { size: PDF.length, contentType: 'application/pdf' },
  })
  const filed = await system.sandbox('GET', '/acquirer/chargebacks')
  const mine = filed.find((each: { idChargeback: string }) => each.idChargeback === idChargeback)
  expect(mine.answers).toMatchObject([{ kind: 'REFUSE', code: '102' }])

  await atAcquirer({ webhook: 'sent' }, `/${idChargeback}/win`)
  await disputeOf(chargeId, 'WON')
  await eventually(async () =>
    expect(await kindsOf(invoiceId)).toEqual([
      ['PAYMENT', 9_980],
      ['DISPUTE', 9_980],
      ['DISPUTE_WON', 9_980],
    ]),
  )
  expect(await readInvoice(system, invoiceId)).toMatchObject({ status: 'PAID', disputedInCents: 0 })
  await eventually(async () => {
    const posts: { body: string }[] = await system.sandbox('GET', '/inbox/disputes')
    const told = posts.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.status])
    expect(told).toEqual([
      ['dispute.opened', 'NEEDS_RESPONSE'],
      ['dispute.updated', 'UNDER_REVIEW'],
      ['dispute.won', 'WON'],
    ])
  })
})

test('a dispute that is accepted is lost for good, also in the entries of who had a part', async () => {
  const { body: recipient } = await write(system, 'POST', '/api/v2/recipients', {
    body: { name: 'Motoboy', document: '12345678909' },
  })
  const splits = [
    { recipientId: recipient.id, percentageBps: 1_000, liable: true, chargeProcessingFee: false },
  ]
  const { invoiceId, chargeId, tid } = await paidInvoice({ splits })
  await atAcquirer({ tid })
  const { id } = await disputeOf(chargeId, 'NEEDS_RESPONSE')
  const accepted = await write(system, 'POST', `${DISPUTES}/${id}/accept`, { body: {} })
  expect(accepted.status).toBe(201)
  await disputeOf(chargeId, 'ACCEPTED')
  const again = await write(system, 'POST', `${DISPUTES}/${id}/accept`, { body: {} })
  expect([again.status, again.body.code]).toEqual([422, 'INVALID_DISPUTE_STATE'])
  await eventually(async () => {
    const { body } = await read(system, `/api/v2/recipients/${recipient.id}/entries`)
    expect(body.content.map(({ amountInCents }: any) => amountInCents)).toEqual([-998, 998])
  })
  expect(await readInvoice(system, invoiceId)).toMatchObject({ status: 'PAID', disputedInCents: 9_980 })
})
