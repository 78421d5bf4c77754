import type { KoaContextWithOIDC } from 'oidc-provider'
import type { IdentityStore } from './identity-store'

/** A code is burned by each call that brings it, also by one that fails: as the issuer's identity provider does. */
export function burnCodes(store: IdentityStore) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const code = ctx.path === '/connect/token' ? ctx.oidc?.params?.['code'] : undefined
    if (typeof code === 'string' && ctx.status !== 200) store.consume('AuthorizationCode', code)
  }
}
