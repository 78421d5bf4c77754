import { giveBack, pay, writeOff, type Paid } from '../../src/invoice/rules/money'
import type { WholeInvoice } from '../../src/invoice/rules/invoice'
import { AT, invoiceIn } from './rule-invoices'

const REFUSED = 'INVALID_INVOICE_STATE'
const DAY_MS = 86_400_000
/** Ten days after the due day: 200 of fine and 30 of interest. */
const TEN_DAYS_LATE = AT + 9 * DAY_MS
const LATE = {
  fine: { amountInCents: 200, percentageBps: null, startsAfterDays: 1 },
  interest: { dailyAmountInCents: 3, monthlyPercentageBps: null, startsAfterDays: 1 },
}
const late = (changes: Partial<WholeInvoice> = {}) => invoiceIn('CLOSED', { ...LATE, ...changes })
const payment = (amount: number, changes: Partial<Paid> = {}): Paid => ({
  method: 'BOLETO',
  amount,
  rest: 'OWED',
  at: TEN_DAYS_LATE,
  ...changes,
})
const BY_CARD = { type: 'CREDIT_CARD', status: 'PENDING' } as unknown as WholeInvoice['transactions'][number]

test('money that went back is a movement, of the principal first, and an event', () => {
  const paid = invoiceIn('PAID', { paidAmount: 10_203, refundedAmount: 9_900 })
  const source = { transactionId: 5, chargeId: 981 }
  const gone = {
    kind: 'REFUND',
    method: 'CREDIT_CARD',
    amount: 303,
    fee: 10,
    goneAt: AT - 1,
    at: AT,
  } as const
  const left = { principal: 100, fine: 0, interest: 203 }
  expect(giveBack(paid, { ...gone, source }, left)).toMatchObject({
    invoice: { status: 'PAID', refundedAmount: 10_203, sequence: 2 },
    event: 'invoice.refunded',
    charge: undefined,
    movements: [
      { kind: 'REFUND', amount: 313, principal: 100, interest: 203, fine: 0, fee: 10, at: AT - 1, ...source },
    ],
  })
})

test('what an acquirer gives back beyond what the invoice holds is of no invoice', () => {
  const paid = invoiceIn('PAID', { paidAmount: 10_000, refundedAmount: 9_000 })
  const gone = {
    kind: 'REFUND',
    method: 'CREDIT_CARD',
    amount: 1_500,
    fee: 0,
    goneAt: AT,
    at: AT,
    source: {},
  } as const
  const { invoice, movements = [] } = giveBack(paid, gone, { principal: 1_000, fine: 0, interest: 0 })
  expect(invoice.refundedAmount).toBe(10_000)
  expect(movements.map(({ amount, invoiceId }) => [amount, invoiceId])).toEqual([
    [1_000, paid.id],
    [500, null],
  ])
})

test('money makes an invoice that awaits it PAID, and its charge too', () => {
  const paid = { method: 'CREDIT_CARD', amount: 10_000, rest: 'NOT_ASKED', at: AT } as const
  for (const status of ['CLOSED', 'UNCOLLECTIBLE'] as const) {
    const decision = pay(invoiceIn(status, { pastDueNotified: status === 'CLOSED' }), paid)
    expect(decision).toMatchObject({ event: 'invoice.paid', charge: 'PAID', method: 'CREDIT_CARD' })
    const { invoice } = decision
    expect(invoice).toMatchObject({ status: 'PAID', paidAmount: 10_000, paymentDate: AT, sequence: 2 })
    expect(invoice.pastDueNotified).toBe(false)
  }
  for (const status of ['PAID', 'CANCELLED'] as const) {
    expect(() => pay(invoiceIn(status), paid)).toThrow(expect.objectContaining({ reason: REFUSED }))
  }
})

test('principal that a payment leaves out stays owed, whatever the payer was asked for; the seller alone writes it off', () => {
  for (const rest of ['NOT_ASKED', 'LATENESS_WAIVED'] as const) {
    const { invoice, event, movements } = pay(late(), payment(9_999, { rest }))
    expect([event, invoice.status, invoice.open.principal]).toEqual(['invoice.partially_paid', 'CLOSED', 231])
    expect(movements).toMatchObject([{ principal: 9_769, fine: 200, interest: 30 }])
  }
  expect(pay(late(), payment(9_999, { rest: 'BY_SELLER' })).invoice.status).toBe('PAID')
})

