import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Codec } from '@cofre/platform/idempotency/idempotency'
import { isSameBody } from '@cofre/platform/idempotency/mark'
import { standIn } from '../stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  IdempotencyService,
  RequestState,
  type FindRequestRequest,
  type KeptRequest,
} from '@cofre/proto/idempotency/v1/idempotency'

type Mark = { method: string; path: string; fingerprint: string; createdAt: number; response?: Uint8Array }

/** The marks of Idempotency-Keys as a service keeps them, in memory. */
export function createMarks() {
  const marks = new Map<string, Mark>()
  const once = async <Message>(
    sellerId: number,
    codec: Codec<Message>,
    work: () => Message | Promise<Message>,
  ): Promise<Replayable<Message>> => {
    const key = currentCall()?.idempotency
    if (!key) return { response: await work(), replayed: false }
    const scope = [sellerId, key.key, key.method, key.path].join(' ')
    const kept = marks.get(scope)
    if (!kept) {
      const made: Mark = { ...key, createdAt: Date.now() }
      marks.set(scope, made)
      try {
        const message = await work()
        made.response = codec.encode(message).finish()
        return { response: message, replayed: false }
      } catch (error) {
        // Nothing was done, and no mark stays.
        marks.delete(scope)
        throw error
      }
    }
    if (!isSameBody(kept.fingerprint, key)) {
      throw new DomainError('failed_precondition', 'IDEMPOTENCY_KEY_REUSED', 'Used for another body.')
    }
    if (!kept.response) {
      throw new DomainError('conflict', 'IDEMPOTENCY_KEY_IN_USE', 'Still running.', { retryAfterSeconds: 1 })
    }
    return { response: codec.decode(kept.response), replayed: true }
  }
  const find = ({ sellerId, key }: FindRequestRequest): KeptRequest => {
    const repeat = currentCall()?.idempotency
    const wanted = [sellerId, key, ...(repeat ? [repeat.method, repeat.path] : [])].join(' ')
    const [newest] = [...marks]
      .filter(([scope]) => `${scope} `.startsWith(`${wanted} `))
      .map(([, mark]) => mark)
      .sort((one, other) => other.createdAt - one.createdAt)
    if (!newest) throw notFound()
    const { method, path, createdAt, response } = newest
    const state = response ? RequestState.DONE : RequestState.IN_FLIGHT
    return {
      method,
      path,
      state,
      createdAt,
      response: Buffer.from(response ?? []),
      completedAt: response && createdAt,
      isRepeated: repeat !== undefined && isSameBody(newest.fingerprint, repeat),
    }
  }
  const service = (log: Logger): ServedService =>
    standIn(log, IdempotencyService, { findRequest: async (request) => find(request) })
  return { once, service }
}

export type Marks = ReturnType<typeof createMarks>
