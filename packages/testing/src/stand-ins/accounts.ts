import { DomainError } from '@cofre/platform/errors'
import type { Account, FindAccountRequest } from '@cofre/proto/vault/v1/vault'

/** The name of the only account that the vault's stand-in has no credentials for. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/** The vault's accounts in memory. `enabled`: for each seller, the merchant whose account requests network tokens. */
export function createAccounts() {
  const brought = new Map<string, Account>()
  const enabled = new Map<number, string>()
  let left = Infinity
  const importAccount = async (account: Account) => {
    left -= 1
    if (left < 0) throw new Error('cut off')
    const name = `${account.partner} ${account.name}`
    if (!brought.has(name)) brought.set(name, account)
    return {}
  }
  const findAccount = async ({ sellerId }: FindAccountRequest) => {
    const name = enabled.get(sellerId)
    if (name === undefined) throw noEstablishment()
    return { name }
  }
  return {
    enabled,
    importAccount,
    findAccount,
    /** An imported account, by its partner and name. */
    get: (partner: string, name: string) => brought.get(`${partner} ${name}`),
    /** Fails each import after the next `count`. */
    cutOff: (count: number) => void (left = count),
  }
}

export function noEstablishment(): DomainError {
  return new DomainError('failed_precondition', 'NO_ESTABLISHMENT', 'The seller has no such account.')
}
