import fc from 'fast-check'
import { withdraw } from '../../src/cards/rules/withdrawal'
import type { Transaction, WholeInvoice } from '../../src/invoice/rules/invoice'
import { giveBack, partsGone } from '../../src/invoice/rules/money'
import type { Owed } from '../../src/invoice/rules/late-charges'
import { NOTHING, sumOf, type Movement } from '../../src/invoice/rules/movement'
import { AT, invoiceIn } from './rule-invoices'

const OF = { id: 7, sellerId: 9 }
const paidBy = (payable: number, fee: number, changes: Partial<WholeInvoice> = {}) => ({
  invoice: invoiceIn('PAID', { ...OF, paidAmount: payable, ...changes }),
  transaction: {
    id: 5,
    orderChargeId: 981,
    amount: payable + fee,
    payable,
    refunded: 0,
    disputed: 0,
  } as Transaction,
})
const CHANGE = { disputeId: 3, movedAt: AT - 1, at: AT }
const partsOf = ({ kind, invoiceId, principal, fine, interest, fee }: Movement) => [
  kind,
  invoiceId,
  principal,
  fine,
  interest,
  fee,
]

test('a dispute of all is one movement, the principal first and the fee in proportion; a won one is its mirror', () => {
  const { invoice, transaction } = paidBy(10_230, 297)
  const held = { principal: 10_000, fine: 200, interest: 30 }
  const taken = withdraw(invoice, transaction, { ...CHANGE, held, change: 10_527 })
  expect(taken.movements).toMatchObject([
    {
      kind: 'DISPUTE',
      method: 'CREDIT_CARD',
      amount: 10_527,
      principal: 10_000,
      fine: 200,
      interest: 30,
      fee: 297,
      at: AT - 1,
      recordedAt: AT,
      transactionId: 5,
      chargeId: 981,
      disputeId: 3,
      sellerId: 9,
    },
  ])
  expect(taken.invoice).toMatchObject({ status: 'PAID', disputedAmount: 10_230, updatedAt: AT })
  expect(taken.transaction).toMatchObject({ disputed: 10_527, updatedAt: AT })
  const won = withdraw(taken.invoice, taken.transaction, { ...CHANGE, held, change: -10_527 })
  expect(won.movements.map(partsOf)).toEqual([['DISPUTE_WON', 7, 10_000, 200, 30, 297]])
  expect([won.invoice.disputedAmount, won.transaction.disputed]).toEqual([0, 0])
})

test('what an invoice does not hold any more is of no invoice, and comes again as that', () => {
  const { invoice, transaction } = paidBy(10_000, 0, { refundedAmount: 9_000 })
  const refunded = { ...transaction, refunded: 9_000 }
  const held = { ...NOTHING, principal: 1_000 }
  const taken = withdraw(invoice, refunded, { ...CHANGE, held, change: 10_000 })
  expect(taken.movements.map(partsOf)).toEqual([
    ['DISPUTE', 7, 1_000, 0, 0, 0],
    ['DISPUTE', null, 9_000, 0, 0, 0],
  ])
  const won = withdraw(taken.invoice, taken.transaction, { ...CHANGE, held, change: -10_000 })
  expect(won.movements.map(partsOf)).toEqual([
    ['DISPUTE_WON', 7, 1_000, 0, 0, 0],
    ['DISPUTE_WON', null, 9_000, 0, 0, 0],
  ])
  expect(won.invoice.disputedAmount).toBe(0)
})

test('a card that was only verified holds nothing that could go back', () => {
  const { invoice, transaction } = paidBy(0, 0, { amount: 0 })
  const { movements } = withdraw(invoice, transaction, { ...CHANGE, held: NOTHING, change: 5 })
  expect(movements.map(partsOf)).toEqual([['DISPUTE', null, 5, 0, 0, 0]])
})

test('the principal goes first, then the fine, then the interest, and no more than is held', () => {
  const gone = (amount: number) => partsGone({ principal: 100, fine: 20, interest: 3 }, amount)
  expect(gone(100)).toEqual({ principal: 100, fine: 0, interest: 0 })
  expect(gone(110)).toEqual({ principal: 100, fine: 10, interest: 0 })
  expect(gone(200)).toEqual({ principal: 100, fine: 20, interest: 3 })
})

