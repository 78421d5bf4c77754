import { currentCall } from '@cofre/platform/call-context'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc-client'
import { Outcome, type ForwardRequest, type VaultClient } from '@cofre/proto/vault/v1/vault'

export type Forwarded =
  | { result: 'answered'; status: number; body: Uint8Array; handle: string; numberKept: boolean }
  | { result: 'not_sent'; gone: boolean }
  | { result: 'unknown' }

const NOT_SENT: Forwarded = { result: 'not_sent', gone: false }

/** How long to wait for a connection to the vault before nothing is sent. */
const CONNECT_MS = 1_000

/** Lets the vault make a call. Only an answer, or the certainty that nothing left, is taken as such. */
export async function forward(
  vault: VaultClient,
  request: Omit<ForwardRequest, 'timeoutMs'>,
  deadline: number,
): Promise<Forwarded> {
  if (!(await isConnected(vault, Math.min(deadline, Date.now() + CONNECT_MS)))) return NOT_SENT
  const timeoutMs = Math.min(deadline, currentCall()?.deadline ?? deadline) - Date.now()
  if (timeoutMs <= 0) return NOT_SENT
  try {
    const answered = await callRpc(vault, vault.forward, { ...request, timeoutMs }, { timeoutMs })
    const { outcome, answer, handle, numberKept } = answered
    if (outcome === Outcome.ANSWERED && answer) {
      return { result: 'answered', status: answer.status, body: answer.body, handle, numberKept }
    }
    return outcome === Outcome.NOT_SENT ? NOT_SENT : { result: 'unknown' }
  } catch (error) {
    // The vault refused, so nothing left. Without an answer of its own it may have sent.
    if (!(error instanceof DomainError) || error.kind === 'unavailable') return { result: 'unknown' }
    return { result: 'not_sent', gone: error.reason === 'CARD_TOKEN_UNUSABLE' }
  }
}

function isConnected(vault: VaultClient, deadline: number): Promise<boolean> {
  return new Promise((resolve) => vault.waitForReady(deadline, (error) => resolve(!error)))
}
