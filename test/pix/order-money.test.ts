import { randomUUID } from 'node:crypto'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { createTestDatabase, eventually } from '@cofre/testing/testing'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { Charge } from '@cofre/proto/orders/v1/orders'
import { receive } from '../../sandbox/src/pix/received/settle'
import { consumeCharges } from '../../services/invoices/src/cards/consume-charges'
import { newShop } from '../../services/invoices/test/support/invoices'
import {
  ANA,
  CLIENT,
  issue,
  lookAtKeys,
  newInvoice,
  PIX_KEY,
  startPix,
  tell,
  unexpected,
  type TestPix,
} from './start-pix'

const ORDER_TXID = 'ORDERABCDEFGHJKLMNPQRSTUVWXYZ23'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())

const dueKeys = async () => {
  const { rows } = await pix.pool.query('SELECT account FROM pix_accounts WHERE ask_at <= now()')
  return rows.map(({ account }) => account)
}

test('the money of an order is left to the service of orders, in the list of a key and in a notice', async () => {
  const invoice = await newInvoice(pix)
  await issue(pix, invoice)
  const receiver = { client: CLIENT, key: PIX_KEY }
  const paid = { amount: 12_345, payer: ANA, at: Date.now() }
  const ofOrder = receive(pix.bank, { ...receiver, txid: ORDER_TXID }, paid)
  const stray = receive(pix.bank, receiver, { amount: 700, payer: ANA, at: Date.now() })
  await lookAtKeys(pix)
  expect(pix.behind.orders.listed).toEqual([
    { txid: ORDER_TXID, endToEndId: ofOrder.endToEndId, returnedAmount: 0 },
  ])
  expect((await unexpected(pix, invoice)).map(({ receivedAmount }) => receivedAmount)).toEqual([stray.amount])

  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() + interval '1 day'")
  await tell(pix, [ORDER_TXID])
  expect(await dueKeys()).toEqual([])
  await tell(pix, [ORDER_TXID, 'unknown'])
  expect(await dueKeys()).toEqual([PIX_KEY])
})

test('the first order that a Pix pays has the seller’s key kept, so that its bank reports', async () => {
  const events = await createTestDatabase()
  const eventLog = await openPostgresEventLog(events.pool, pix.deps.log)
  const subscription = await consumeCharges({ ...pix.deps, eventLog })
  const { sellerId } = await newShop(pix)
  const key = randomUUID()
  pix.accounts.enabled.set(sellerId, key)
  const charge = Charge.fromPartial({ id: 900_001, sellerId, payments: [{ pix: { expiresAt: 1 } }] })
  const value = JSON.stringify(
    ChargeEvent.toJSON({ charge, sequence: 1, occurredAt: 1, notificationUrl: '' }),
  )
  const head = { id: randomUUID(), type: 'charge.pending', key: '900001', sellerId }
  await eventLog.publish('orders.v1', [{ ...head, traceparent: newTraceparent(), value }])
  await eventually(async () => expect(await dueKeys()).toContain(key))
  await subscription.stop()
  await eventLog.close()
  await events.drop()
})
