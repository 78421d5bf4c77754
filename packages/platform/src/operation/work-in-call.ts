import { newCall, runCall } from '../grpc/call-context'
import type { Logger } from '../telemetry/log'

/** `what`: logged with the error and `facts` when the work fails: `charge not resolved`. */
type InCall = { log: Logger; timeoutMs: number; what: string; facts: Record<string, unknown> }

/**
 * Works on one item of a sweeper, in a call of its own. Never fails: an item that can't be worked on must not keep the
 * others waiting. Its error is logged, and its sweeper comes back to it.
 */
export function workInCall(
  { log, timeoutMs, what, facts }: InCall,
  work: () => Promise<void>,
): Promise<void> {
  return runCall(newCall({ timeoutMs }), () =>
    work().catch((err: unknown) => log.error({ ...facts, err }, what)),
  )
}
