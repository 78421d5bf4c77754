import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { EmailKind, InvoiceEmail, type SendInvoiceEmailRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { mailByHand } from '../mail-by-hand'
import { languageMessage, languageOf } from './language'

/** Writes the e-mail and the key's mark in one transaction; a sweeper sends it. */
export async function sendInvoiceEmail(
  deps: Deps,
  request: SendInvoiceEmailRequest,
): Promise<Replayable<InvoiceEmail>> {
  const { sellerId, invoiceId } = request
  const language = languageOf(request.language)
  const sellerName = request.sellerName || undefined
  return withIdempotency(deps.pool, sellerId, InvoiceEmail, async (tx) => {
    const written = await mailByHand(deps, tx, { sellerId, invoiceId, language, sellerName })
    return {
      invoiceId,
      kind: EmailKind[written.kind],
      to: written.to,
      language: languageMessage(written.language),
      createdAt: now(),
    }
  })
}
