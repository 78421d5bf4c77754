import fc from 'fast-check'
import type { Split } from '../../src/invoice/rules/invoice'
import type { Movement } from '../../src/invoice/rules/movement'
import { sharesOf } from '../../src/invoice/rules/shares'

const of = (recipientId: number, changes: Partial<Split>): Split => ({
  recipientId,
  amountInCents: null,
  percentageBps: null,
  liable: false,
  chargeProcessingFee: false,
  ...changes,
})
const TIMES = { at: 5, recordedAt: 6 }
const moved = (id: number, kind: Movement['kind'], parts: Partial<Movement>) =>
  ({ id, kind, principal: 0, fine: 0, interest: 0, fee: 0, ...TIMES, ...parts }) as Movement
const SPLITS = [of(12, { amountInCents: 1_500 }), of(13, { percentageBps: 1_000 })]

test('an amount is of the items, a percentage of all that was paid; the fee is nobody’s', () => {
  const payment = moved(1, 'PAYMENT', { principal: 10_000, fine: 200, interest: 30, fee: 99 })
  expect(sharesOf(10_000, SPLITS, [payment])).toEqual([
    { recipientId: 12, movementId: 1, amount: 1_500, ...TIMES },
    { recipientId: 13, movementId: 1, amount: 1_023, ...TIMES },
  ])
})

test('a part gives a part, and the last part the rest to the cent', () => {
  const parts = [moved(1, 'PAYMENT', { principal: 3_333 }), moved(2, 'PAYMENT', { principal: 6_667 })]
  expect(sharesOf(10_000, SPLITS, parts).map(({ amount }) => amount)).toEqual([499, 333, 1_001, 667])
})

test('a refund and a return take back what the payment gave; a write-off moves nothing', () => {
  const movements = [
    moved(1, 'PAYMENT', { principal: 9_000 }),
    moved(2, 'WRITE_OFF', { principal: 1_000 }),
    moved(3, 'REFUND', { principal: 4_500 }),
    moved(4, 'RETURN', { principal: 4_500 }),
  ]
  expect(sharesOf(10_000, SPLITS, movements).map(({ movementId, amount }) => [movementId, amount])).toEqual([
    [1, 1_350],
    [1, 900],
    [3, -675],
    [3, -450],
    [4, -675],
    [4, -450],
  ])
})

test('a dispute takes back what the payment gave, and a won one gives it again', () => {
  const movements = [
    moved(1, 'PAYMENT', { principal: 10_000 }),
    moved(2, 'DISPUTE', { principal: 3_333 }),
    moved(3, 'DISPUTE_WON', { principal: 3_333 }),
  ]
  expect(sharesOf(10_000, SPLITS, movements).map(({ amount }) => amount)).toEqual([
    1_500, 1_000, -500, -334, 500, 334,
  ])
})

test('a recipient who is named twice has one share of a movement; an invoice over nothing has none', () => {
  const twice = [of(12, { amountInCents: 1_500 }), of(12, { percentageBps: 1_000 })]
  expect(sharesOf(10_000, twice, [moved(1, 'PAYMENT', { principal: 10_000 })])).toEqual([
    { recipientId: 12, movementId: 1, amount: 2_500, ...TIMES },
  ])
  expect(sharesOf(0, SPLITS, [moved(1, 'PAYMENT', { fee: 5 })])).toEqual([])
})

const later = (movement: Movement, by: number, kind: Movement['kind']) => ({
  ...movement,
  id: movement.id + by,
  kind,
})

test('in 1,000 random invoices recipients never get more than came in, and owe nothing once all went back', () => {
  const cents = fc.integer({ min: 0, max: 50_000_000 })
  const invoice = fc
    .record({
      total: fc.integer({ min: 1, max: 99_999_999_999 }),
      bps: fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 4 }),
    })
    .chain(({ total, bps }) =>
      fc.record({
        total: fc.constant(total),
        bps: fc.constant(bps),
        disputed: fc.integer({ min: 0, max: 5 }),
        isLost: fc.boolean(),
        fixed: fc.integer({ min: 1, max: Math.max(1, Math.floor(total / 5)) }),
        payments: fc.array(
          fc.record({ part: fc.integer({ min: 1, max: 5 }), fine: cents, interest: cents, fee: cents }),
          { minLength: 1, maxLength: 5 },
        ),
      }),
    )
  fc.assert(
    fc.property(invoice, ({ total, bps, fixed, payments, disputed, isLost }) => {
      fc.pre(total >= 5)
      const splits = [
        of(1, { amountInCents: fixed }),
        ...bps.map((share, nth) => of(nth + 2, { percentageBps: share })),
      ]
      let left = total
      const came = payments.map(({ part, ...parts }, nth) => {
        const principal = nth === payments.length - 1 ? left : Math.floor(left / part)
        left -= principal
        return moved(nth + 1, 'PAYMENT', { principal, ...parts })
      })
      const again = came.flatMap((movement, nth) =>
        nth < disputed ? [later(movement, 100, 'DISPUTE'), later(movement, 200, 'DISPUTE_WON')] : [],
      )
      const went = came.map((movement) => later(movement, 300, isLost ? 'DISPUTE' : 'REFUND'))
      const moves = [...came, ...again, ...went].toSorted((one, other) => one.id - other.id)
      const shares = sharesOf(total, splits, moves)
      const held = (upTo: number) =>
        shares.filter(({ movementId }) => movementId <= upTo).reduce((sum, { amount }) => sum + amount, 0)
      let net = 0
      for (const { id, principal, fine, interest } of came) {
        net += principal + fine + interest
        expect(held(id)).toBeLessThanOrEqual(net)
        expect(held(id)).toBeGreaterThanOrEqual(0)
      }
      // A dispute takes back to the cent what its payment gave, and one that is won gives it again.
      const most = held(100)
      for (const { id } of again) expect(held(id)).toBeLessThanOrEqual(most)
      expect(held(300)).toBe(most)
      const ofFixed = shares.filter(({ recipientId, movementId }) => recipientId === 1 && movementId < 100)
      expect(ofFixed.reduce((sum, { amount }) => sum + amount, 0)).toBe(fixed)
      expect(held(400)).toBe(0)
    }),
    { numRuns: 1_000 },
  )
})
