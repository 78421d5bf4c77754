import { performance } from 'node:perf_hooks'
import { currentCall, newCall, runCall } from '@cofre/platform/grpc/call-context'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe, recordDuration } from '@cofre/platform/telemetry/metrics'
import { SpanKind, withSpan } from '@cofre/platform/telemetry/spans'
import { attemptEntry } from '../deliveries/attempt-history'
import { judge } from '../deliveries/delivery'
import { claimDue, finishAttempt, oldestDueAge, type Claimed } from '../deliveries/delivery-store'
import type { Deps } from '../deps'
import { secretsOfEndpoint, secretsOfSeller } from '../secrets/secret-store'
import { signedHeaders } from '../secrets/signature'

const POLL_MS = 200
/** A receiver that is slow must not take all the room of a process. */
const PER_HOST = 8

/** Attempts due deliveries until stopped, many at once; stopping lets those that run finish. Any number may run. */
export function startDeliverer(deps: Deps): Loop {
  const { log, pool, delivery } = deps
  const running = new Set<Promise<void>>()
  const runningTo = new Map<string, number>()
  const count = (host: string, change: number) => runningTo.set(host, (runningTo.get(host) ?? 0) + change)
  const start = (claimed: Claimed) => {
    count(claimed.host, 1)
    const attempt = deliver(deps, claimed)
      .catch((err: unknown) => log.error({ err, deliveryId: claimed.delivery.id }, 'attempt not written'))
      .finally(() => {
        running.delete(attempt)
        if (count(claimed.host, -1).get(claimed.host) === 0) runningTo.delete(claimed.host)
        loop.wake()
      })
    running.add(attempt)
  }
  const claim = async () => {
    const limit = delivery.concurrency - running.size
    if (limit === 0) return 0
    const claimed = await claimDue(pool, { limit, perHost: PER_HOST, running: runningTo }, delivery.leaseMs)
    for (const each of claimed) start(each)
    return claimed.length
  }
  observe('lanes_oldest_due_age_seconds', 'How long the oldest delivery that is due has been due.', () =>
    oldestDueAge(pool),
  )
  const loop = repeat(claim, POLL_MS, (err) => log.warn({ err }, 'deliverer will try again'))
  const stop = async () => {
    await loop.stop()
    await Promise.all(running)
  }
  return { stop, wake: loop.wake }
}

/** One attempt: sign, send, write what came of it. */
async function deliver(deps: Deps, claimed: Claimed): Promise<void> {
  const { delivery } = claimed
  const call = newCall({ timeoutMs: deps.delivery.leaseMs, traceparent: delivery.traceparent })
  await runCall(call, () =>
    withSpan(
      'deliver webhook',
      SpanKind.CLIENT,
      { 'cofre.webhook_id': delivery.webhookId, 'cofre.attempt': delivery.attempts + 1 },
      async () => {
        const secrets = await secretsOf(deps, delivery)
        // Its endpoint was deleted a moment ago, and this delivery with it.
        if (secrets.length === 0) return
        const at = new Date()
        // The receiver's own trace hangs below this attempt.
        const traceparent = currentCall()?.traceparent ?? delivery.traceparent
        const headers = signedHeaders({ ...delivery, traceparent }, secrets, at)
        const startedAt = performance.now()
        const outcome = await deps.sender.send({ url: delivery.url, headers, body: delivery.body })
        const durationMs = Math.round(performance.now() - startedAt)
        recordDuration('webhook_duration_seconds', 'How long receivers took to answer.', durationMs, {
          outcome: 'status' in outcome ? outcome.status : outcome.error,
        })
        const number = delivery.attempts + 1
        const verdict = judge(
          outcome,
          number - delivery.resentAfter,
          deps.delivery.retryScheduleSeconds,
          Math.random(),
        )
        const counted = await finishAttempt(deps, claimed, { at, durationMs, outcome }, verdict)
        if (counted) deps.recorder.record(attemptEntry(delivery, number, { at, durationMs, outcome }))
        const { id, webhookId, eventType, sellerId } = delivery
        const heard = 'status' in outcome ? { status: outcome.status } : outcome
        const told = { deliveryId: id, webhookId, eventType, sellerId, attempt: number, durationMs, ...heard }
        if (counted) deps.log.info({ ...told, delivery: verdict.status }, 'delivery attempted')
        else deps.log.warn(told, 'an attempt outlived its lease')
      },
    ),
  )
}

function secretsOf(
  { pool, secretKey }: Deps,
  { endpointId, sellerId }: Claimed['delivery'],
): Promise<string[]> {
  return endpointId === null
    ? secretsOfSeller(pool, secretKey, sellerId)
    : secretsOfEndpoint(pool, secretKey, endpointId)
}
