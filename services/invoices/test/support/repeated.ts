import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'

/** A request may take as long as each of its calls. */
const TIMEOUT_MS = 300_000

/** Runs a call as the gateway does for a request with an Idempotency-Key. */
export function withKey<T>(key: string, work: () => Promise<T>, body = 'body'): Promise<T> {
  const idempotency: IdempotencyKey = { key, method: 'POST', path: '/of-the-test', fingerprint: body }
  return runCall({ ...newCall({ timeoutMs: TIMEOUT_MS }), idempotency }, work)
}
