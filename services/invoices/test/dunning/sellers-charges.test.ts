import { createHash, randomUUID } from 'node:crypto'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { AutomaticChargeStatus } from '@cofre/proto/invoices/v1/invoices'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { Charge, Payment } from '@cofre/proto/orders/v1/orders'
import { createTestDatabase, eventually } from '@cofre/testing/testing'
import { consumeCharges } from '../../src/cards/consume-charges'
import { forgetCardDeclines } from '../../src/cards/store/card-decline-store'
import { billedInvoice, chargeDue, stopCharging, type Billed } from '../support/dunning'
import { get } from '../support/invoices'
import { answerAsUsual } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, PAID } = AutomaticChargeStatus
const HOUR_MS = 3_600_000

let invoices: TestInvoices
let publish: (charge: Charge, id?: string) => Promise<void>
let stopConsuming: () => Promise<void>
beforeAll(async () => {
  invoices = await startInvoices()
  const events = await createTestDatabase()
  const eventLog = await openPostgresEventLog(events.pool, invoices.deps.log)
  const subscription = await consumeCharges({ ...invoices.deps, eventLog })
  publish = (charge, id = randomUUID()) => {
    const value = JSON.stringify(
      ChargeEvent.toJSON({ charge, sequence: 1, occurredAt: 1, notificationUrl: '' }),
    )
    const { sellerId } = charge
    const event = {
      id,
      type: 'charge.denied',
      key: String(charge.id),
      sellerId,
      traceparent: newTraceparent(),
      value,
    }
    return eventLog.publish('orders.v1', [event])
  }
  stopConsuming = async () => {
    await subscription.stop()
    await eventLog.close()
    await events.drop()
  }
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(async () => {
  await stopConsuming()
  await invoices.stop()
})

let lastCharge = 500_000
/** A charge of the seller's own in which the stored card was declined shortly before the invoice is due. */
function declined(
  billed: Billed,
  changes: Partial<Payment> = {},
  requestId: string | undefined = 'r1',
): Charge {
  const stored = [...invoices.behind.vault.cards.values()].find(({ card }) => card.id === billed.cardId)
  const token = stored?.card.token ?? ''
  const payment = Payment.fromPartial({
    amount: 100,
    credential: createHash('sha256').update(token).digest('hex'),
    decline: { code: 'DO_NOT_HONOR', acquirerCode: '05' },
    ...changes,
  } as Payment)
  lastCharge += 1
  const { sellerId } = billed.shop
  const updatedAt = billed.dueAt - HOUR_MS
  return Charge.fromPartial({ id: lastCharge, sellerId, payments: [payment], updatedAt, requestId } as Charge)
}
const saved = async ({ shop }: Billed): Promise<number> => {
  const { rows } = await invoices.pool.query('SELECT FROM card_declines WHERE seller_id = $1', [
    shop.sellerId,
  ])
  return rows.length
}
const until = (billed: Billed, count: number) =>
  eventually(async () => expect(await saved(billed)).toBe(count))
const chargeOf = async ({ invoice }: Billed) => (await get(invoices, invoice)).automaticCharge

test('seven declines of a Mastercard in the seller’s own charges keep its next charge waiting for a day', async () => {
  const billed = await billedInvoice(invoices, { card: { brand: 'MASTERCARD' } })
  for (let nth = 0; nth < 7; nth += 1) await publish(declined(billed))
  await until(billed, 7)
  await chargeDue(invoices, billed.dueAt)
  expect(await chargeOf(billed)).toMatchObject({ status: WAITING, reason: 'BRAND_LIMIT', attempts: 0 })
  await chargeDue(invoices, billed.dueAt + 48 * HOUR_MS)
  expect(await chargeOf(billed)).toMatchObject({ status: PAID })
})

test('a repeated event counts once; another card, no decline, and a charge of an invoice do not count', async () => {
  const billed = await billedInvoice(invoices, { card: { brand: 'MASTERCARD' } })
  const [charge, id] = [declined(billed), randomUUID()]
  for (const eventId of [id, id, randomUUID()]) await publish(charge, eventId)
  await publish(declined(billed, { decline: undefined }))
  await publish(declined(billed, { credential: undefined }))
  await publish({ ...declined(billed), requestId: undefined })
  for (let nth = 0; nth < 7; nth += 1) await publish(declined(billed, { credential: 'f'.repeat(64) }))
  await until(billed, 8)
  await chargeDue(invoices, billed.dueAt)
  expect(await chargeOf(billed)).toMatchObject({ status: PAID })
})

test('what no brand counts any more is forgotten', async () => {
  const billed = await billedInvoice(invoices)
  await publish(declined(billed))
  await publish({ ...declined(billed), updatedAt: Date.now() - 33 * 24 * HOUR_MS })
  await until(billed, 2)
  expect(await forgetCardDeclines(invoices.pool)).toBe(1)
  expect(await saved(billed)).toBe(1)
})
