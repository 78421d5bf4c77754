import { createPool } from '@cofre/platform/postgres/postgres'
import { PATIENT } from '@cofre/testing/testing'
import { settlePending } from '../support/settle-pending'
import { DECLINED } from '../support/orders'
import { passDeadlines, startOrders } from '../support/start-orders'
import { cutAcquirer, cutPool, newDoom } from './doom'
import { createFaultyPartner, type FaultyPartner } from './faulty-partner'
import type { Kill } from './story'

/** A card whose acquirer does not know whether it declined. */
export const UNSURE = '4111111111110098'

/** How long the service waits for a call to the acquirer. */
const HURRIED_MS = 250
const PATIENT_MS = 10_000

export type Scene = Awaited<ReturnType<typeof startScene>>

/** The service with an acquirer whose every call may fail, and a second replica whose work may end at any step. */
export async function startScene() {
  const made: { partner?: FaultyPartner } = {}
  // Long enough to prove absence only where a test lets the time pass; declines are no card testing here.
  const rules = { absenceGraceMs: 120_000, declinesPerMinute: 1_000 }
  const orders = await startOrders(rules, (partner, acquirer) => {
    made.partner = createFaultyPartner(partner, acquirer)
    return made.partner
  })
  orders.acquirer.declines.set(DECLINED.slice(-4), { code: '05' })
  orders.acquirer.declines.set(UNSURE.slice(-4), { code: '98' })
  const { partner } = made
  if (!partner) throw new Error('no partner')
  let doom = newDoom(null)
  const pool = createPool({ url: orders.url, max: 5, name: 'doomed', ...PATIENT }, () => {})
  const doomed = await orders.startReplica(pool, rules)
  cutPool(pool, () => doom)
  doomed.deps.acquirer = cutAcquirer(doomed.deps.acquirer, () => doom)
  const violations: unknown[] = []
  for (const { deps } of [orders, doomed]) deps.log.error = (facts: unknown) => void violations.push(facts)

  const waitForAcquirer = (acquirerTimeoutMs: number) => {
    for (const { deps } of [orders, doomed]) deps.rules = { ...deps.rules, acquirerTimeoutMs }
  }
  const sweep = (replica: Pick<typeof orders, 'deps'> = orders) => settlePending(replica.deps)
  /** The sweeper's time has come for everything. `passed`: an hour after all that has left. */
  const due = async (passed: boolean) => {
    if (passed) return passDeadlines(orders)
    await orders.pool.query('UPDATE charges SET ask_at = $1 WHERE ask_at > $1', [new Date()])
  }
  /** So much time passes for all that is pending. */
  const pass = async (ms: number) => {
    await orders.pool.query(
      `WITH pending AS (UPDATE charges SET ask_at = ask_at - $1 * interval '1 millisecond'
         WHERE ask_at IS NOT NULL RETURNING id)
       UPDATE transactions t SET dispatch_deadline = dispatch_deadline - $1 * interval '1 millisecond'
       FROM pending WHERE t.charge_id = pending.id AND t.status = 'PENDING'`,
      [ms],
    )
  }
  /** A call that its caller did not live to hear of may come only now: it is let through as well. */
  const untilIdle = async () => {
    const idle = Promise.all([partner.idle(), doom.idle()]).then(() => 'idle')
    while ((await Promise.race([idle, orders.acquirer.whenHeld()])) !== 'idle') orders.acquirer.release()
  }
  return {
    orders,
    partner,
    /** What was logged as an error since the scene was set. */
    violations,
    sweep,
    /** The replica that ends so, or one that does not. */
    replicaFor: (kill: Kill | null) => {
      doom = newDoom(kill)
      return { replica: kill ? doomed : orders, doom }
    },
    due,
    pass,
    /** From now on every call is answered, and waited for. */
    calm: () => {
      partner.calm()
      waitForAcquirer(PATIENT_MS)
    },
    /** Sets the stage anew. `hurried`: the service waits but a moment for the acquirer. */
    set: async ({ hurried }: { hurried: boolean }) => {
      // What a story that failed has left is none of the next one's.
      await orders.pool.query('UPDATE charges SET ask_at = NULL, look_again_at = NULL')
      orders.acquirer.release()
      orders.acquirer.payments.length = 0
      orders.acquirer.calls.length = 0
      orders.acquirer.headers.length = 0
      violations.length = 0
      waitForAcquirer(hurried ? HURRIED_MS : PATIENT_MS)
    },
    /** Lets everything run out that a piece of work has begun. Meanwhile the sweeper looks at what is held. */
    watch: async <T>(work: Promise<T>, hurried: boolean): Promise<T> => {
      const running = new Set<Promise<unknown>>()
      const add = (one: Promise<unknown>) => {
        const ended: Promise<unknown> = one.catch(() => {}).then(() => running.delete(ended))
        running.add(ended)
        return ended
      }
      void add(work)
      while (running.size > 0) {
        const ended = Promise.all(running).then(() => 'ended')
        const held = orders.acquirer.whenHeld().then(() => 'held')
        if ((await (hurried ? ended : Promise.race([ended, held]))) === 'ended') continue
        await due(false)
        const others = orders.acquirer.whenHeld(orders.acquirer.heldCalls + 1)
        await Promise.race([add(sweep()), others])
        orders.acquirer.release()
      }
      orders.acquirer.release()
      await untilIdle()
      return work
    },
    stop: async () => {
      await orders.stop()
      await partner.close()
    },
  }
}
