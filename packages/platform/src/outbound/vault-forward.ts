import { clockFault, databaseNow } from '../service/database-clock'
import {
  Outcome,
  type ForwardFileHead,
  type ForwardFileRequest,
  type ForwardRequest,
  type ForwardResponse,
  type VaultClient,
} from '@cofre/proto/vault/v1/vault'
import { currentCall } from '../grpc/call-context'
import { DomainError } from '../errors'
import { callRpc, streamRpc, wasNotSent } from '../grpc/client'
import { NOT_ADMITTED } from './partner-answers'

export type Forwarded =
  | ({ result: 'answered'; answer: NonNullable<ForwardResponse['answer']> } & Pick<
      ForwardResponse,
      'handle' | 'numberKept' | 'grantKept'
    >)
  /** `refusal`: why the vault refused to make the call, or we did. */
  | { result: 'not_sent'; refusal?: DomainError }
  | { result: 'unknown' }

/** A call of which the vault fills in no card unless one of these is given. */
type CardFields = Pick<ForwardRequest, 'handle' | 'cardToken' | 'networkToken' | 'voucherToken'>
const NO_CARD: CardFields = { handle: '', cardToken: '', networkToken: '', voucherToken: '' }

type Forwarding = Omit<ForwardRequest, 'timeoutMs' | keyof CardFields> & Partial<CardFields>

/** `body`: sent as JSON. `requestId`: our name for the call, if the partner finds it by that. */
export type PartnerRequest = Omit<Forwarding, 'headers' | 'body'> & { requestId?: string; body?: object }

/**
 * Calls a partner's JSON API by the vault, until `deadline` (epoch milliseconds). `notAdmitted`: statuses of a request
 * that the partner turned away unread, so that it counts as not sent.
 */
export async function callPartner(
  vault: VaultClient,
  { requestId, body, ...request }: PartnerRequest,
  deadline: number,
  notAdmitted = NOT_ADMITTED,
): Promise<Forwarded> {
  const headers: ForwardRequest['headers'] = requestId === undefined ? {} : { RequestId: requestId }
  const json = Buffer.from(body ? JSON.stringify(body) : '')
  const sent = await forwardByVault(vault, { ...request, headers, body: json }, deadline)
  const isTurnedAway = sent.result === 'answered' && notAdmitted.includes(sent.answer.status)
  return isTurnedAway ? { result: 'not_sent' } : sent
}

/**
 * Lets the vault call a partner, until `deadline` (epoch milliseconds) at the latest. The result is `unknown` unless
 * the partner answered or nothing left for certain.
 */
export async function forwardByVault(
  vault: VaultClient,
  request: Forwarding,
  deadline: number,
): Promise<Forwarded> {
  const timeoutMs = Math.min(deadline, currentCall()?.deadline ?? deadline) - databaseNow()
  if (timeoutMs <= 0) return { result: 'not_sent' }
  const refusal = request.method === 'GET' ? undefined : clockFault()
  if (refusal) return { result: 'not_sent', refusal }
  try {
    const answered = await callRpc(vault, vault.forward, { ...NO_CARD, ...request, timeoutMs }, { timeoutMs })
    return readForwarded(answered, request)
  } catch (error) {
    return readFailure(error, request)
  }
}

/** A file for a partner: the fields of its call, and its bytes as they come. */
export type FileRequest = Omit<ForwardFileHead, 'timeoutMs' | 'fields'> & {
  fields: Record<string, string | number | boolean>
  chunks: AsyncIterable<Uint8Array>
}

/**
 * Lets the vault send a file to a partner, as `forwardByVault` makes a call. A file whose end did not leave this
 * process was not sent.
 */
export async function forwardFileByVault(
  vault: VaultClient,
  { chunks, fields, ...request }: FileRequest,
  deadline: number,
): Promise<Forwarded> {
  const timeoutMs = Math.min(deadline, currentCall()?.deadline ?? deadline) - databaseNow()
  if (timeoutMs <= 0) return { result: 'not_sent' }
  const refusal = clockFault()
  if (refusal) return { result: 'not_sent', refusal }
  const head = { ...request, fields: Buffer.from(JSON.stringify(fields)), timeoutMs }
  const file = { hasEnded: false }
  try {
    const answered = await streamRpc(vault, vault.forwardFile, messagesOf(head, chunks, file), { timeoutMs })
    return readForwarded(answered, request)
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.kind !== 'unavailable'
    return file.hasEnded || isRefusal ? readFailure(error, request) : { result: 'not_sent' }
  }
}

async function* messagesOf(
  head: ForwardFileHead,
  chunks: AsyncIterable<Uint8Array>,
  file: { hasEnded: boolean },
): AsyncGenerator<ForwardFileRequest> {
  yield { head }
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    yield { chunk: Buffer.from(chunk) }
  }
  file.hasEnded = true
  yield { size }
}

type Asked = Pick<ForwardRequest, 'method'>

function readForwarded(response: ForwardResponse, request: Asked): Forwarded {
  const { outcome, answer, handle, numberKept, grantKept } = response
  if (outcome !== Outcome.NOT_SENT) noteDispatch(request)
  if (outcome === Outcome.ANSWERED && answer)
    return { result: 'answered', answer, handle, numberKept, grantKept }
  return { result: outcome === Outcome.NOT_SENT ? 'not_sent' : 'unknown' }
}

function readFailure(error: unknown, request: Asked): Forwarded {
  if (wasNotSent(error)) return { result: 'not_sent' }
  // The vault refused: the card is gone, or its handle has expired. Without an answer, the vault may have sent.
  if (!(error instanceof DomainError) || error.kind === 'unavailable') {
    noteDispatch(request)
    return { result: 'unknown' }
  }
  // A call that the settings do not allow is our own fault. A seller can't fix it.
  return error.reason === 'INTERNAL' ? { result: 'not_sent' } : { result: 'not_sent', refusal: error }
}

/** Notes that a partner may have acted for the current RPC: if its database fails, the outcome is unknown. */
function noteDispatch({ method }: Asked): void {
  const dispatch = currentCall()?.dispatch
  if (dispatch && method !== 'GET') dispatch.begun = true
}
