import type { Faults } from '../faults'
import { AuthenticationBook } from './authentication-book'
import { MerchantKeys } from './merchant-keys'

/** The state that the 3-D Secure server, the issuers' page and the controls share. */
export type ThreeDSecure = {
  readonly faults: Faults
  readonly book: AuthenticationBook
  readonly keys: MerchantKeys
  /** The address of the issuers' page for browsers; set once the page is served. */
  pageUrl: string
}

export function openThreeDSecure({ dataDir }: { dataDir: string }, faults: Faults): ThreeDSecure {
  return { faults, book: new AuthenticationBook(dataDir), keys: new MerchantKeys(dataDir), pageUrl: '' }
}

export function closeThreeDSecure({ book, keys }: ThreeDSecure): void {
  book.close()
  keys.close()
}
