import type { InvoiceStatus, WholeInvoice } from '../../src/invoice/rules/invoice'
import { pay } from '../../src/invoice/rules/money'
import {
  act,
  beginPaying,
  finalizing,
  holdPastDue,
  isBeingPaid,
  payNothing,
  paymentPending,
  tellHeldPastDue,
  tellPastDue,
  tellPaymentFailed,
  tellRefundFailed,
  type Action,
} from '../../src/invoice/rules/transition'
import { AT, CHARGE, invoiceIn } from './rule-invoices'

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
  const decision = act(invoiceIn('OPEN', { pastDueNotified: true }), 'finalize', AT)
  expect(decision).toMatchObject({ event: 'invoice.finalized', charge: 'PENDING' })
  // The draft was due the day before. As of its issue it is late tomorrow, and the seller will be notified again.
  expect(decision?.invoice).toMatchObject({
    closeDate: AT,
    updatedAt: AT,
    sequence: 2,
    lateFrom: '2026-11-24',
    lateOn: '2026-11-25',
    pastDueNotified: false,
  })
})

test('voiding cancels an existing charge, and the invoice is no longer past due', () => {
  const closed = invoiceIn('CLOSED', { pastDueNotified: true, closeDate: 5 })
  const decision = act(closed, 'void', AT)
  expect(decision).toMatchObject({ event: 'invoice.voided', charge: 'CANCELLED' })
  expect(decision?.invoice).toMatchObject({ pastDueNotified: false, closeDate: 5 })
  expect(act(invoiceIn('OPEN'), 'void', AT)?.charge).toBeUndefined()
  expect(act(invoiceIn('UNCOLLECTIBLE'), 'void', AT)?.charge).toBe('CANCELLED')
})

test('an uncollectible invoice keeps its charge: it can still be paid', () => {
  const decision = act(invoiceIn('CLOSED'), 'uncollectible', AT)
  expect(decision).toMatchObject({ event: 'invoice.uncollectible', charge: undefined })
  expect(decision?.invoice.charge).toEqual(CHARGE)
})

test.each<[InvoiceStatus, string[]]>([
  ['CLOSED', ['pay', 'void', 'uncollectible', 'writeOff']],
  ['UNCOLLECTIBLE', ['pay', 'void', 'uncollectible', 'writeOff']],
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
  const paid = { method: 'BOLETO', amount: 9_980, rest: 'NOT_ASKED', at: AT } as const
  expect(() => pay(cancelled, paid)).toThrow(expect.objectContaining({ message }))
  const members = {
    currentStatus: 'OPEN',
    allowedActions: ['replace', 'finalize', 'pay', 'void', 'uncollectible'],
  }
  expect(() => pay(invoiceIn('OPEN'), paid)).toThrow(expect.objectContaining({ extra: { members } }))
})

test('a new invoice that asks for payment at once is closed', () => {
  const [closed, ...more] = finalizing(invoiceIn('OPEN'), AT)
  expect(closed.invoice).toMatchObject({ status: 'CLOSED', closeDate: AT, sequence: 2 })
  expect(more).toEqual([])
})

test('a new invoice over nothing is paid at once, by no method', () => {
  const open = { principal: 0, fine: 0, interest: 0, countedTo: null }
  const steps = finalizing(invoiceIn('OPEN', { amount: 0, open }), AT)
  expect(steps.map(({ event, charge }) => [event, charge])).toEqual([
    ['invoice.finalized', 'PENDING'],
    ['invoice.paid', 'PAID'],
  ])
  const { invoice, method, movements } = steps[1] ?? {}
  expect(invoice).toMatchObject({ status: 'PAID', paymentDate: AT, sequence: 3, paidAmount: 0 })
  expect([method, movements]).toEqual([undefined, undefined])
})

test('an invoice that holds money is not voided, and the refusal says what to do first', () => {
  const part = invoiceIn('CLOSED', { paidAmount: 5_000, refundedAmount: 4_999 })
  const members = { currentStatus: 'CLOSED', allowedActions: ['pay', 'uncollectible', 'writeOff'] }
  const message = 'The invoice is paid in part. Give the money back, or write off the rest.'
  expect(() => act(part, 'void', AT)).toThrow(
    expect.objectContaining({ kind: 'failed_precondition', reason: REFUSED, message, extra: { members } }),
  )
  expect(act(part, 'uncollectible', AT)?.invoice.status).toBe('UNCOLLECTIBLE')
  expect(act({ ...part, refundedAmount: 5_000 }, 'void', AT).invoice.status).toBe('CANCELLED')
  const draft = invoiceIn('OPEN', { paidAmount: 5_000 })
  expect(act(draft, 'finalize', AT).invoice.status).toBe('CLOSED')
})

