import { DomainError } from '@cofre/platform/errors'
import type { FindAccountRequest } from '@cofre/proto/vault/v1/vault'

/** The name of the only account that the vault's stand-in has no credentials for. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/** The vault's accounts in memory. `enabled`: for each seller, the merchant whose account requests network tokens. */
export function createAccounts() {
  const enabled = new Map<number, string>()
  const findAccount = async ({ sellerId }: FindAccountRequest) => {
    const name = enabled.get(sellerId)
    if (name === undefined) throw noEstablishment()
    return { name }
  }
  return { enabled, findAccount }
}

export function noEstablishment(): DomainError {
  return new DomainError('failed_precondition', 'NO_ESTABLISHMENT', 'The seller has no such account.')
}
