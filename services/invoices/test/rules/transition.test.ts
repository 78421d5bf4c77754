import type { InvoiceCharge, InvoiceStatus, WholeInvoice } from '../../src/invoice/invoice'
import {
  act,
  beginPaying,
  finalized,
  isBeingPaid,
  pay,
  paymentPending,
  refund,
  tellPastDue,
  tellPaymentFailed,
  type Action,
} from '../../src/invoice/transition'

const AT = Date.parse('2026-11-24T15:00:00Z')
const CHARGE = { id: 3, status: 'PENDING' } as InvoiceCharge

function invoiceIn(status: InvoiceStatus, changes: Partial<WholeInvoice> = {}): WholeInvoice {
  const made = {
    status,
    lateOn: '2026-11-24',
    pastDueTold: false,
    sequence: 1,
    closeDate: null,
    updatedAt: 0,
  }
  return { ...made, transactions: [], charge: status === 'OPEN' ? null : CHARGE, ...changes } as WholeInvoice
}

const REFUSED = 'INVALID_INVOICE_STATE'

// The table of the contract.
test.each<[InvoiceStatus, Action, string]>([
  ['OPEN', 'finalize', 'CLOSED'],
  ['OPEN', 'void', 'CANCELLED'],
  ['OPEN', 'uncollectible', 'UNCOLLECTIBLE'],
  ['CLOSED', 'finalize', REFUSED],
  ['CLOSED', 'void', 'CANCELLED'],
  ['CLOSED', 'uncollectible', 'UNCOLLECTIBLE'],
  ['UNCOLLECTIBLE', 'finalize', REFUSED],
  ['UNCOLLECTIBLE', 'void', 'CANCELLED'],
  ['UNCOLLECTIBLE', 'uncollectible', 'unchanged'],
  ['PAID', 'finalize', REFUSED],
  ['PAID', 'void', REFUSED],
  ['PAID', 'uncollectible', REFUSED],
  ['CANCELLED', 'finalize', REFUSED],
  ['CANCELLED', 'void', REFUSED],
  ['CANCELLED', 'uncollectible', REFUSED],
])('%s, %s: %s', (status, action, outcome) => {
  const decide = () => act(invoiceIn(status), action, AT)
  if (outcome === REFUSED) expect(decide).toThrow(expect.objectContaining({ reason: REFUSED }))
  else expect(decide()?.invoice.status ?? 'unchanged').toBe(outcome)
})

test('finalizing closes the invoice, makes a charge, and sends an event', () => {
  const decision = act(invoiceIn('OPEN', { pastDueTold: true }), 'finalize', AT)
  expect(decision).toMatchObject({ event: 'invoice.finalized', charge: 'PENDING' })
  expect(decision?.invoice).toMatchObject({ closeDate: AT, updatedAt: AT, sequence: 2, pastDueTold: true })
})

test('voiding cancels an existing charge, and the invoice is no longer past due', () => {
  const closed = invoiceIn('CLOSED', { pastDueTold: true, closeDate: 5 })
  const decision = act(closed, 'void', AT)
  expect(decision).toMatchObject({ event: 'invoice.voided', charge: 'CANCELLED' })
  expect(decision?.invoice).toMatchObject({ pastDueTold: false, closeDate: 5 })
  expect(act(invoiceIn('OPEN'), 'void', AT)?.charge).toBeUndefined()
  expect(act(invoiceIn('UNCOLLECTIBLE'), 'void', AT)?.charge).toBe('CANCELLED')
})

test('an uncollectible invoice keeps its charge: it can still be paid', () => {
  const decision = act(invoiceIn('CLOSED'), 'uncollectible', AT)
  expect(decision).toMatchObject({ event: 'invoice.uncollectible', charge: undefined })
  expect(decision?.invoice.charge).toEqual(CHARGE)
})

test.each<[InvoiceStatus, string[]]>([
  ['CLOSED', ['pay', 'void', 'uncollectible']],
  ['UNCOLLECTIBLE', ['pay', 'void', 'uncollectible']],
  ['PAID', []],
  ['CANCELLED', []],
])('a refusal names the state %s and the allowed actions: %j', (currentStatus, allowedActions) => {
  const extra = { members: { currentStatus, allowedActions } }
  const message = `The invoice is ${currentStatus}, so it cannot be finalized: only an OPEN one can.`
  expect(() => act(invoiceIn(currentStatus), 'finalize', AT)).toThrow(
    expect.objectContaining({ kind: 'failed_precondition', message, extra }),
  )
})

test('a payment that is refused names the state in plain words', () => {
  const message = 'The invoice is CANCELLED, so it cannot be paid.'
  const cancelled = invoiceIn('CANCELLED')
  expect(() => beginPaying(cancelled, AT)).toThrow(expect.objectContaining({ message }))
  const paid = { method: 'BOLETO', amount: 9_980, at: AT } as const
  expect(() => pay(cancelled, paid)).toThrow(expect.objectContaining({ message }))
  const members = { currentStatus: 'OPEN', allowedActions: ['finalize', 'pay', 'void', 'uncollectible'] }
  expect(() => pay(invoiceIn('OPEN'), paid)).toThrow(expect.objectContaining({ extra: { members } }))
})

