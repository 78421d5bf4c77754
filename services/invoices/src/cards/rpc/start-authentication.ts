import type { Replayable } from '@cofre/platform/grpc/replayable'
import type {
  StartAuthenticationRequest,
  StartAuthenticationResponse,
} from '@cofre/proto/invoices/v1/three_d_secure'
import type { Deps } from '../../deps'
import { startAuthentication as start } from '../three-d-secure/start-authentication'
import { checkPayment } from './payment-request'

export async function startAuthentication(
  deps: Deps,
  { payment, merchantName }: StartAuthenticationRequest,
): Promise<Replayable<StartAuthenticationResponse>> {
  if (!payment) throw new Error('an authentication without a payment')
  checkPayment(payment)
  return start(deps, payment, merchantName)
}
