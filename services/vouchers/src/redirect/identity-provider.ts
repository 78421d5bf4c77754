import type { RedirectBrand } from '../brands/brand'
import type { State } from './state'

/** A token of ours at the identity provider: in whose name, with which client, and until when calls may leave. */
export type Asked = { sellerId: number; token: string; clientId: string; deadline: number }

export type GrantOutcome =
  /** The vault keeps access and refresh token. `accessExpiresAt`: epoch milliseconds. */
  | { result: 'granted'; accessExpiresAt: number }
  /** The provider refused: the code or refresh token is no longer of use. */
  | { result: 'refused' }
  /** The provider's answer can't be trusted: its ID token is not for us, or not the provider's own. */
  | { result: 'untrusted' }
  /** Nothing left this machine. */
  | { result: 'not_sent' }
  | { result: 'unknown' }

/** An OpenID provider, in our words. Codes and tokens reach it through the vault alone: none of them passes here. */
export type IdentityProvider = {
  /** Returns where holders sign in. Throws UNAVAILABLE when the provider does not say so. */
  authorizationEndpoint(brand: RedirectBrand, asker: Omit<Asked, 'token'>): Promise<string>
  /** Returns the address for the holder's browser. */
  authorizationUrl(
    brand: RedirectBrand,
    way: { clientId: string; authorizationEndpoint: string },
    sealed: string,
    state: State,
  ): Promise<string>
  /** Exchanges the code that the vault keeps, and checks the ID token (OpenID Connect Core 3.1.3.7). */
  exchange(brand: RedirectBrand, asked: Asked, state: State): Promise<GrantOutcome>
  /** Renews the access token. */
  refresh(brand: RedirectBrand, asked: Asked): Promise<GrantOutcome>
  /**
   * Takes back a grant. Its code is used up, which revokes the tokens issued for it (RFC 6749, 4.1.2). The refresh
   * token is revoked where the provider can (RFC 7009). `verifier`: that of a code whose exchange was cut off. False: it must be tried again.
   */
  takeBack(brand: RedirectBrand, asked: Asked, verifier: string | null): Promise<boolean>
}
