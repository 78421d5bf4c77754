import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { PixStatus, type IssuePixRequest, type IssuePixResponse } from '@cofre/proto/invoices/v1/pix'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { readPix, issuePix } from '../../pix/rpc/pix'
import { askBeside } from './ask-permission'

/**
 * Issues the Pix charge of an invoice; its code asks the payer for the permission of the recurring invoice too, where Pix
 * Automático is offered. The charge does not need the permission: whatever keeps the bank from making it, it can be paid.
 */
export async function issueWithPermission(
  deps: Deps,
  request: IssuePixRequest,
): Promise<Replayable<IssuePixResponse>> {
  const issued = await issuePix(deps, request)
  const { pix } = issued.response
  if (pix?.status !== PixStatus.REGISTERED) return issued
  const { sellerId, invoiceId } = request
  try {
    const { recurringInvoiceId } = await readInvoice(deps.pool, { sellerId, id: invoiceId })
    if (recurringInvoiceId === null) return issued
    await askBeside(deps, sellerId, recurringInvoiceId)
  } catch (err) {
    const level = err instanceof DomainError ? 'info' : 'error'
    deps.log[level]({ err, sellerId, invoiceId }, 'no permission asked for beside a Pix charge')
  }
  const shown = await readPix(deps, { sellerId, invoiceId, pixId: pix.id })
  return { ...issued, response: { ...issued.response, pix: { ...pix, copyAndPaste: shown.copyAndPaste } } }
}