test('a payment of all that is owed is one movement, with its parts and its source', () => {
  const source = { transactionId: 5, chargeId: 981, receiptId: 7, note: 'x', reference: 'y' }
  const { movements, invoice } = pay(late(), payment(10_230, { fee: 11, paidAt: TEN_DAYS_LATE - 1, source }))
  expect(movements).toEqual([
    {
      id: 0,
      kind: 'PAYMENT',
      method: 'BOLETO',
      amount: 10_241,
      principal: 10_000,
      fine: 200,
      interest: 30,
      fee: 11,
      at: TEN_DAYS_LATE - 1,
      recordedAt: TEN_DAYS_LATE,
      disputeId: null,
      card: null,
      reason: null,
      ...source,
    },
  ])
  expect(invoice).toMatchObject({ status: 'PAID', paidAmount: 10_230, writtenOffAmount: 0 })
  expect(invoice).toMatchObject({ paymentDate: TEN_DAYS_LATE - 1, updatedAt: TEN_DAYS_LATE, sequence: 2 })
})

test('a part pays interest, then the fine, then the principal; the rest is counted from that day', () => {
  const first = pay(late({ pastDueNotified: true }), payment(5_000))
  expect(first).toMatchObject({
    event: 'invoice.partially_paid',
    charge: undefined,
    movements: [{ principal: 4_770, fine: 200, interest: 30 }],
    invoice: { status: 'CLOSED', paidAmount: 5_000, sequence: 2, pastDueNotified: true },
  })
  expect(first.invoice.open).toEqual({ principal: 5_230, fine: 0, interest: 0, countedTo: '2026-12-03' })
  const second = pay(first.invoice, payment(15, { at: TEN_DAYS_LATE + 10 * DAY_MS }))
  expect(second.movements).toMatchObject([{ principal: 0, fine: 0, interest: 15 }])
  expect(second.invoice.open).toEqual({ principal: 5_230, fine: 0, interest: 15, countedTo: '2026-12-13' })
  // One that is reported late changes no day that is counted already.
  const earlier = pay(second.invoice, payment(1, { at: TEN_DAYS_LATE + 11 * DAY_MS, paidAt: TEN_DAYS_LATE }))
  expect(earlier.invoice.open).toEqual({ principal: 5_230, fine: 0, interest: 14, countedTo: '2026-12-13' })
})

test('what a payment leaves out is written off where it is not asked for, the principal being paid first', () => {
  const source = { receiptId: 7, note: 'Acordo.', transactionId: 5 }
  const { movements, invoice } = pay(late(), payment(10_050, { rest: 'LATENESS_WAIVED', source }))
  expect(movements).toMatchObject([
    { kind: 'PAYMENT', principal: 10_000, fine: 50, interest: 0 },
    {
      kind: 'WRITE_OFF',
      method: null,
      amount: 180,
      principal: 0,
      fine: 150,
      interest: 30,
      fee: 0,
      reason: 'LATENESS_WAIVED',
      receiptId: 7,
      note: 'Acordo.',
      transactionId: null,
    },
  ])
  expect(invoice).toMatchObject({ status: 'PAID', paidAmount: 10_050, writtenOffAmount: 180 })
  expect(invoice.open).toEqual({ principal: 0, fine: 0, interest: 0, countedTo: null })
})

test('the day up to which lateness is asked for may be another than the day of the money', () => {
  const asked = pay(late(), payment(10_000, { asOf: AT - DAY_MS, rest: 'NOT_ASKED' }))
  expect(asked.movements).toMatchObject([{ principal: 10_000, fine: 0, interest: 0, at: TEN_DAYS_LATE }])
  expect(asked.movements).toHaveLength(1)
})

test('money beyond what is owed counts as interest; a card that was only verified moves nothing', () => {
  expect(pay(late(), payment(10_232, { rest: 'NOT_ASKED' })).movements).toMatchObject([
    { principal: 10_000, fine: 200, interest: 32 },
  ])
  const open = { principal: 0, fine: 0, interest: 0, countedTo: null }
  const free = invoiceIn('CLOSED', { amount: 0, open })
  expect(pay(free, payment(0, { method: 'CREDIT_CARD' }))).toMatchObject({ charge: 'PAID', movements: [] })
})

