import { databaseNow } from '@cofre/platform/service/database-clock'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../../deps'
import { dayOf } from '@cofre/platform/calendar-day'
import { nextCycleDueAt } from '../store/cycle-store'
import { billBatch } from './bill-batch'
import type { BillingJob, Ran } from '../../clock/billing-job'

/** A batch takes a few dozen milliseconds: a seller whose numbers it locks waits no longer for its own invoice. */
const BATCH_SIZE = 25
/** How long a recurring invoice that could not be billed is left alone, while the others go on. */
const SET_ASIDE_MS = 60_000
const LOGGED_EVERY_MS = 5_000
/** PostgreSQL's code for a statement that was cancelled. */
const TOO_SLOW = '57014'

/** Bills each cycle once, on its day, in any number of replicas at once. */
export function billCycles(deps: Pick<Deps, 'pool' | 'log' | 'reminderDays' | 'rules'>): BillingJob {
  const { pool, log } = deps
  const aside = new Map<number, number>()
  const progress = tellProgress((facts) => log.info(facts, 'cycles billed'))

  const leaveOut = () => {
    for (const [id, until] of aside) if (until <= databaseNow()) aside.delete(id)
    return [...aside.keys()]
  }

  const run = async (at: number): Promise<Ran> => {
    const taking = { today: dayOf(at), batch: BATCH_SIZE, leaveOut: leaveOut() }
    try {
      const { taken, billed } = await billBatch(deps, taking, at)
      progress(billed)
      return { seen: taken.length, done: billed }
    } catch (error) {
      if (isNobodysFault(error)) throw error
      return billOneByOne(at)
    }
  }

  /** Bills one by one after a batch failed. A recurring invoice that fails is logged, and left alone for a while. */
  const billOneByOne = async (at: number): Promise<Ran> => {
    let done = 0
    for (let left = BATCH_SIZE; left > 0; left -= 1) {
      let tried: readonly number[] = []
      const taking = { today: dayOf(at), batch: 1, leaveOut: leaveOut() }
      try {
        const { taken, billed } = await billBatch(deps, taking, at, (ids) => (tried = ids))
        progress(billed)
        done += billed
        if (taken.length === 0) break
      } catch (error) {
        const [recurringInvoiceId] = tried
        if (isNobodysFault(error) || recurringInvoiceId === undefined) throw error
        aside.set(recurringInvoiceId, databaseNow() + SET_ASIDE_MS)
        log.error({ err: error, recurringInvoiceId }, 'cycle not billed')
      }
    }
    return { seen: done, done }
  }

  return { name: 'bill-cycles', run, nextDueAt: () => nextCycleDueAt(pool, leaveOut()) }
}

/** Whether a recurring invoice that is billed alone would fail, too. A slow statement may be that one's own fault. */
function isNobodysFault(error: unknown): boolean {
  return isDatabaseDown(error) && (error as { code?: unknown }).code !== TOO_SLOW
}

/** Logs how many cycles were billed: now and then while there are many, and once when none are left. */
function tellProgress(tell: (facts: { billed: number; inSeconds: number }) => void) {
  let billed = 0
  let since = 0
  return (count: number): void => {
    if (billed === 0) since = databaseNow()
    billed += count
    const waited = databaseNow() - since
    if (billed === 0 || (count > 0 && waited < LOGGED_EVERY_MS)) return
    tell({ billed, inSeconds: Math.round(waited / 100) / 10 })
    billed = 0
  }
}