test('a refund takes no more than what is left of a dispute; the rest is of no invoice', () => {
  const invoice = invoiceIn('PAID', { ...OF, paidAmount: 10_000, disputedAmount: 9_500, refundedAmount: 100 })
  const money = { kind: 'REFUND', method: 'CREDIT_CARD', amount: 1_000, fee: 0, goneAt: AT, at: AT } as const
  const { movements, invoice: after } = giveBack(
    invoice,
    { ...money, source: {} },
    { ...NOTHING, principal: 400 },
  )
  expect(movements?.map(partsOf)).toEqual([
    ['REFUND', 7, 400, 0, 0, 0],
    ['REFUND', null, 600, 0, 0, 0],
  ])
  expect(after).toMatchObject({ refundedAmount: 500, disputedAmount: 9_500 })
})

test('in 1,000 random payments disputes in any order sum to the cent, and leave nothing once all are won', () => {
  const payment = fc.record({
    payable: fc.integer({ min: 1, max: 5_000_000 }),
    fee: fc.integer({ min: 0, max: 100_000 }),
    refunded: fc.integer({ min: 0, max: 100 }),
    moves: fc.array(
      fc.record({ disputeId: fc.integer({ min: 1, max: 3 }), percent: fc.integer({ min: 0, max: 120 }) }),
      { maxLength: 8 },
    ),
  })
  fc.assert(
    fc.property(payment, ({ payable, fee, refunded, moves }) => {
      const gone = Math.floor((payable * refunded) / 100)
      const fine = Math.floor(payable / 50)
      let { invoice, transaction } = paidBy(payable, fee, { amount: payable, refundedAmount: gone })
      transaction = { ...transaction, refunded: gone }
      const known = new Map<number, number>()
      const nets = new Map<number, number>()
      let ofInvoice = 0
      // What the invoice holds, and what disputes hold of that.
      const places = new Map<'disputes' | 'invoice', Owed>([
        ['invoice', partsGone({ principal: payable - fine, fine, interest: 0 }, payable - gone)],
      ])
      const add = (place: 'disputes' | 'invoice', sign: number, parts: Owed) => {
        const held = places.get(place) ?? NOTHING
        places.set(place, {
          principal: held.principal + sign * parts.principal,
          fine: held.fine + sign * parts.fine,
          interest: held.interest + sign * parts.interest,
        })
      }
      const all = [...moves, ...[1, 2, 3].map((disputeId) => ({ disputeId, percent: 0 }))]
      for (const { disputeId, percent } of all) {
        const withdrawn = Math.floor((transaction.amount * percent) / 100)
        const change = withdrawn - (known.get(disputeId) ?? 0)
        known.set(disputeId, withdrawn)
        const held = places.get(change > 0 ? 'invoice' : 'disputes') ?? NOTHING
        const after = withdraw(invoice, transaction, { ...CHANGE, disputeId, held, change })
        invoice = after.invoice
        transaction = after.transaction
        for (const movement of after.movements) {
          const sign = movement.kind === 'DISPUTE' ? 1 : -1
          nets.set(disputeId, (nets.get(disputeId) ?? 0) + sign * movement.amount)
          if (movement.invoiceId !== null) {
            ofInvoice += sign * sumOf(movement)
            add('invoice', -sign, movement)
            add('disputes', sign, movement)
          }
          expect(
            Math.min(movement.principal, movement.fine, movement.interest, movement.fee),
          ).toBeGreaterThanOrEqual(0)
        }
        expect(nets.get(disputeId) ?? 0).toBe(withdrawn)
        expect(invoice.disputedAmount).toBe(ofInvoice)
        expect(invoice.disputedAmount).toBeGreaterThanOrEqual(0)
        expect(invoice.disputedAmount + invoice.refundedAmount).toBeLessThanOrEqual(invoice.paidAmount)
      }
      expect([invoice.disputedAmount, transaction.disputed]).toEqual([0, 0])
    }),
    { numRuns: 1_000 },
  )
})
