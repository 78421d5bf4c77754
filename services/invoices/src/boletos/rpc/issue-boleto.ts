import type { Replayable } from '@cofre/platform/grpc/replayable'
import { IssueBoletoResponse, type IssueBoletoRequest } from '@cofre/proto/invoices/v1/boletos'
import type { Deps } from '../../deps'
import { issueSlip } from '../registering/issue-slip'
import type { Boleto } from '../rules/boleto'
import { boletoMessage } from '../store/boleto-message'

export async function issueBoleto(
  deps: Deps,
  request: IssueBoletoRequest,
): Promise<Replayable<IssueBoletoResponse>> {
  const issued = await issueSlip(deps, request, (open) =>
    IssueBoletoResponse.encode(responseOf(open, true)).finish(),
  )
  if ('kept' in issued) return { response: IssueBoletoResponse.decode(issued.kept), replayed: true }
  return { response: responseOf(issued.ask, issued.existing), replayed: false }
}

function responseOf(boleto: Boleto, existing: boolean): IssueBoletoResponse {
  return { boleto: boletoMessage(boleto), existing }
}
