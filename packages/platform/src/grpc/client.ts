import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseNow, onOwnClock } from '../service/database-clock'
import {
  status,
  type CallOptions,
  type Client,
  type ClientUnaryCall,
  type ClientWritableStream,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import { currentCall, newCall, type Call } from './call-context'
import { DomainError, outcomeUnknown, unavailable } from '../errors'
import { readReplayed, writeCall } from './metadata'
import type { Replayable } from './replayable'
import { fromStatus } from './status'
import { SpanKind, withSpan } from '../telemetry/spans'

type Method<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall

const DEFAULT_TIMEOUT_MS = 10_000
const limits = new WeakMap<Client, number>()

/** Limits the calls of a client that name no limit themselves, milliseconds; 10 s without this. */
export function limitCalls<C extends Client>(client: C, timeoutMs: number): C {
  limits.set(client, timeoutMs)
  return client
}

/** `writes`: the error is OUTCOME_UNKNOWN when a failed call may have had an effect, so that its caller knows. */
type Options = { timeoutMs?: number; writes?: boolean }

/**
 * Calls another service within the deadline of the call that we serve: a service that hangs must not hang its
 * callers. Request id, trace and idempotency key travel along.
 */
export async function callRpc<Request, Response>(
  client: Client,
  method: Method<Request, Response>,
  request: Request,
  options: Options = {},
): Promise<Response> {
  const { response } = await callUntilDone(client, method, request, options)
  return response
}

/**
 * Calls as `callRpc` does, for a write whose repeat under one Idempotency-Key gets the same answer. The caller learns
 * whether this answer was a repeated one.
 */
export function callRepeatable<Request, Response>(
  client: Client,
  method: Method<Request, Response>,
  request: Request,
  options: Pick<Options, 'timeoutMs'> = {},
): Promise<Replayable<Response>> {
  return callUntilDone(client, method, request, { ...options, writes: true })
}

type StreamedMethod<Request, Response> = (
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientWritableStream<Request>

/**
 * Calls another service with a stream of requests, once. When `requests` fails, this fails with the same error. To the
 * service that looks like their end: the last request must say that it is the last.
 */
export async function streamRpc<Request, Response>(
  client: Client,
  method: StreamedMethod<Request, Response>,
  requests: AsyncIterable<Request>,
  options: { timeoutMs: number },
): Promise<Response> {
  const { response } = await streamOnce(client, method, requests, { ...options, writes: false })
  return response
}

/** Calls as `streamRpc` does, for a write whose repeat under one Idempotency-Key gets the same answer. */
export function streamRepeatable<Request, Response>(
  client: Client,
  method: StreamedMethod<Request, Response>,
  requests: AsyncIterable<Request>,
  options: { timeoutMs: number },
): Promise<Replayable<Response>> {
  return streamOnce(client, method, requests, { ...options, writes: true })
}

function streamOnce<Request, Response>(
  client: Client,
  method: StreamedMethod<Request, Response>,
  requests: AsyncIterable<Request>,
  { timeoutMs, writes }: { timeoutMs: number; writes: boolean },
): Promise<Replayable<Response>> {
  const call = currentCall() ?? newCall({ timeoutMs })
  const deadline = Math.min(call.deadline, databaseNow() + timeoutMs)
  return withSpan(nameOf(method), SpanKind.CLIENT, {}, () => {
    const within = currentCall() ?? call
    const source = Readable.from(requests, { highWaterMark: 1 })
    return new Promise<Replayable<Response>>((resolve, reject) => {
      const options = { deadline: onOwnClock(deadline) }
      const own: { failure?: Error; replayed: boolean } = { replayed: false }
      const sent = method.call(client, writeCall(within), options, (error, response) => {
        // An answer may come before the last request: then nobody reads the rest.
        source.destroy()
        if (error) reject(own.failure ?? failureOf(error, writes))
        else resolve({ response, replayed: own.replayed })
      })
      sent.on('metadata', (metadata: Metadata) => {
        own.replayed = readReplayed(metadata)
      })
      source.once('error', (failure) => {
        own.failure = failure
        sent.cancel()
      })
      source.pipe(sent as NodeJS.WritableStream)
    })
  })
}

function callUntilDone<Request, Response>(
  client: Client,
  method: Method<Request, Response>,
  request: Request,
  { timeoutMs = limits.get(client) ?? DEFAULT_TIMEOUT_MS, writes = false }: Options,
): Promise<Replayable<Response>> {
  const call = currentCall() ?? newCall({ timeoutMs })
  const deadline = Math.min(call.deadline, databaseNow() + timeoutMs)
  if (deadline <= databaseNow()) return Promise.reject(unavailable('The time for this request ran out.'))
  return withSpan(nameOf(method), SpanKind.CLIENT, {}, async () => {
    // Read inside the span, whose id travels along.
    const within = currentCall() ?? call
    for (let tries = 1; ; tries += 1) {
      try {
        return await callOnce(client, method, request, within, deadline)
      } catch (error) {
        const again = neverLeft(error as ServiceError) && tries < TRIES && databaseNow() < deadline
        if (!again) throw noteSilent(failureOf(error as ServiceError, writes), nameOf(method))
      }
      await pause(AGAIN_AFTER_MS)
    }
  })
}

function callOnce<Request, Response>(
  client: Client,
  method: Method<Request, Response>,
  request: Request,
  call: Call,
  deadline: number,
): Promise<Replayable<Response>> {
  return new Promise((resolve, reject) => {
    let replayed = false
    const sent = method.call(
      client,
      request,
      writeCall(call),
      { deadline: onOwnClock(deadline) },
      (error, response) => (error ? reject(error) : resolve({ response, replayed })),
    )
    // Metadata comes before the response.
    sent.on('metadata', (metadata: Metadata) => {
      replayed = readReplayed(metadata)
    })
  })
}

// How often a call that never left looks for a replica. When one replica restarts while the connection to another ends
// by age, that moment is no failure. This is twice as long as a returned replica may wait for its next connection. A
// call to a service that is down fails after three quarters of a second.
const TRIES = 30
const AGAIN_AFTER_MS = 25
// The words of grpc-js for a missing connection, and for a stream that a stopping server did not take. That stream
// therefore had no effect (RFC 9113, section 8.7).
const NEVER_LEFT = /^(Stream refused by server|(round_robin: )?No connection established)/

/** True when a failed call surely had no effect, so that it may be made again. */
function neverLeft({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && NEVER_LEFT.test(details)
}

/** True when the connection broke under a call that had left, by the words of grpc-js. */
function isCutOff({ code, details }: ServiceError): boolean {
  return code === status.INTERNAL && details.startsWith('Received RST_STREAM')
}

/** The words of grpc-js for a call that waited for a connection until its time was over. */
const NEVER_PICKED = /^Name resolution failed|Waiting for LB pick/

const notSent = new WeakSet<object>()

/** True when this is the error of a `callRpc` that found no connection: nothing left this process. */
export function wasNotSent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && notSent.has(error)
}

const silent = new WeakMap<object, string>()

/** Remembers by which RPC an error came that says that something does not answer. */
function noteSilent(error: Error, rpc: string): Error {
  if (error instanceof DomainError && error.kind === 'unavailable') silent.set(error, rpc)
  return error
}

/** The RPC that got no answer, or whose service got none, where this is the error of such a call: for logs. */
export function silentRpc(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? silent.get(error) : undefined
}

/** The error of a failed call. Unless its service refused the call, or it never left, it may have been done. */
function failureOf(error: ServiceError, writes: boolean): Error {
  const failure = isCutOff(error) ? unavailable(error.details) : fromStatus(error)
  if (!(failure instanceof DomainError) || failure.kind !== 'unavailable') return failure
  const isRefusal = error.metadata?.get('error-reason')[0] !== undefined
  const isNotSent = !isRefusal && (neverLeft(error) || NEVER_PICKED.test(error.details))
  if (isNotSent) notSent.add(failure)
  const isUnknown = isRefusal ? failure.reason === 'OUTCOME_UNKNOWN' : !isNotSent
  if (!isUnknown) return failure
  return writes ? outcomeUnknown() : unavailable('A service that this request needs does not answer.')
}

/** The name of an RPC, as the server writes it: grpc-js keeps the path with each method of a client. */
function nameOf(method: object): string {
  const { path } = method as { path?: unknown }
  return typeof path === 'string' ? path.slice(1) : 'rpc'
}

/** Options of every client: addresses are balanced, and only calls that never left are tried again. */
export const CLIENT_OPTIONS = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // A page of 100 entries may hold as much as 100 bodies, of up to 256 KiB each.
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  'grpc.keepalive_time_ms': 20_000,
  // When a connection ends, grpc-js resolves the name again: the replica in its place has another address. By default
  // it would wait until half a minute had passed since its last lookup.
  'grpc.dns_min_time_between_resolutions_ms': 250,
  'grpc.service_config_disable_resolution': 1,
} as const
