import { currentCall } from '@cofre/platform/grpc/call-context'

/** The id of the seller's request. Null for a call that another service makes, perhaps by itself. */
export function sellersRequest(): string | null {
  const call = currentCall()
  return call?.caller === 'gateway' ? call.requestId : null
}
