import { addDays, dayOf, startOf } from '@cofre/platform/calendar-day'
import { randomHex } from '@cofre/platform/random-hex'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { BillingJob } from '../../clock/billing-job'
import type { Deps } from '../../deps'
import { dispatchOf } from '../../invoice/issue-ask'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { owedAt } from '../../invoice/rules/late-charges'
import { isBeingPaid } from '../../invoice/rules/transition'
import { lockInvoice } from '../../invoice/store/invoice-store'
import { newPublicId } from '../../catalog/public-id'
import { UNSENT } from '../../methods/rules/registered-ask'
import { savePermission } from '../../pix/automatic/permission-store'
import { RETRIED_WITHIN_DAYS } from '../../pix/rules/collection'
import type { PixPermission } from '../../pix/rules/permission'
import { TXID_BYTES } from '../../pix/registering/issue-pix'
import { tellFailed } from '../../pix/automatic/follow-collection'
import { tryToRegister } from '../../pix/registering/registration'
import type { PixCharge } from '../../pix/rules/pix-charge'
import { insertPix } from '../../pix/store/pix-store'
import { nextCollectedAt, nextToCollect, takePermissionToCollect } from './collect-store'
import { collectedAmount, OTHER_AMOUNT } from '../rules/collected-amount'
import { collectionDay } from '../rules/collection-day'

/** How many permissions are seen to at once. */
const AT_ONCE = 20
/** How long a collection waits for a card payment that is under way. */
const PAYING_MS = 3_600_000

type CollectDeps = Pick<Deps, 'pool' | 'log' | 'pix' | 'afterSave'>

/** Sends the collections of permitted invoices to the banks in their time, each once, in any number of replicas. */
export function collectByPix(deps: CollectDeps): BillingJob {
  const { pool, log } = deps
  return {
    name: 'collect-by-pix',
    run: async (at) => {
      const begun: (PixCharge | undefined)[] = []
      for (let taken = 0; taken < AT_ONCE; taken += 1) {
        const next = await begin(deps, at)
        if (!next) break
        begun.push(next.charge)
      }
      const charges = begun.filter((charge) => charge !== undefined)
      const sent = await Promise.allSettled(charges.map((charge) => tryToRegister(deps, charge)))
      // The sweeper asks the bank about those.
      for (const { status, ...why } of sent) if (status === 'rejected') log.error(why, 'collection not sent')
      return { seen: begun.length, done: charges.length }
    },
    nextDueAt: () => nextCollectedAt(pool),
  }
}

/**
 * Saves the collection of the next invoice before the bank is called, or when the next may be sent. The payer's bank takes
 * no other amount than the permitted one, as after a part payment: such a collection is REFUSED here.
 */
function begin(deps: CollectDeps, at: number): Promise<{ charge: PixCharge | undefined } | undefined> {
  const { pool, pix } = deps
  return withTransaction(pool, async (tx) => {
    const permission = await takePermissionToCollect(tx, at)
    if (!permission) return undefined
    const wait = async (collectAt: number | null) => {
      await savePermission(tx, { ...permission, collectAt })
      return { charge: undefined }
    }
    const next = await nextToCollect(tx, permission, dayOf(at))
    if (!next) return wait(null)
    const invoice = await lockInvoice(tx, next)
    if (invoice.status !== 'CLOSED') return wait(at)
    if (isBeingPaid(invoice)) return wait(at + PAYING_MS)
    const collected = collectionDay(dayOf(invoice.dueDate), dayOf(at))
    if ('sendFrom' in collected) return wait(startOf(collected.sendFrom))
    const { at: _at, ...dispatch } = dispatchOf(pix.rules, permission.account, pix.rules.bankTimeoutMs, at)
    const draft = { ...newCollection(invoice, permission, collected.day, at), ...dispatch }
    const isPermitted = permission.amount === null || permission.amount === draft.amount
    const refused = { status: 'REFUSED', refusal: OTHER_AMOUNT, askAt: null } as const
    const charge = await insertPix(tx, isPermitted ? draft : { ...draft, ...refused })
    await savePermission(tx, { ...permission, collectAt: at })
    if (!isPermitted) await tellFailed(deps, tx, invoice, true)
    return { charge: isPermitted ? charge : undefined }
  })
}

function newCollection(
  invoice: WholeInvoice,
  { recId, receiver }: PixPermission,
  dueDay: string,
  at: number,
): Omit<PixCharge, 'id' | 'account' | 'dispatchDeadline' | 'askAt'> {
  const { id: invoiceId, sellerId, customer } = invoice
  if (recId === null) throw new Error('an approved permission without its name')
  return {
    ...UNSENT,
    sellerId,
    invoiceId,
    publicId: newPublicId(),
    txid: randomHex(TXID_BYTES),
    amount: collectedAmount(invoice, owedAt(invoice, at).principal),
    dueDay,
    lateFine: 0,
    interestOfDay: 0,
    discounts: [],
    payableUntil: addDays(dueDay, RETRIED_WITHIN_DAYS),
    payer: { name: customer.name, document: customer.document },
    copyAndPaste: null,
    collection: { recId, receiver, status: null, code: null, tries: null },
    createdAt: at,
    updatedAt: at,
  }
}
