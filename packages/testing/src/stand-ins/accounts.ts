import { DomainError } from '@cofre/platform/errors'
import type { Account, FindAccountRequest } from '@cofre/proto/vault/v1/vault'

/** The name of the one account that the stand-in of the vault has no credentials of; of every other it has some. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/** The vault's accounts in memory. `enabled`: of each seller, the merchant whose account network tokens are asked for with. */
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
    /** An account that was brought, by its partner and name. */
    get: (partner: string, name: string) => brought.get(`${partner} ${name}`),
    /** Fails each account that comes after the next `count`. */
    cutOff: (count: number) => void (left = count),
  }
}

export function noEstablishment(): DomainError {
  return new DomainError('failed_precondition', 'NO_ESTABLISHMENT', 'The seller has no such account.')
}
