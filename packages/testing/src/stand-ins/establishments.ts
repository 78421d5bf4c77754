import type {
  CreateEstablishmentRequest,
  Establishment,
  ListEstablishmentsRequest,
} from '@cofre/proto/orders/v1/orders'

/** Establishments in memory. */
export function createEstablishments() {
  const establishments: Establishment[] = []
  const admin = {
    createEstablishment: async (asked: CreateEstablishmentRequest) => {
      const made = { ...asked, id: establishments.length + 1, createdAt: 1_767_225_600_000 }
      establishments.push(made)
      return made
    },
    listEstablishments: async ({ sellerId }: ListEstablishmentsRequest) => ({
      establishments: establishments.filter((one) => one.sellerId === sellerId),
    }),
  }
  return { establishments, admin }
}
