import { leaseLooks } from '@cofre/platform/postgres/lease'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { expireAuthorizations } from '../../src/sweepers/expire-authorizations'
import { resolvePending, takePending } from '../../src/sweepers/resolve-pending'
import { authorize, order } from '../support/orders'
import { newSeller, passDeadlines, resolved, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
let replica: Awaited<ReturnType<TestOrders['startReplica']>>
beforeAll(async () => {
  orders = await startOrders()
  replica = await orders.startReplica()
})
afterAll(() => orders.stop())

/** Locks like the open transaction of another sweeper. */
const holding = ({ id }: Charge): [string, unknown[]] => [
  'SELECT FROM charges WHERE id = $1 FOR UPDATE',
  [id],
]
const idsOf = (keys: 'waits' | readonly { id: number }[]) =>
  keys === 'waits' ? keys : keys.map(({ id }) => id)
const unanswered = async () => {
  orders.acquirer.fail('sale', 'lost_undone')
  return authorize(orders, order(await newSeller(orders)))
}

test('a charge that another sweeper has in hand is left to it, and the others are taken without waiting', async () => {
  const [held, free] = [await unanswered(), await unanswered()]
  await passDeadlines(orders)
  const taken = await whileHeld(orders.pool, holding(held), () =>
    unlessItWaits(orders.pool, takePending(orders.deps, 20)),
  )
  expect(idsOf(taken)).toEqual([free.id])
  for (const charge of [held, free]) {
    await passDeadlines(orders, charge)
    await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
  }
})

test('a charge that another sweeper looks at again is left to it, and the others are taken without waiting', async () => {
  const [held, free] = [await unanswered(), await unanswered()]
  for (const charge of [held, free]) {
    await passDeadlines(orders, charge)
    await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
  }
  const ofBoth = 'UPDATE charges SET look_again_at = CASE WHEN id = ANY($1) THEN now() ELSE NULL END'
  await orders.pool.query(ofBoth, [[held.id, free.id]])
  const lease = { at: Date.now() + 60_000, againMs: 600_000, batch: 20 }
  const taken = await whileHeld(orders.pool, holding(held), () =>
    unlessItWaits(orders.pool, leaseLooks(orders.pool, 'charges', lease)),
  )
  expect(idsOf(taken)).toEqual([free.id])
})

test('two sweepers that want to give the same payment back send one void', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  await orders.pool.query("UPDATE charges SET created_at = created_at - interval '8 days' WHERE id = $1", [
    charge.id,
  ])
  await expireAuthorizations(orders.deps)
  const sweepers = await whileHeld(orders.pool, holding(charge), async () => {
    const both = [orders.deps, replica.deps].map((deps) => resolvePending(deps, charge))
    // Both have learned that the payment is held, and wait to save the intention to void.
    await whenWaiting(orders.pool, 2)
    return both
  })
  await Promise.all(sweepers)
  const { paymentId, status } = orders.acquirer.paymentOf(charge.payments[0])
  expect(orders.acquirer.calls.filter((call) => call.includes(`${paymentId}/void`))).toHaveLength(1)
  expect(status).toBe(10)
})

test('a charge with nothing left to ask about has its count of queries reset', async () => {
  const charge = await unanswered()
  const asks = async () => {
    const { rows } = await orders.pool.query('SELECT asks FROM charges WHERE id = $1', [charge.id])
    return rows[0].asks as number
  }
  orders.acquirer.fail('query', 'http_500', 'http_500')
  for (const times of [1, 2]) {
    await orders.pool.query(`UPDATE charges SET ask_at = now() - interval '1 second' WHERE id = $1`, [
      charge.id,
    ])
    expect(idsOf(await takePending(orders.deps, 20))).toEqual([charge.id])
    await resolvePending(orders.deps, charge)
    expect(await asks()).toBe(times)
  }
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
  expect(await asks()).toBe(0)
})
