import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { lockInvoice } from '../invoice/store/invoice-store'
import { BY_HAND, kindOf, type InvoiceEmailKind } from './queue/email'
import { mailedByHand, newCauseByHand } from './queue/email-store'
import { queueEmail, type Queued, type Reason } from './queue/queue-email'

type Asked = { sellerId: number; invoiceId: number } & Pick<Reason, 'language' | 'sellerName'>

/**
 * Queues the e-mail that fits an invoice, in the caller's transaction. FAILED_PRECONDITION EMAIL_NOT_SET_UP,
 * CUSTOMER_HAS_NO_EMAIL, or because of the invoice's state; RATE_LIMITED when it was mailed too often.
 */
export async function mailByHand(
  { mailer, log }: Pick<Deps, 'mailer' | 'log'>,
  tx: Db,
  { sellerId, invoiceId, language, sellerName }: Asked,
): Promise<Queued & { kind: InvoiceEmailKind }> {
  // Locked, so that two requests at once are counted one after the other.
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  const kind = kindOf(invoice, now())
  if (!mailer) throw notSetUp()
  const queued = await queueEmail(tx, invoice, { cause: newCauseByHand(), kind, language, sellerName })
  if (queued === undefined) throw noAddress()
  // The new e-mail is counted too.
  await checkCount(tx, invoiceId, databaseNow())
  log.info({ sellerId, invoiceId, kind }, 'e-mail written')
  return { ...queued, kind }
}

/** Throws RATE_LIMITED when an invoice was mailed by hand too often lately. */
async function checkCount(tx: Db, invoiceId: number, at: number): Promise<void> {
  const mailed = await mailedByHand(tx, invoiceId, at - BY_HAND.withinMs)
  if (mailed.length <= BY_HAND.most) return
  const retryAfterSeconds = Math.ceil(((mailed[0] ?? at) + BY_HAND.withinMs - at) / 1_000)
  const message = `An invoice can be sent at most ${BY_HAND.most} times an hour.`
  throw new DomainError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds })
}

function notSetUp(): DomainError {
  const message = 'No mail server is set up in this installation.'
  return new DomainError('failed_precondition', 'EMAIL_NOT_SET_UP', message)
}

function noAddress(): DomainError {
  const message = 'The customer of the invoice has no e-mail address.'
  return new DomainError('failed_precondition', 'CUSTOMER_HAS_NO_EMAIL', message)
}
