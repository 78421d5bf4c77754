import {
  Outcome,
  type ForwardRequest,
  type ForwardResponse,
  type VaultClient,
} from '@cofre/proto/vault/v1/vault'
import { currentCall } from '../grpc/call-context'
import { DomainError } from '../errors'
import { callRpc, wasNotSent } from '../grpc/client'

export type Forwarded =
  | ({ result: 'answered'; answer: NonNullable<ForwardResponse['answer']> } & Pick<
      ForwardResponse,
      'handle' | 'numberKept' | 'grantKept'
    >)
  /** `refusal`: why the vault refused to make the call. */
  | { result: 'not_sent'; refusal?: DomainError }
  | { result: 'unknown' }

/**
 * Lets the vault call a partner, until `deadline` (epoch milliseconds) at the latest. The result is `unknown` unless
 * the partner answered or nothing left for certain.
 */
export async function forwardByVault(
  vault: VaultClient,
  request: Omit<ForwardRequest, 'timeoutMs'>,
  deadline: number,
): Promise<Forwarded> {
  const timeoutMs = Math.min(deadline, currentCall()?.deadline ?? deadline) - Date.now()
  if (timeoutMs <= 0) return { result: 'not_sent' }
  try {
    const answered = await callRpc(vault, vault.forward, { ...request, timeoutMs }, { timeoutMs })
    const { outcome, answer, handle, numberKept, grantKept } = answered
    if (outcome !== Outcome.NOT_SENT) noteDispatch(request)
    if (outcome === Outcome.ANSWERED && answer) {
      return { result: 'answered', answer, handle, numberKept, grantKept }
    }
    return { result: outcome === Outcome.NOT_SENT ? 'not_sent' : 'unknown' }
  } catch (error) {
    if (wasNotSent(error)) return { result: 'not_sent' }
    // The vault refused: the card is gone, or its handle has expired. Without an answer, the vault may have sent.
    if (!(error instanceof DomainError) || error.kind === 'unavailable') {
      noteDispatch(request)
      return { result: 'unknown' }
    }
    // A call that the settings do not allow is our own fault. A seller can't fix it.
    return error.reason === 'INTERNAL' ? { result: 'not_sent' } : { result: 'not_sent', refusal: error }
  }
}

/** Notes that a partner may have acted for the current RPC: if its database fails, the outcome is unknown. */
function noteDispatch({ method }: Pick<ForwardRequest, 'method'>): void {
  const dispatch = currentCall()?.dispatch
  if (dispatch && method !== 'GET') dispatch.begun = true
}
