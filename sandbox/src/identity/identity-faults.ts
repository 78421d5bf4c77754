import type { KoaContextWithOIDC } from 'oidc-provider'
import type { CallKind, Faults } from '../faults'
import { faulted } from '../partner-call'

/** The calls that services make themselves; the pages that a person sees have no faults. */
const CALLS: Readonly<Record<string, CallKind>> = {
  '/connect/token': 'CHANGE',
  '/connect/revocation': 'CHANGE',
  '/connect/jwks': 'QUERY',
}

/** Makes one call of the provider with the fault that is due. */
export function providerFaults(faults: Faults) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const kind = CALLS[ctx.path]
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
