import { setImmediate as immediately } from 'node:timers/promises'
import {
  Server,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { allowCallers } from './allow-callers'
import { runCall } from './call-context'
import { DomainError } from '../errors'
import type { Caller } from '../service/services'
import { silentRpc } from './client'
import { readCall, replayedHeader } from './metadata'
import { toReplayable, type Replayable } from './replayable'
import { toStatus } from './status'
import type { Logger } from '../telemetry/log'
import { recordDuration } from '../telemetry/metrics'
import { addReflection } from './reflection'
import { SpanKind, withSpan } from '../telemetry/spans'
import { DATABASE } from './is-serving'
import { observeExpiry, serverCredentials, type Tls } from './tls'

/** A gRPC service: its definition, the certificate names that may call each RPC, and a function for each RPC. */
export type ServedService = {
  definition: ServiceDefinition
  callers: Record<string, readonly string[]>
  implementation: UntypedServiceImplementation
}

/** The serializers of an RPC's messages, from its generated definition. `requestStream`: the caller sends many. */
type Method<Request, Response> = {
  requestStream: boolean
  requestSerialize(request: Request): Buffer
  responseSerialize(response: Response): Buffer
}

/** What an RPC's function takes: the caller's message, or its messages as they come. */
type Asked<Definition, Request> = Definition extends { requestStream: true }
  ? AsyncIterable<Request>
  : Request

/** A plain message or, from a repeatable RPC, a message that says whether it was kept. */
type Answered<Response> = Response extends { replayed: unknown }
  ? never
  : Promise<Response> | Promise<Replayable<Response>>

/** One row of a service's table: who may call the RPC, by certificate name, and the function that answers. */
type Rpc<Deps, Definition> =
  Definition extends Method<infer Request, infer Response>
    ? readonly [
        callers: readonly Caller[],
        answer: (deps: Deps, request: Asked<Definition, Request>) => Answered<Response>,
      ]
    : never

/** An RPC as a plain function of its request. */
export type Answer<Definition> =
  Definition extends Method<infer Request, infer Response>
    ? (request: Asked<Definition, Request>) => Answered<Response>
    : never

/** A row for each RPC of the contract. A missing row, or one with other messages, does not compile. */
export type Rpcs<Deps, Definition> = { readonly [Name in keyof Definition]: Rpc<Deps, Definition[Name]> }

type AnyRpc = readonly [readonly string[], (deps: unknown, request: unknown) => Promise<unknown>]

/** Ties a service's table of RPCs to its generated definition. */
export function serve<Deps extends { log: Logger }, Definition extends ServiceDefinition>(
  deps: Deps,
  definition: Definition,
  rpcs: Rpcs<Deps, Definition>,
): ServedService {
  const rows = Object.entries(rpcs as unknown as Record<string, AnyRpc>)
  return {
    definition,
    callers: Object.fromEntries(rows.map(([name, [callers]]) => [name, callers])),
    implementation: Object.fromEntries(
      rows.map(([name, [, answer]]) => [name, answering(deps.log, (request) => answer(deps, request))]),
    ),
  }
}

/** Adapts an async function to grpc-js: every RPC of every service passes here. A stream of requests is the call. */
function answering<Request, Response>(
  log: Logger,
  answer: (request: Request | AsyncIterable<Request>) => Promise<Response | Replayable<Response>>,
) {
  return (
    call: ServerUnaryCall<Request, Response> | ServerReadableStream<Request, Response>,
    reply: sendUnaryData<Response>,
  ) => {
    const context = readCall(call.metadata, call.getDeadline())
    const rpc = call.getPath().slice(1)
    const began = performance.now()
    const tell = (outcome: string) =>
      recordDuration('rpc_server_duration_seconds', 'How long RPCs took.', performance.now() - began, {
        rpc,
        outcome,
      })
    void runCall(context, async () => {
      // A caller may have given up while this process stood still. By now its cancellation is read.
      await immediately()
      if (call.cancelled) return tell('cancelled')
      try {
        const answered = await withSpan(rpc, SpanKind.SERVER, {}, () =>
          answer('request' in call ? call.request : call),
        )
        const { response, replayed } = toReplayable(answered)
        if (replayed) call.sendMetadata(replayedHeader())
        reply(null, response)
        tell('ok')
      } catch (error) {
        logFailure(log, call.getPath(), error)
        reply(toStatus(error))
        tell(error instanceof DomainError ? error.kind : 'failed')
      }
    })
  }
}

function logFailure(log: Logger, rpc: string, error: unknown): void {
  if (error instanceof DomainError)
    log.info({ rpc, reason: error.reason, silent: silentRpc(error) }, 'rpc refused')
  else log.error({ rpc, err: error }, 'rpc failed')
}

/** The longest that any call may take. */
const GRACE_MS = 30_000

export type GrpcServer = {
  port: number
  /** Says by `grpc.health.v1`, under the name of DATABASE, whether the service's database answers. */
  tellDatabase(isUp: boolean): void
  close(): Promise<void>
}

/** Serves with mutual TLS, `grpc.health.v1` and reflection. `close` lets running calls finish. */
export async function startGrpcServer(
  options: { host: string; port: number; tls: Tls; maxConnectionAgeMs?: number; log?: Logger },
  services: readonly ServedService[],
): Promise<GrpcServer> {
  const callers = new Map(
    services.flatMap(({ definition, callers: allowed }) =>
      Object.entries(definition).map(([name, method]) => [method.path, allowed[name] ?? []] as const),
    ),
  )
  const server = new Server({
    interceptors: [allowCallers(callers, options.log)],
    ...(options.maxConnectionAgeMs ? { 'grpc.max_connection_age_ms': options.maxConnectionAgeMs } : {}),
    'grpc.max_connection_age_grace_ms': GRACE_MS,
  })
  for (const { definition, implementation } of services) server.addService(definition, implementation)
  const health = new HealthImplementation({ '': 'SERVING', [DATABASE]: 'SERVING' })
  health.addToServer(server)
  addReflection(
    server,
    services.map(({ definition }) => definition),
  )
  const port = await bind(server, `${options.host}:${options.port}`, options.tls)
  observeExpiry(options.tls)
  const close = async () => {
    for (const each of ['', DATABASE]) health.setStatus(each, 'NOT_SERVING')
    await new Promise<void>((resolve, reject) =>
      server.tryShutdown((error) => (error ? reject(error) : resolve())),
    )
  }
  const tellDatabase = (isUp: boolean) => health.setStatus(DATABASE, isUp ? 'SERVING' : 'NOT_SERVING')
  return { port, tellDatabase, close }
}

function bind(server: Server, address: string, tls: Tls): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(tls), (error, port) =>
      error ? reject(error) : resolve(port),
    )
  })
}
