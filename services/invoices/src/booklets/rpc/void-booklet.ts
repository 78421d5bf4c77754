import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import {
  type GetRecurringInvoiceRequest,
  VoidBookletResponse,
  type VoidedInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { act, type Decision } from '../../invoice/rules/transition'
import { saveLocked } from '../../invoice/store/invoice-store'
import { endBooklet } from '../../recurring/rules/transition'
import { lockRecurring, saveRecurring } from '../../recurring/store/recurring-store'
import { stopChargesOfRecurring } from '../../recurring/store/stop-charges-store'
import { lockInvoicesOf } from '../booklet-store'

/**
 * Voids what is open of a booklet, in one transaction with the key's mark. The locks decide against a payment: what was
 * paid first stays paid, and money for what was voided first is an unexpected receipt.
 */
export async function voidBooklet(
  deps: Deps,
  { sellerId, recurringInvoiceId }: GetRecurringInvoiceRequest,
): Promise<Replayable<VoidBookletResponse>> {
  const { pool, log } = deps
  const key = { sellerId, id: recurringInvoiceId }
  return withIdempotency(pool, sellerId, VoidBookletResponse, async (tx) => {
    const booklet = await lockRecurring(tx, key)
    const ended = endBooklet(booklet, now())
    const open = await lockInvoicesOf(tx, key, ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'])
    const invoices: VoidedInvoice[] = []
    for (const invoice of open) invoices.push(await voidOne(deps, tx, invoice))
    if (open.length > 0) {
      await saveRecurring(tx, [ended])
      await stopChargesOfRecurring(tx, { sellerId, recurringInvoiceId, at: ended.updatedAt })
    }
    const stayed = invoices.filter(({ errorCode }) => errorCode !== '').length
    log.info({ sellerId, recurringInvoiceId, voided: open.length - stayed, stayed }, 'booklet voided')
    return { invoices }
  })
}

async function voidOne(deps: Deps, tx: Db, invoice: WholeInvoice): Promise<VoidedInvoice> {
  const { id: invoiceId, invoiceNumber, open } = invoice
  const shown = { invoiceId, invoiceNumber, balance: open.principal }
  const decided = decide(invoice)
  if (decided instanceof DomainError)
    return { ...shown, errorCode: decided.reason, errorDetail: decided.message }
  await saveLocked(deps, tx, decided)
  return { ...shown, errorCode: '', errorDetail: '' }
}

/** One that holds money, or for which a card is being charged, keeps no other from being voided. */
function decide(invoice: WholeInvoice): Decision | DomainError {
  try {
    return act(invoice, 'void', now())
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error
  }
}
