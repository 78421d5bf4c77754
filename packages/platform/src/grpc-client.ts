import type { CallOptions, Client, ClientUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js'
import { currentCall, newCall } from './call-context'
import { unavailable } from './errors'
import { writeCall } from './grpc-metadata'
import { fromStatus } from './grpc-status'
import { SpanKind, withSpan } from './spans'

type Method<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Calls another service within the deadline of the call that we serve: a service that hangs must not hang its
 * callers. Request id, trace and idempotency key travel along.
 */
export function callRpc<Request, Response>(
  client: Client,
  method: Method<Request, Response>,
  request: Request,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Response> {
  const call = currentCall() ?? newCall({ timeoutMs })
  const deadline = Math.min(call.deadline, Date.now() + timeoutMs)
  if (deadline <= Date.now()) return Promise.reject(unavailable('The time for this request ran out.'))
  return withSpan(nameOf(method), SpanKind.CLIENT, {}, () => {
    // Within the span, whose id travels along.
    const within = currentCall() ?? call
    return new Promise((resolve, reject) => {
      const sent = method.call(client, request, writeCall(within), { deadline }, (error, response) =>
        error ? reject(fromStatus(error)) : resolve(response),
      )
      sent.on('metadata', (metadata: Metadata) => {
        if (metadata.get('idempotency-replayed')[0] === 'true') within.replayed = true
      })
    })
  })
}

/** As the server calls it: grpc-js keeps the path with each method of a client. */
function nameOf(method: object): string {
  const { path } = method as { path?: unknown }
  return typeof path === 'string' ? path.slice(1) : 'rpc'
}

/** Options of every client: addresses are balanced, and only calls that never left are tried again. */
export const CLIENT_OPTIONS = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 20_000,
} as const
