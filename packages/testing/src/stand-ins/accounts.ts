import { DomainError } from '@cofre/platform/errors'
import type {
  CreateEstablishmentRequest,
  Establishment,
  FindAccountRequest,
  ListEstablishmentsRequest,
} from '@cofre/proto/orders/v1/orders'

/** Establishments in memory. `enabled`: of each seller, the merchant whose account network tokens are asked for with. */
export function createAccounts() {
  const establishments: Establishment[] = []
  const enabled = new Map<number, string>()
  const admin = {
    createEstablishment: async (asked: CreateEstablishmentRequest) => {
      const { merchantKey: _secret, ...shown } = asked
      const made = { ...shown, id: establishments.length + 1, createdAt: 1_767_225_600_000 }
      establishments.push(made)
      return made
    },
    listEstablishments: async ({ sellerId }: ListEstablishmentsRequest) => ({
      establishments: establishments.filter((one) => one.sellerId === sellerId),
    }),
  }
  const findAccount = async ({ sellerId, merchantId }: FindAccountRequest) => {
    const account = merchantId ?? enabled.get(sellerId)
    if (account !== undefined) return { merchantId: account, merchantKey: 'K'.repeat(40) }
    throw new DomainError('failed_precondition', 'NO_NETWORK_TOKEN_ESTABLISHMENT', 'There is none.')
  }
  return { establishments, enabled, admin, findAccount }
}
