import { performance } from 'node:perf_hooks'
import { currentCall, newCall, runCall } from '@cofre/platform/grpc/call-context'
import { recordDuration } from '@cofre/platform/telemetry/metrics'
import { SpanKind, withSpan } from '@cofre/platform/telemetry/spans'
import { attemptEntry } from '../deliveries/attempt-history'
import type { Claimed } from '../deliveries/claim-store'
import { judge, type NewDelivery } from '../deliveries/delivery'
import {
  expectNext,
  failLanes,
  finishAttempts,
  noteOutcomes,
  type Attempt,
  type Finished,
  type HandedOn,
} from '../deliveries/verdict-store'
import type { Deps } from '../deps'
import type { Ending } from '../receivers/attempt-limiter'
import { openHeaders } from '../endpoints/endpoint-headers'
import { secretsOfAll, type Owner } from '../secrets/secret-store'
import { signedHeaders } from '../secrets/signature'
import { batched } from './batched'

/** The time limit of an attempt at a receiver that let an attempt time out lately. */
const SHORT_MS = 3_000

const SECRETS = { atOnce: 100, inParallel: 1 }
// A verdict that waits for a lock holds up those written with it; later ones wait no longer than `batched` watches.
const VERDICTS = { atOnce: 50, inParallel: 2 }

/** Shared by attempts: secrets are read, and verdicts written, together for those that ask at the same time. */
export type Tools = Deps & {
  secretsOf(owner: Owner): Promise<readonly string[]>
  writeVerdict(finished: Finished): Promise<HandedOn | undefined>
}

export function openTools(deps: Deps): Tools {
  return {
    ...deps,
    secretsOf: batched(SECRETS, (owners) => secretsOfAll(deps.pool, deps.secretKey, owners)),
    writeVerdict: batched(VERDICTS, (finished) => writeVerdicts(deps, finished)),
  }
}

/** An answer that comes within this time is worth waiting for. */
export const PROMPT_MS = 100

/** Makes one attempt: signs and sends. Undefined when its endpoint was deleted, and nothing was sent. */
export async function attempt(
  deps: Tools,
  claimed: Claimed,
  isShort: boolean,
): Promise<Finished | undefined> {
  const { delivery } = claimed
  if (claimed.endpoint?.gone) {
    await failLanes(deps.pool, [claimed], 'endpoint_deleted')
    return undefined
  }
  const attributes = { 'cofre.webhook_id': delivery.webhookId, 'cofre.attempt': delivery.attempts + 1 }
  return inTrace(deps, delivery, () =>
    withSpan('deliver webhook', SpanKind.CLIENT, attributes, () => send(deps, claimed, isShort)),
  )
}

/** Runs `work` in the trace of the delivered event. */
function inTrace<T>({ delivery: { leaseMs } }: Deps, { traceparent }: NewDelivery, work: () => T): T {
  return runCall(newCall({ timeoutMs: leaseMs, traceparent }), work)
}

async function send(deps: Tools, claimed: Claimed, isShort: boolean): Promise<Finished | undefined> {
  const { delivery } = claimed
  const { endpointId, sellerId } = delivery
  const secrets = await deps.secretsOf(endpointId === null ? { sellerId } : { endpointId })
  if (secrets.length === 0) return undefined
  const at = new Date()
  // The receiver's own trace hangs below this attempt.
  const traceparent = currentCall()?.traceparent ?? delivery.traceparent
  const own =
    endpointId === null
      ? {}
      : openHeaders(deps.secretKey, endpointId, claimed.endpoint?.headersSealed ?? null)
  // Our own headers come last, so that a seller's headers of the same names can't replace them.
  const headers = { ...own, ...signedHeaders({ ...delivery, traceparent }, secrets, at) }
  const startedAt = performance.now()
  const outcome = await deps.sender.send({
    url: delivery.url,
    headers,
    body: delivery.body,
    ...(isShort ? { timeoutMs: SHORT_MS } : {}),
  })
  const durationMs = Math.round(performance.now() - startedAt)
  recordDuration('webhook_duration_seconds', 'How long receivers took to answer.', durationMs, {
    outcome: 'status' in outcome ? outcome.status : outcome.error,
  })
  // If an attempt was lost during which the seller asked again, `resentAfter` counts it and `attempts` does not.
  const number = Math.max(1, delivery.attempts + 1 - delivery.resentAfter)
  const verdict = judge(outcome, number, deps.delivery.retryScheduleSeconds, Math.random())
  return { claimed, attempt: { at, durationMs, outcome }, verdict }
}

/** Writes the verdict of an attempt. Returns the state of its lane; undefined when another attempt counts. */
export async function finish(deps: Tools, finished: Finished): Promise<HandedOn | undefined> {
  const handedOn = await deps.writeVerdict(finished)
  if (handedOn) tell(deps, finished)
  else
    inTrace(deps, finished.claimed.delivery, () =>
      deps.log.warn(factsOf(finished), 'attempt ran longer than its lease'),
    )
  return handedOn
}

async function writeVerdicts(deps: Deps, finished: readonly Finished[]): Promise<(HandedOn | undefined)[]> {
  const handedOn = await finishAttempts(deps, finished)
  const ofLease = new Map(handedOn.map((each) => [each.lease, each]))
  const counted = finished.filter(({ claimed }) => ofLease.has(claimed.lease))
  // The verdicts stand even if these fail: the net finds the lanes, and the next attempt notes the endpoint again.
  await Promise.all([expectNext(deps.pool, handedOn), noteOutcomes(deps, counted)]).catch((err: unknown) =>
    deps.log.warn({ err }, 'results of attempts not saved yet, will try again'),
  )
  return finished.map(({ claimed }) => ofLease.get(claimed.lease))
}

/** Records and logs an attempt whose verdict is written. */
export function tell(deps: Deps, finished: Finished): void {
  const { claimed, attempt: tried, verdict } = finished
  deps.recorder.record(attemptEntry(claimed.delivery, claimed.delivery.attempts + 1, tried))
  inTrace(deps, claimed.delivery, () =>
    deps.log.info({ ...factsOf(finished), delivery: verdict.status }, 'delivery attempted'),
  )
}

function factsOf({ claimed: { delivery }, attempt: { outcome, durationMs } }: Finished) {
  const { id, webhookId, eventType, sellerId, attempts } = delivery
  const heard = 'status' in outcome ? { status: outcome.status } : outcome
  return { deliveryId: id, webhookId, eventType, sellerId, attempt: attempts + 1, durationMs, ...heard }
}

/** How an attempt ended for its receiver. */
export function endingOf({ outcome, durationMs }: Attempt, isShort: boolean): Ending {
  if ('status' in outcome) return durationMs <= PROMPT_MS ? 'answered promptly' : 'answered'
  if (outcome.error !== 'timeout') return 'failed'
  return isShort ? 'timed out early' : 'timed out'
}
