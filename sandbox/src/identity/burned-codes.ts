import type { KoaContextWithOIDC } from 'oidc-provider'
import type { IdentityStore } from './identity-store'

/** Burns a code with each call that sends it, even a failed one, as the issuer's identity provider does. */
export function burnCodes(store: IdentityStore, tokenPath: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const code = ctx.path === tokenPath ? ctx.oidc?.params?.['code'] : undefined
    if (typeof code === 'string' && ctx.status !== 200) store.consume('AuthorizationCode', code)
  }
}
