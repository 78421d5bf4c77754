import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import type { BillingJob } from '../../clock/billing-job'
import type { Deps } from '../../deps'
import { nextMorning } from '../../letters/queue/email'
import { queueEmail } from '../../letters/queue/queue-email'
import { reminderAfter } from './reminder'
import { moveReminder, nextReminderDueAt, takeDueReminders, type DueReminder } from './reminder-store'

const BATCH_SIZE = 100

/** Reminds customers of unpaid invoices before, on and after the due date, each once, in any number of replicas. */
export function remind({ pool, log, reminderDays }: Pick<Deps, 'pool' | 'log' | 'reminderDays'>): BillingJob {
  return {
    name: 'remind',
    run: async (at) => {
      const { taken, mailed } = await withTransaction(pool, (tx) => remindDue(tx, reminderDays, at))
      if (taken > 0) log.info({ due: taken, mailed }, 'customers reminded')
      return { seen: taken, done: mailed }
    },
    nextDueAt: () => nextReminderDueAt(pool),
  }
}

async function remindDue(tx: Db, reminderDays: readonly number[], at: number) {
  const due = await takeDueReminders(tx, at, BATCH_SIZE)
  let mailed = 0
  for (const reminder of due) {
    if (isUnpaid(reminder) && reminder.bankReports) {
      await moveReminder(tx, reminder.id, { passed: reminder.passed, remindAt: nextMorning(at) })
      continue
    }
    const isHeld = reminder.moneyWaits || reminder.isPaused || isCharged(reminder)
    const isWanted = isUnpaid(reminder) && !isHeld
    if (isWanted && (await mail(tx, reminder, reminderDays, at))) mailed += 1
    // Missed reminders are not made up for: one letter is enough.
    const next = isUnpaid(reminder) ? reminderAfter(reminder, reminderDays, at) : undefined
    await moveReminder(tx, reminder.id, next)
  }
  return { taken: due.length, mailed }
}

/** Queues the latest reminder that is due: one for each day of the setting, however often that is repeated. */
async function mail(
  tx: Db,
  reminder: DueReminder,
  reminderDays: readonly number[],
  at: number,
): Promise<boolean> {
  const next = reminderAfter(reminder, reminderDays, at)
  const days = reminderDays[(next?.passed ?? reminderDays.length) - 1]
  if (days === undefined) return false
  const queued = await queueEmail(tx, reminder, { cause: `reminder:${days}`, kind: 'REMINDER', at })
  return queued?.isNew === true
}

function isUnpaid({ status }: DueReminder): boolean {
  return status === 'OPEN' || status === 'CLOSED'
}

/** Whether a card or the payer's bank is expected to pay the invoice: the customer has nothing to do. */
function isCharged({ automatic, hasCard, isCollected }: DueReminder): boolean {
  return isCollected || (hasCard && (automatic === 'WAITING' || automatic === 'TRYING'))
}
