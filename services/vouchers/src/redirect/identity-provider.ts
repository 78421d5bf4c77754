import type { RedirectBrand } from '../brands/brand'
import type { State } from './state'

/** A token of ours at the identity provider: in whose name, with which client, until when calls may leave. */
export type Asked = { sellerId: number; token: string; clientId: string; deadline: number }

export type GrantOutcome =
  /** The vault keeps access and refresh token. `accessExpiresAt`: epoch milliseconds. */
  | { result: 'granted'; accessExpiresAt: number }
  /** The provider refused: the code or refresh token is of no use any more. */
  | { result: 'refused' }
  /** The provider answered, and what it answered is not to be trusted: its ID token is not for us, or not its own. */
  | { result: 'untrusted' }
  /** Nothing left this machine. */
  | { result: 'not_sent' }
  | { result: 'unknown' }

/** An OpenID provider, in our words. It hears of codes and tokens by the vault alone: none of them passes here. */
export type IdentityProvider = {
  /** Where the holder's browser goes. */
  authorizationUrl(brand: RedirectBrand, clientId: string, sealed: string, state: State): Promise<string>
  /** Exchanges the code that the vault keeps, and checks the ID token (OpenID Connect Core 3.1.3.7). */
  exchange(brand: RedirectBrand, asked: Asked, state: State): Promise<GrantOutcome>
  /** Has the access token renewed. */
  refresh(brand: RedirectBrand, asked: Asked): Promise<GrantOutcome>
  /**
   * Takes back what the provider gave: a code is used up, which revokes what was issued for it (RFC 6749, 4.1.2), and the
   * refresh token is revoked (RFC 7009). `verifier`: of a code whose exchange was cut off. False: it has to be tried again.
   */
  takeBack(brand: RedirectBrand, asked: Asked, verifier: string | null): Promise<boolean>
}
