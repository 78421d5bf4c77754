import { dayOf } from '@cofre/platform/calendar-day'
import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { tellPaymentFailed } from '../../invoice/rules/transition'
import { lockInvoice, saveLocked } from '../../invoice/store/invoice-store'
import { queueEmail, type Reason } from '../../letters/queue/queue-email'
import { changed } from '../../methods/rules/registered-ask'
import type { BankCharge } from '../bank/pix-bank'
import type { PixCharge } from '../rules/pix-charge'
import { PIX_CHARGES } from '../store/pix-store'
import { failedTries, isVain, nextRetry, type Collected } from '../rules/collection'

/** The letter that says that nothing was collected, and where to pay: once for each invoice. */
const NOT_COLLECTED: Reason = { cause: 'pix-not-collected', kind: 'NOT_COLLECTED' }

type FollowDeps = Pick<Deps, 'pool' | 'log' | 'pix' | 'afterSave'>

/**
 * Follows a collection that the bank has: saves its tries, notifies the seller of each that failed, and has it tried once
 * more within the rules. After the last one a letter asks the customer to pay in another way.
 */
export async function followCollection(
  deps: FollowDeps,
  charge: PixCharge,
  { collected }: BankCharge,
): Promise<void> {
  const { collection, dueDay, txid } = charge
  if (!collection || !collected || dueDay === null) return
  await saveCollected(deps, charge, collected, dueDay)
  const today = dayOf(now())
  const day = charge.status === 'REGISTERED' ? nextRetry(collected, dueDay, today) : undefined
  if (day === undefined) return
  const { bank, rules } = deps.pix
  const again = await bank.automatic.retry(charge, day, databaseNow() + rules.bankTimeoutMs)
  deps.log.info({ txid, day, isScheduled: again !== undefined }, 'another try of a collection asked for')
  if (again?.collected) await saveCollected(deps, charge, again.collected, dueDay)
}

async function saveCollected(deps: FollowDeps, charge: PixCharge, collected: Collected, dueDay: string) {
  // Most looks bring nothing new: they lock nothing.
  if (isSame(charge, collected)) return
  await withTransaction(deps.pool, async (tx) => {
    const invoice = await lockInvoice(tx, { sellerId: charge.sellerId, id: charge.invoiceId })
    const at = now()
    const today = dayOf(at)
    const isOver = isVain(collected, dueDay, today)
    let isNews = false
    const { status } = await PIX_CHARGES.change(tx, charge.id, (current) => {
      if (!current.collection || isSame(current, collected)) return { ask: current }
      isNews =
        failedTries(collected) > failedTries(current.collection) ||
        (isOver && !isVain(current.collection, dueDay, today))
      return { ask: changed(current, { collection: { ...current.collection, ...collected } }, at) }
    })
    // One that was withdrawn is over for another reason.
    if (status === 'REGISTERED' && isNews) await tellFailed(deps, tx, invoice, isOver)
  })
}

function isSame({ collection }: PixCharge, { status, code, tries }: Collected): boolean {
  const known = collection && { status: collection.status, code: collection.code, tries: collection.tries }
  return JSON.stringify(known) === JSON.stringify({ status, code, tries })
}

/** Notifies the seller and the customer of a collection that the bank refused. */
export function tellNotCollected(deps: FollowDeps, { sellerId, invoiceId }: PixCharge): Promise<void> {
  return withTransaction(deps.pool, async (tx) =>
    tellFailed(deps, tx, await lockInvoice(tx, { sellerId, id: invoiceId }), true),
  )
}

/** Notifies the seller of a collection in vain, and the customer after the last try. The caller has locked the invoice. */
export async function tellFailed(
  deps: FollowDeps,
  tx: Db,
  invoice: WholeInvoice,
  isOver: boolean,
): Promise<void> {
  if (invoice.status !== 'CLOSED') return
  await saveLocked(deps, tx, tellPaymentFailed(invoice, now()))
  if (isOver) await queueEmail(tx, invoice, NOT_COLLECTED)
}
