import { randomUUID } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { statementsIn } from '@cofre/testing/statements'
import { createTestDatabase, eventually } from '@cofre/testing/testing'
import {
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { consumeCharges } from '../../src/cards/consume-charges'
import { create, get, invoiceFor, newShop, uncollectible, voidInvoice, type Shop } from '../support/invoices'
import {
  answerAsUsual,
  arriveLate,
  captures,
  chargeOf,
  declines,
  eventsSent,
  holds,
  pay,
  payAgain,
  receiptsOf,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, PAID, CANCELLED } = InvoiceStatus
const { PENDING, SUCCEEDED, FAILED } = InvoiceTransactionStatus

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
let publishAll: (events: readonly LogEvent[]) => Promise<void>
let publish: (type: string, charge: Charge, id?: string) => Promise<void>
let stopConsuming: () => Promise<void>
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
  const events = await createTestDatabase()
  const eventLog = await openPostgresEventLog(events.pool, invoices.deps.log)
  const subscription = await consumeCharges({ ...invoices.deps, eventLog })
  publishAll = (told) => eventLog.publish('orders.v1', told)
  publish = (type, charge, id = randomUUID()) => publishAll([chargeEvent(type, charge, id)])
  stopConsuming = async () => {
    await subscription.stop()
    await eventLog.close()
    await events.drop()
  }
})
beforeEach(async () => {
  answerAsUsual(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(async () => {
  await stopConsuming()
  await invoices.stop()
})

function chargeEvent(type: string, charge: Charge, id: string): LogEvent {
  const event = ChargeEvent.toJSON({ charge, sequence: 1, occurredAt: 1, notificationUrl: '' })
  const [traceparent, value] = [newTraceparent(), JSON.stringify(event)]
  return { id, type, key: String(charge.id), sellerId: charge.sellerId, traceparent, value }
}

const statuses = async () => {
  const { status, charge } = await get(invoices, invoice)
  return [status, ...(charge?.transactions ?? []).map((each) => each.status)]
}
const becomes = (...expected: unknown[]) => eventually(async () => expect(await statuses()).toEqual(expected))

const refunded = (amount: number) => (charge: Charge) => ({
  ...captures(charge),
  status: ChargeStatus.PARTIALLY_REFUNDED,
  refundedAmount: amount,
})

describe('an acquirer that has not answered', () => {
  beforeEach(async () => {
    invoices.behind.orders.hooks.outcome = staysSilent
    const charge = await pay(invoices, invoice)
    expect(charge).toMatchObject({ status: InvoiceChargeStatus.PENDING, transactions: [{ status: PENDING }] })
    expect(charge.transactions[0]?.chargeId).toBe(chargeOf(invoices, invoice).id)
  })

  test('leaves the invoice as it was; the event of its charge pays it', async () => {
    expect(await statuses()).toEqual([CLOSED, PENDING])
    const event = randomUUID()
    const charge = chargeOf(invoices, invoice, captures)
    await publish('charge.captured', charge, event)
    await publish('charge.captured', charge, event)
    await becomes(PAID, SUCCEEDED)
    expect((await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
    expect(await receiptsOf(invoices, invoice)).toBe(1)
  })

  test.each([
    ['one statement finds out whose charges they are', [], 1],
    ['one that cannot be read holds up none of the others', [{ value: '{' }], 3],
  ])('of events that wait together, %s', async (_, faulty, looks) => {
    const charge = chargeOf(invoices, invoice, captures)
    const told = (id: number) => chargeEvent('charge.captured', { ...charge, id }, randomUUID())
    const unreadable = faulty.map((fault) => ({ ...told(charge.id), ...fault }))
    const statements = await statementsIn(async () => {
      await publishAll([told(charge.id + 900_001), ...unreadable, told(charge.id), told(charge.id + 900_002)])
      await becomes(PAID, SUCCEEDED)
    }, 'AS told (seller_id, charge_id)')
    expect(statements.length).toBeLessThanOrEqual(looks)
    expect(await receiptsOf(invoices, invoice)).toBe(1)
  })

  test('stays so for a forged event: only the orders service says that a charge was captured', async () => {
    const asked = chargeOf(invoices, invoice)
    await publish('charge.captured', captures(asked))
    // Events of one charge are taken in order: once the second has its effect, the first was taken.
    await publish('charge.denied', chargeOf(invoices, invoice, declines))
    await becomes(CLOSED, FAILED)
    expect(await eventsSent(invoices, invoice)).not.toContain('invoice.paid')
    expect(await receiptsOf(invoices, invoice)).toBe(0)
  })

  test('is asked by the sweeper when no event comes; a decline sends an event', async () => {
    await resolveLater(invoices)
    expect(await statuses()).toEqual([CLOSED, PENDING])
    chargeOf(invoices, invoice, declines)
    await resolveLater(invoices)
    expect(await statuses()).toEqual([CLOSED, FAILED])
    const { charge } = await get(invoices, invoice)
    const [{ decline, failure } = {}] = charge?.transactions ?? []
    expect([decline?.code, failure]).toEqual(['INSUFFICIENT_FUNDS', undefined])
    expect((await eventsSent(invoices, invoice)).at(-1)).toBe('invoice.payment_failed')
  })

  test('fails the payment once an event reports its charge as failed', async () => {
    await publish(
      'charge.failed',
      chargeOf(invoices, invoice, (charge) => ({ ...charge, status: ChargeStatus.FAILED })),
    )
    await becomes(CLOSED, FAILED)
    expect(await failure()).toBe('CHARGE_FAILED')
    expect((await eventsSent(invoices, invoice)).at(-1)).toBe('invoice.payment_failed')
  })

  test('keeps the invoice from taking another payment, being voided or being given up', async () => {
    const pending = { kind: 'conflict', reason: 'PAYMENT_PENDING' }
    for (const ask of [pay, voidInvoice, uncollectible]) {
      await expect(ask(invoices, invoice)).rejects.toMatchObject(pending)
    }
    chargeOf(invoices, invoice, declines)
    await resolveLater(invoices)
    expect((await voidInvoice(invoices, invoice)).status).toBe(CANCELLED)
  })
})

describe('a charge that the acquirer holds, and does not fully capture', () => {
  const ends = (status: ChargeStatus) =>
    chargeOf(invoices, invoice, (charge) => ({
      ...charge,
      status,
      refundedAmount: charge.capturedAmount,
      transactions: [],
    }))

  test.each<[string, (charge: Charge) => Charge, ChargeStatus]>([
    ['nothing', holds, ChargeStatus.VOIDED],
    [
      'a part',
      (charge) => ({ ...charge, status: ChargeStatus.PARTIALLY_CAPTURED, capturedAmount: 100 }),
      ChargeStatus.REFUNDED,
    ],
  ])('captured %s: it is given back, and the invoice may be paid again', async (_what, outcome, end) => {
    invoices.behind.orders.hooks.outcome = outcome
    await pay(invoices, invoice)
    expect(await statuses()).toEqual([CLOSED, PENDING])
    await resolveLater(invoices)
    const { transactions } = chargeOf(invoices, invoice)
    expect(transactions.filter(({ type }) => type.endsWith('REFUND'))).toHaveLength(1)
    ends(end)
    await resolveLater(invoices)
    expect(await statuses()).toEqual([CLOSED, FAILED])
    expect(await failure()).toBe('GIVEN_BACK')
    expect((await eventsSent(invoices, invoice)).at(-1)).toBe('invoice.payment_failed')
    invoices.behind.orders.hooks.outcome = (charge) => charge
    await pay(invoices, invoice)
    expect((await get(invoices, invoice)).status).toBe(PAID)
  })

  test('whose event comes late is not given back', async () => {
    invoices.behind.orders.hooks.outcome = staysSilent
    await pay(invoices, invoice)
    const charge = chargeOf(invoices, invoice, captures)
    await publish('charge.authorized', holds(charge))
    await publish('charge.captured', charge)
    await becomes(PAID, SUCCEEDED)
  })
})

describe('an answer that was lost', () => {
  test('is asked for by our key: the charge is found, and nothing is charged twice', async () => {
    invoices.behind.orders.hooks.after = async () => {
      throw new Error('lost')
    }
    const first = await withKey('lost', () => payAgain(invoices, invoice))
    expect(first.response.transactions).toMatchObject([{ status: PENDING, chargeId: 0 }])
    await resolveLater(invoices)
    expect(await statuses()).toEqual([PAID, SUCCEEDED])
    expect(chargeOf(invoices, invoice).amount).toBe(9_980)
    // The key has kept the first answer.
    expect(await withKey('lost', () => payAgain(invoices, invoice))).toEqual({ ...first, replayed: true })
  })

  test('is waited for while orders still work on it, and no other card is charged meanwhile', async () => {
    invoices.behind.orders.hooks.before = async () => {
      throw new DomainError('conflict', 'IDEMPOTENCY_KEY_IN_USE', 'Still running.')
    }
    await pay(invoices, invoice)
    expect(await statuses()).toEqual([CLOSED, PENDING])
    await expect(pay(invoices, invoice)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' })
    await arriveLate(invoices, invoice)
    await resolveLater(invoices)
    expect(await statuses()).toEqual([PAID, SUCCEEDED])
    expect(chargeOf(invoices, invoice).amount).toBe(9_980)
  })

  test('is FAILED once a request that never arrived can no longer arrive', async () => {
    invoices.behind.orders.hooks.before = async () => {
      throw new Error('nothing was done')
    }
    await pay(invoices, invoice)
    await resolveLater(invoices, 20_000)
    expect(await statuses()).toEqual([CLOSED, PENDING])
    await resolveLater(invoices)
    expect(await statuses()).toEqual([CLOSED, FAILED])
    expect(await failure()).toBe('NOT_SENT')
    expect((await eventsSent(invoices, invoice)).at(-1)).toBe('invoice.payment_failed')
    await resolveLater(invoices, TEN_MINUTES_MS)
    expect(await statuses()).toEqual([CLOSED, FAILED])
  })

  test('of a request that still arrived has its money taken ten minutes later, or given back', async () => {
    for (const isVoided of [false, true]) {
      invoice = await create(invoices, invoiceFor(shop))
      await comeTooLate()
      if (isVoided) await voidInvoice(invoices, invoice)
      await resolveLater(invoices, TEN_MINUTES_MS)
      expect(await statuses()).toEqual(isVoided ? [CANCELLED, PENDING] : [PAID, SUCCEEDED])
      expect(await failure()).toBe(undefined)
      const refunds = chargeOf(invoices, invoice).transactions.filter(({ type }) => type.endsWith('REFUND'))
      expect(refunds).toHaveLength(isVoided ? 1 : 0)
    }
  })
})

const TEN_MINUTES_MS = 600_000

/** Why the only payment attempt failed. */
const failure = async () => (await get(invoices, invoice)).charge?.transactions[0]?.failure?.code

/** Makes a payment that the orders service takes after it was given up. */
async function comeTooLate(): Promise<void> {
  invoices.behind.orders.hooks.before = async () => {
    throw new Error('nothing was done')
  }
  await pay(invoices, invoice)
  await resolveLater(invoices)
  expect(await statuses()).toEqual([CLOSED, FAILED])
  await arriveLate(invoices, invoice)
}

describe('refunds', () => {
  test('show on the invoice, and only grow; each is an event of the invoice', async () => {
    await pay(invoices, invoice)
    const told = await eventsSent(invoices, invoice)
    const charge = chargeOf(invoices, invoice)
    // A forged one: the orders service knows of no refund yet.
    await publish('charge.refunded', refunded(9_980)(charge))
    await publish('charge.refunded', chargeOf(invoices, invoice, refunded(2_500)))
    await eventually(async () => expect((await get(invoices, invoice)).refundedAmount).toBe(2_500))
    await publish('charge.refunded', refunded(1_000)(charge))
    await publish('charge.refunded', chargeOf(invoices, invoice, refunded(9_980)))
    await eventually(async () => expect((await get(invoices, invoice)).refundedAmount).toBe(9_980))
    expect(await get(invoices, invoice)).toMatchObject({ status: PAID, paidAmount: 9_980 })
    expect(await eventsSent(invoices, invoice)).toEqual([...told, 'invoice.refunded', 'invoice.refunded'])
  })

  test('whose event came before the charge was known here are seen a minute later', async () => {
    await pay(invoices, invoice)
    chargeOf(invoices, invoice, refunded(100))
    await resolveLater(invoices)
    expect((await get(invoices, invoice)).refundedAmount).toBe(100)
  })
})
