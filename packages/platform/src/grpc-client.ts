import type { CallOptions, Client, ClientUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js'
import { currentCall, newCall } from './call-context'
import { unavailable } from './errors'
import { writeCall } from './grpc-metadata'
import { fromStatus } from './grpc-status'

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
  return new Promise((resolve, reject) => {
    const sent = method.call(client, request, writeCall(call), { deadline }, (error, response) =>
      error ? reject(fromStatus(error)) : resolve(response),
    )
    sent.on('metadata', (metadata: Metadata) => {
      if (metadata.get('idempotency-replayed')[0] === 'true') call.replayed = true
    })
  })
}

/** Options of every client: addresses are balanced, and only calls that never left are tried again. */
export const CLIENT_OPTIONS = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 20_000,
} as const
