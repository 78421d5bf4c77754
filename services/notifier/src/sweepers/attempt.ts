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
import type { Ending } from '../receivers/room'
import { openHeaders } from '../endpoints/endpoint-headers'
import { secretsOfAll, type Owner } from '../secrets/secret-store'
import { signedHeaders } from '../secrets/signature'
import { together } from './together'

/** An attempt at a receiver that let others time out lately ends after so long. */
const SHORT_MS = 3_000

const SECRETS = { atOnce: 100, inParallel: 1 }
// One that waits for a lock holds up what is written with it, and the others no longer than the watch of `together`.
const VERDICTS = { atOnce: 50, inParallel: 2 }

/** What attempts share: secrets are read, and verdicts written, for those that ask at the same time together. */
export type Tools = Deps & {
  secretsOf(owner: Owner): Promise<readonly string[]>
  writeVerdict(finished: Finished): Promise<HandedOn | undefined>
}

export function openTools(deps: Deps): Tools {
  return {
    ...deps,
    secretsOf: together(SECRETS, (owners) => secretsOfAll(deps.pool, deps.secretKey, owners)),
    writeVerdict: together(VERDICTS, (finished) => writeVerdicts(deps, finished)),
  }
}

/** An answer that comes so soon is worth waiting for. */
export const PROMPT_MS = 100

/** One attempt: signs and sends. Undefined: its endpoint was deleted, and nothing was sent. */
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

/** Runs `work` in the trace of the event that is told of. */
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
  // What is signed and what says whose it is stands, whatever the seller's own headers are called.
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
  // An attempt that was lost, and after which the seller asked again, was never counted.
  const number = Math.max(1, delivery.attempts + 1 - delivery.resentAfter)
  const verdict = judge(outcome, number, deps.delivery.retryScheduleSeconds, Math.random())
  return { claimed, attempt: { at, durationMs, outcome }, verdict }
}

/** Writes what came of an attempt. Answers what became of its lane; undefined when another attempt counts. */
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
  // The verdicts stand whatever comes of these: the net finds lanes, and the next attempt tells of the endpoint again.
  await Promise.all([expectNext(deps.pool, handedOn), noteOutcomes(deps, counted)]).catch((err: unknown) =>
    deps.log.warn({ err }, 'results of attempts not saved yet, will try again'),
  )
  return finished.map(({ claimed }) => ofLease.get(claimed.lease))
}

/** Tells of an attempt whose verdict is written. */
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
