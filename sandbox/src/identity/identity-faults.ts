import type { KoaContextWithOIDC } from 'oidc-provider'
import type { IdentityPaths } from '../config'
import type { CallKind, Faults } from '../faults'
import { faulted } from '../partner-call'

/** Makes one call of the provider with the fault that is due. The pages that a person sees have no faults. */
export function providerFaults(faults: Faults, { token, revocation, jwks }: IdentityPaths) {
  const calls = new Map<string | null, CallKind>([
    [token, 'CHANGE'],
    [revocation, 'CHANGE'],
    [jwks, 'QUERY'],
  ])
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const kind = calls.get(ctx.path)
    if (!kind) return next()
    const answer = await faulted(faults.take('IDENTITY_PROVIDER', kind), async () => {
      await next()
      return { status: ctx.status, body: ctx.body }
    })
    if (answer.lost) {
      ctx.respond = false
      ctx.req.socket.destroy()
      return
    }
    if (answer.body === undefined) {
      ctx.remove('Content-Type')
      ctx.body = null
    }
    ctx.status = answer.status
  }
}