test('a write-off of a part leaves the rest, and sends no event', () => {
  const decision = writeOff(late({ writtenOffAmount: 5 }), {
    amount: 100,
    note: 'Acordo.',
    at: TEN_DAYS_LATE,
  })
  expect(decision).toMatchObject({
    event: undefined,
    charge: undefined,
    movements: [
      { kind: 'WRITE_OFF', reason: 'BY_SELLER', note: 'Acordo.', interest: 30, fine: 70, principal: 0 },
    ],
    invoice: { status: 'CLOSED', writtenOffAmount: 105, sequence: 1, updatedAt: TEN_DAYS_LATE },
  })
  expect(decision.invoice.open).toEqual({
    principal: 10_000,
    fine: 130,
    interest: 0,
    countedTo: '2026-12-03',
  })
})

test.each([[undefined], [230 + 10_000]])('a write-off of all that is owed (%p) makes it PAID', (amount) => {
  const held = late({ paidAmount: 500, refundedAmount: 100, pastDueNotified: true })
  const decision = writeOff(held, { amount, note: 'Acordo.', at: TEN_DAYS_LATE })
  expect(decision).toMatchObject({
    event: 'invoice.paid',
    charge: 'PAID',
    invoice: {
      status: 'PAID',
      paymentDate: TEN_DAYS_LATE,
      pastDueNotified: false,
      writtenOffAmount: 10_230,
      sequence: 2,
      open: { principal: 0, fine: 0, interest: 0, countedTo: null },
    },
  })
  expect(decision.method).toBeUndefined()
})

test('a write-off is refused of more than is owed, of all where nobody paid, and while a card is charged', () => {
  const off = (invoice: WholeInvoice, amount?: number) => () =>
    writeOff(invoice, { amount, note: 'x', at: TEN_DAYS_LATE })
  expect(off(late(), 10_231)).toThrow(
    expect.objectContaining({
      kind: 'invalid_argument',
      reason: 'VALIDATION_FAILED',
      message: 'The amount is above what is owed.',
      extra: {
        errors: [{ pointer: '#/amountInCents', code: 'RANGE', detail: 'must be at most what is owed' }],
      },
    }),
  )
  expect(off(late({ paidAmount: 100, refundedAmount: 100 }))).toThrow(
    expect.objectContaining({
      kind: 'failed_precondition',
      reason: REFUSED,
      message: 'Nobody has paid anything of the invoice. Void it, or mark it uncollectible.',
      extra: {
        members: { currentStatus: 'CLOSED', allowedActions: ['pay', 'void', 'uncollectible', 'writeOff'] },
      },
    }),
  )
  expect(off(late({ transactions: [BY_CARD] }), 1)).toThrow(
    expect.objectContaining({ reason: 'PAYMENT_PENDING' }),
  )
  for (const status of ['OPEN', 'PAID', 'CANCELLED'] as const) {
    expect(off(invoiceIn(status), 1)).toThrow(expect.objectContaining({ reason: REFUSED }))
  }
})

test('money that went back is owed again in the parts that it had paid, unless the invoice is PAID', () => {
  const gone = { kind: 'RETURN', method: 'EXTERNAL', fee: 0, goneAt: AT, at: AT, source: {} } as const
  const open = { principal: 6_000, fine: 5, interest: 7, countedTo: '2026-12-03' } as const
  const part = late({ paidAmount: 4_230, open })
  const held = { principal: 4_000, fine: 200, interest: 30 }
  const openAfter = (amount: number) => giveBack(part, { ...gone, amount }, held).invoice.open
  expect(openAfter(1_000)).toEqual({ ...open, principal: 7_000 })
  expect(openAfter(4_100)).toEqual({ ...open, principal: 10_000, fine: 105 })
  expect(openAfter(4_230)).toEqual({ ...open, principal: 10_000, fine: 205, interest: 37 })
  const closed = { principal: 0, fine: 0, interest: 0, countedTo: null }
  const done = invoiceIn('PAID', { paidAmount: 10_000, open: closed })
  const all = { principal: 10_000, fine: 0, interest: 0 }
  expect(giveBack(done, { ...gone, amount: 1_000 }, all)).toMatchObject({
    event: 'invoice.refunded',
    charge: undefined,
    movements: [{ kind: 'RETURN', method: 'EXTERNAL', principal: 1_000, interest: 0 }],
    invoice: { status: 'PAID', open: closed },
  })
})
