import {
  ServerInterceptingCall,
  status,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js'
import type { Logger } from '../telemetry/log'
import { tellSome } from '../telemetry/bounded-log'
import { count } from '../telemetry/metrics'

/** The metadata key of the certificate name that admitted the call, for its handler. */
export const CALLER = 'x-caller'

/** For each gRPC path (`/vault.v1.Vault/Forward`), the certificate names that may call it. */
export type Callers = ReadonlyMap<string, readonly string[]>

/**
 * Refuses a caller unless its client certificate names one of those allowed for the RPC. TLS has already proved that
 * the certificate is ours; this decides which of our services may do what. A path that is not listed is open to every
 * service of ours: health and reflection. Each refusal is counted, and logged in `log`.
 */
export function allowCallers(callers: Callers, log?: Logger): ServerInterceptor {
  const namesOf = rememberNames()
  const tell = tellSome((details) => log?.warn(details, 'certificate not allowed to call'))
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const allowed = callers.get(method.path)
            const caller = allowed?.find((name) => namesOf(call).includes(`DNS:${name}`))
            // The caller's own claim does not count.
            metadata.remove(CALLER)
            if (caller !== undefined) metadata.set(CALLER, caller)
            if (!allowed || caller !== undefined) proceed(metadata)
            else {
              const rpc = method.path.slice(1)
              count('rpc_callers_refused', 'Calls refused because the certificate may not call that RPC.', {
                rpc,
              })
              tell({ rpc, names: namesOf(call), address: call.getPeer() })
              call.sendStatus({
                code: status.PERMISSION_DENIED,
                details: `not allowed to call ${method.path}`,
              })
            }
          },
        }),
    })
}

/**
 * Reads the names of a caller's certificate once for each connection. HTTP/2 allows no new handshake on it, and reading
 * them for each call took a sixteenth of the vault's time. grpc-js does not publish the connection of a call; where it
 * is not found, the names are read each time.
 */
function rememberNames(): (call: ServerInterceptingCallInterface) => readonly string[] {
  const known = new WeakMap<object, readonly string[]>()
  return (call) => {
    const session = (call as { stream?: { session?: object | null } }).stream?.session
    const names = (session && known.get(session)) ?? readNames(call)
    if (session) known.set(session, names)
    return names
  }
}

function readNames(call: ServerInterceptingCallInterface): readonly string[] {
  return call.getAuthContext().sslPeerCertificate?.subjectaltname?.split(', ') ?? []
}
