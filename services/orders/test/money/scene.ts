import { createPool } from '@cofre/platform/postgres/postgres'
import { PATIENT } from '@cofre/testing/testing'
import { resolvePending } from '../support/resolve-pending'
import { DECLINED } from '../support/orders'
import { passDeadlines, startOrders } from '../support/start-orders'
import { cutAcquirer, cutPool, newDoom } from './doom'
import { createFaultyPartner, type FaultyPartner } from './faulty-partner'
import type { Kill } from './story'

/** A card with an unsure decline: the acquirer does not know the outcome. */
export const UNSURE = '4111111111110098'

/** How long the service waits for a call to the acquirer. */
const HURRIED_MS = 250
const PATIENT_MS = 10_000

export type Scene = Awaited<ReturnType<typeof startScene>>

/** The service, with an acquirer whose every call may fail, and a replica whose work may end at any step. */
export async function startScene() {
  const made: { partner?: FaultyPartner } = {}
  // Long enough that absence is proven only where a test lets the time pass. Declines are no card testing here.
  const rules = { absenceGraceMs: 120_000, guessesPerMinute: 1_000 }
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
  const { acquirers } = doomed.deps
  doomed.deps.acquirers = { ...acquirers, cielo: cutAcquirer(acquirers.cielo, () => doom) }
  const violations: unknown[] = []
  for (const { deps } of [orders, doomed]) deps.log.error = (facts: unknown) => void violations.push(facts)

  const waitForAcquirer = (timeoutMs: number) => {
    for (const { deps } of [orders, doomed]) {
      const { cielo } = deps.acquirers
      const capabilities = { ...cielo.capabilities, timeoutMs }
      deps.acquirers = { ...deps.acquirers, cielo: { ...cielo, capabilities } }
    }
  }
  const sweep = (replica: Pick<typeof orders, 'deps'> = orders) => resolvePending(replica.deps)
  /** Makes everything due for the sweeper. `passed`: all deadlines for leaving passed an hour ago. */
  const due = async (passed: boolean) => {
    if (passed) return passDeadlines(orders)
    await orders.pool.query('UPDATE charges SET ask_at = $1 WHERE ask_at > $1', [new Date()])
  }
  /** Lets so much time pass for everything that is pending. */
  const pass = async (ms: number) => {
    await orders.pool.query(
      `WITH pending AS (UPDATE charges SET ask_at = ask_at - $1 * interval '1 millisecond'
         WHERE ask_at IS NOT NULL RETURNING id)
       UPDATE transactions t SET dispatch_deadline = dispatch_deadline - $1 * interval '1 millisecond'
       FROM pending WHERE t.charge_id = pending.id AND t.status = 'PENDING'`,
      [ms],
    )
  }
  /** Lets calls through that come only after their caller died. */
  const untilIdle = async () => {
    const idle = Promise.all([partner.idle(), doom.idle()]).then(() => 'idle')
    while ((await Promise.race([idle, orders.acquirer.whenHeld()])) !== 'idle') orders.acquirer.release()
  }
  return {
    orders,
    partner,
    /** The errors logged since the scene was set. */
    violations,
    sweep,
    /** The replica with that end, or the one that lives on. */
    replicaFor: (kill: Kill | null) => {
      doom = newDoom(kill)
      return { replica: kill ? doomed : orders, doom }
    },
    due,
    pass,
    /** From then on every call is answered, and waited for. */
    calm: () => {
      partner.calm()
      waitForAcquirer(PATIENT_MS)
    },
    /** Sets the stage for another story. `hurried`: the service waits only a moment for the acquirer. */
    set: async ({ hurried }: { hurried: boolean }) => {
      // The leftovers of a failed story must not reach the next one.
      await orders.pool.query('UPDATE charges SET ask_at = NULL, look_again_at = NULL')
      orders.acquirer.release()
      orders.acquirer.payments.length = 0
      orders.acquirer.calls.length = 0
      orders.acquirer.headers.length = 0
      violations.length = 0
      waitForAcquirer(hurried ? HURRIED_MS : PATIENT_MS)
    },
    /** Lets the work, and everything that it began, run to its end. Meanwhile the sweeper looks at held calls. */
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
