import type {
  CreateEstablishmentRequest,
  Establishment,
  ListEstablishmentsRequest,
} from '@cofre/proto/orders/v1/orders'

const PAGE_SIZE = 1_000

/** Establishments in memory. */
export function createEstablishments() {
  const establishments: Establishment[] = []
  const admin = {
    createEstablishment: async (asked: CreateEstablishmentRequest) => {
      const made = { ...asked, id: establishments.length + 1, createdAt: 1_767_225_600_000 }
      establishments.push(made)
      return made
    },
    listEstablishments: async ({ sellerId, after = 0 }: ListEstablishmentsRequest) => {
      const following = establishments.filter((one) => one.sellerId === sellerId && one.id > after)
      return { establishments: following.slice(0, PAGE_SIZE), more: following.length > PAGE_SIZE }
    },
  }
  return { establishments, admin }
}
