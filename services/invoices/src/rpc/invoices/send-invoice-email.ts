import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import {
  EmailKind,
  EmailLanguage,
  InvoiceEmail,
  type SendInvoiceEmailRequest,
} from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { BY_HAND, kindOf, type Language } from '../../email/email'
import { mailedByHand, newCauseByHand } from '../../email/email-store'
import { queueEmail } from '../../email/queue-email'
import { lockInvoice } from '../../invoice-store/invoice-store'

/** Writes the e-mail and the key's mark in one transaction; a sweeper sends it. */
export async function sendInvoiceEmail(
  { pool, log, mailer }: Deps,
  request: SendInvoiceEmailRequest,
): Promise<Replayable<InvoiceEmail>> {
  const { sellerId, invoiceId } = request
  return withIdempotency(pool, sellerId, InvoiceEmail, async (tx) => {
    // Locked, so that two requests at once are counted one after the other.
    const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
    const kind = kindOf(invoice, now())
    if (!mailer) throw notSetUp()
    const cause = newCauseByHand()
    const language = languageOf(request.language)
    const sellerName = request.sellerName || undefined
    const queued = await queueEmail(tx, invoice, { cause, kind, language, sellerName })
    if (queued === undefined) throw noAddress()
    // The new e-mail is counted too.
    await checkCount(tx, invoiceId, Date.now())
    log.info({ sellerId, invoiceId, kind }, 'e-mail written')
    return {
      invoiceId,
      kind: EmailKind[kind],
      to: queued.to,
      language: queued.language === 'en' ? EmailLanguage.ENGLISH : EmailLanguage.PORTUGUESE,
      createdAt: now(),
    }
  })
}

/** Undefined when the request names no language. */
function languageOf(asked: EmailLanguage): Language | undefined {
  if (asked === EmailLanguage.ENGLISH) return 'en'
  return asked === EmailLanguage.PORTUGUESE ? 'pt-BR' : undefined
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
