import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseNow } from '../service/database-clock'
import { randomHex } from '../random-hex'

/** A client's Idempotency-Key on its way to the service that owns the effect. */
export type IdempotencyKey = Readonly<{
  key: string
  /** HTTP method and documented path, whatever its spelling. With the seller and the key, the scope of the mark. */
  method: string
  path: string
  /** HMAC of the body, base64: the same key with another body is refused. */
  fingerprint: string
  /** Fingerprints of the same body under other keys, which the mark of an earlier request may have. */
  otherFingerprints?: readonly string[]
}>

/** The context that travels with a request through every service that it passes. */
export type Call = Readonly<{
  requestId: string
  /** W3C trace context. */
  traceparent: string
  /** The certificate name of the service that calls this RPC. */
  caller?: string
  /** Epoch milliseconds after which nobody waits for the answer. */
  deadline: number
  idempotency?: IdempotencyKey
  /** Of an RPC served here: whether a partner, or a COMMIT without an answer, may have done something for it. */
  dispatch?: { begun: boolean }
}>

const storage = new AsyncLocalStorage<Call>()

export function currentCall(): Call | undefined {
  return storage.getStore()
}

export function runCall<T>(call: Call, work: () => T): T {
  return storage.run(call, work)
}

/** Makes the call of work that starts here: a sweeper, a consumer, a command. */
export function newCall(options: { timeoutMs: number; traceparent?: string }): Call {
  return {
    requestId: newRequestId(),
    traceparent: options.traceparent ?? newTraceparent(),
    deadline: databaseNow() + options.timeoutMs,
  }
}

export function newRequestId(): string {
  return `req_${randomHex(12)}`
}

/** W3C Trace Context, version 00, not sampled. */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-00`
}
