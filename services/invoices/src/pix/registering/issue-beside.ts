import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  BoletoStatus,
  type IssueBoletoRequest,
  type IssueBoletoResponse,
} from '@cofre/proto/invoices/v1/boletos'
import { issueBoleto } from '../../boletos/rpc/issue-boleto'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { settingsOf } from '../../methods/methods'
import { issuePixBeside } from './issue-pix'

/**
 * Issues the boleto of an invoice and, where it accepts Pix too, the charge that its slip carries. The boleto does not
 * need the charge: whatever keeps the bank from making it, the payer can ask for it on the page.
 */
export async function issueBoletoAndPix(
  deps: Deps,
  request: IssueBoletoRequest,
): Promise<Replayable<IssueBoletoResponse>> {
  const issued = await issueBoleto(deps, request)
  if (issued.response.boleto?.status !== BoletoStatus.REGISTERED) return issued
  const { sellerId, invoiceId } = request
  try {
    const { acceptedMethods } = await readInvoice(deps.pool, { sellerId, id: invoiceId })
    if (settingsOf(acceptedMethods, 'PIX')) await issuePixBeside(deps, request)
  } catch (err) {
    const level = err instanceof DomainError ? 'info' : 'error'
    deps.log[level]({ err, sellerId, invoiceId }, 'no Pix charge beside a boleto')
  }
  return issued
}
