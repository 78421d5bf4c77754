import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js'

/** For each gRPC path (`/vault.v1.Vault/Forward`), the certificate names that may call it. */
export type Callers = ReadonlyMap<string, readonly string[]>

/**
 * Refuses callers whose client certificate does not name one of those allowed for the RPC. TLS has already proved
 * that the certificate is ours; this decides which of our own services may do what. A path that is not listed is
 * open to every service of ours: health and reflection.
 */
export function allowCallers(callers: Callers): ServerInterceptor {
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const allowed = callers.get(method.path)
            const names = call.getAuthContext().sslPeerCertificate?.subjectaltname?.split(', ') ?? []
            if (!allowed || allowed.some((name) => names.includes(`DNS:${name}`))) proceed(metadata)
            else
              call.sendStatus({
                code: status.PERMISSION_DENIED,
                details: `not allowed to call ${method.path}`,
              })
          },
        }),
    })
}