test('a seller who was notified that a draft is late is notified again only when it is late again', () => {
  const notified = { pastDueNotified: true }
  const issued = (changes: object) =>
    act(invoiceIn('OPEN', { ...notified, ...changes }), 'finalize', AT).invoice
  // Nobody is late with what was asked for today.
  expect(issued({}).pastDueNotified).toBe(false)
  const later = act(invoiceIn('CLOSED', notified), 'uncollectible', AT)?.invoice
  expect(later?.pastDueNotified).toBe(false)
})

test('only an invoice that asks for nothing is paid by nothing, once it is finalized', () => {
  expect(payNothing(invoiceIn('CLOSED'), AT)).toBeUndefined()
  expect(payNothing(invoiceIn('OPEN', { amount: 0 }), AT)).toBeUndefined()
  expect(payNothing(invoiceIn('CANCELLED', { amount: 0 }), AT)).toBeUndefined()
  expect(payNothing(invoiceIn('CLOSED', { amount: 0 }), AT)).toMatchObject({ event: 'invoice.paid' })
})

test('a refund that the acquirer refused sends an event; the invoice stays as it is', () => {
  const decision = tellRefundFailed(invoiceIn('PAID'), AT)
  expect(decision).toMatchObject({ event: 'invoice.refund_failed', charge: undefined })
  expect(decision.invoice).toMatchObject({ status: 'PAID', sequence: 2, updatedAt: AT })
})

test('only a card with an open outcome is a payment under way', () => {
  const transactions = (type: string, status: string) =>
    ({ transactions: [{ type, status }] }) as unknown as WholeInvoice
  expect(isBeingPaid(transactions('CREDIT_CARD', 'PENDING'))).toBe(true)
  expect(isBeingPaid(transactions('CREDIT_CARD', 'DENIED'))).toBe(false)
  expect(isBeingPaid(transactions('BOLETO', 'PENDING'))).toBe(false)
  expect(paymentPending().extra).toEqual({ retryAfterSeconds: 2 })
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
  expect(invoice?.closeDate).toBe(AT)
  const closed = invoiceIn('UNCOLLECTIBLE', { charge: null, closeDate: 5 })
  expect(beginPaying(closed, AT)?.invoice.closeDate).toBe(5)
  expect(() => beginPaying(invoiceIn('PAID'), AT)).toThrow(expect.objectContaining({ reason: REFUSED }))
})

test('a failed payment attempt sends an event; the invoice stays as it is', () => {
  const decision = tellPaymentFailed(invoiceIn('CLOSED', { pastDueNotified: true }), AT)
  expect(decision).toMatchObject({ event: 'invoice.payment_failed', charge: undefined })
  expect(decision.invoice).toMatchObject({ status: 'CLOSED', pastDueNotified: true, sequence: 2 })
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
  expect(told).toMatchObject({ event: 'invoice.past_due', invoice: { pastDueNotified: true, sequence: 2 } })
  expect(tellPastDue(told?.invoice as WholeInvoice, AT)).toBeUndefined()
  expect(tellPastDue(invoiceIn('OPEN'), AT)).toBeDefined()
  expect(tellPastDue(invoiceIn('CLOSED', { lateOn: '2026-11-25' }), AT)).toBeUndefined()
  for (const status of ['PAID', 'CANCELLED', 'UNCOLLECTIBLE'] as const) {
    expect(tellPastDue(invoiceIn(status), AT)).toBeUndefined()
  }
})

test('a notice of a late invoice that is held is sent later, and only while the invoice is past due', () => {
  const held = holdPastDue(invoiceIn('CLOSED'), AT)
  expect(held).toMatchObject({ event: undefined, invoice: { pastDueNotified: true, sequence: 1 } })
  const marked = held?.invoice as WholeInvoice
  expect(holdPastDue(marked, AT)).toBeUndefined()
  expect(tellPastDue(marked, AT)).toBeUndefined()
  expect(holdPastDue(invoiceIn('PAID'), AT)).toBeUndefined()
  expect(tellHeldPastDue(marked, AT)).toMatchObject({
    event: 'invoice.past_due',
    invoice: { pastDueNotified: true, sequence: 2 },
  })
  expect(tellHeldPastDue({ ...marked, status: 'PAID' }, AT)).toBeUndefined()
  expect(tellHeldPastDue({ ...marked, pastDueNotified: false }, AT)).toBeUndefined()
})