test('a new invoice that asks for payment at once is closed', () => {
  expect(finalized(invoiceIn('OPEN'), AT)).toMatchObject({ status: 'CLOSED', closeDate: AT, sequence: 2 })
})

test('a refunded amount is recorded, and no event is sent for it', () => {
  const paid = invoiceIn('PAID', { refundedAmount: 0 })
  expect(refund(paid, 1_000, AT)).toEqual({
    invoice: { ...paid, refundedAmount: 1_000, updatedAt: AT },
    event: undefined,
    charge: undefined,
  })
})

test('only a card with an open outcome is a payment under way', () => {
  const transactions = (type: string, status: string) =>
    ({ transactions: [{ type, status }] }) as unknown as WholeInvoice
  expect(isBeingPaid(transactions('CREDIT_CARD', 'PENDING'))).toBe(true)
  expect(isBeingPaid(transactions('CREDIT_CARD', 'DENIED'))).toBe(false)
  expect(isBeingPaid(transactions('BOLETO', 'PENDING'))).toBe(false)
  expect(paymentPending().extra).toEqual({ retryAfterSeconds: 2 })
})

test('money makes an invoice that awaits it PAID, and its charge too', () => {
  const paid = { method: 'CREDIT_CARD', amount: 9_980, at: AT } as const
  for (const status of ['CLOSED', 'UNCOLLECTIBLE'] as const) {
    const decision = pay(invoiceIn(status, { pastDueTold: status === 'CLOSED' }), paid)
    expect(decision).toMatchObject({ event: 'invoice.paid', charge: 'PAID', method: 'CREDIT_CARD' })
    const { invoice } = decision
    expect(invoice).toMatchObject({ status: 'PAID', paidAmount: 9_980, paymentDate: AT, sequence: 2 })
    expect(invoice.pastDueTold).toBe(false)
  }
  for (const status of ['PAID', 'CANCELLED'] as const) {
    expect(() => pay(invoiceIn(status), paid)).toThrow(expect.objectContaining({ reason: REFUSED }))
  }
})

test('beginning to pay a draft finalizes it; an invoice without a charge gets one, and no event is sent', () => {
  expect(beginPaying(invoiceIn('OPEN'), AT)).toMatchObject({ event: 'invoice.finalized', charge: 'PENDING' })
  expect(beginPaying(invoiceIn('CLOSED'), AT)).toBeUndefined()
  expect(beginPaying(invoiceIn('UNCOLLECTIBLE'), AT)).toBeUndefined()
  const lost = invoiceIn('UNCOLLECTIBLE', { charge: null })
  const { event, charge, invoice } = beginPaying(lost, AT) ?? {}
  expect([event, charge, invoice?.status, invoice?.sequence]).toEqual([
    undefined,
    'PENDING',
    'UNCOLLECTIBLE',
    1,
  ])
  expect(() => beginPaying(invoiceIn('PAID'), AT)).toThrow(expect.objectContaining({ reason: REFUSED }))
})

test('a failed payment attempt sends an event; the invoice stays as it is', () => {
  const decision = tellPaymentFailed(invoiceIn('CLOSED', { pastDueTold: true }), AT)
  expect(decision).toMatchObject({ event: 'invoice.payment_failed', charge: undefined })
  expect(decision.invoice).toMatchObject({ status: 'CLOSED', pastDueTold: true, sequence: 2 })
})

test('while a card is charged, the invoice is neither voided nor given up; a boleto does not prevent that', () => {
  const pending = [{ type: 'CREDIT_CARD', status: 'PENDING' }] as unknown as WholeInvoice['transactions']
  for (const action of ['void', 'uncollectible'] as const) {
    const decide = () => act(invoiceIn('CLOSED', { transactions: pending }), action, AT)
    expect(decide).toThrow(expect.objectContaining({ kind: 'conflict', reason: 'PAYMENT_PENDING' }))
  }
  const boleto = [{ type: 'BOLETO', status: 'PENDING' }] as unknown as WholeInvoice['transactions']
  expect(act(invoiceIn('CLOSED', { transactions: boleto }), 'void', AT)?.invoice.status).toBe('CANCELLED')
})

test('an invoice that is past due sends one event, and only while it is to be paid', () => {
  const told = tellPastDue(invoiceIn('CLOSED'), AT)
  expect(told).toMatchObject({ event: 'invoice.past_due', invoice: { pastDueTold: true, sequence: 2 } })
  expect(tellPastDue(told?.invoice as WholeInvoice, AT)).toBeUndefined()
  expect(tellPastDue(invoiceIn('OPEN'), AT)).toBeDefined()
  expect(tellPastDue(invoiceIn('CLOSED', { lateOn: '2026-11-25' }), AT)).toBeUndefined()
  for (const status of ['PAID', 'CANCELLED', 'UNCOLLECTIBLE'] as const) {
    expect(tellPastDue(invoiceIn(status), AT)).toBeUndefined()
  }
})
