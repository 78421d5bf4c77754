import type { Establishment, ListEstablishmentsResponse } from '@cofre/proto/orders/v1/orders'
import { DomainError } from '@cofre/platform/errors'
import type { Admin } from './admin-client'
import { readAll } from './read-all'

export type NewEstablishment = {
  sellerId: number
  /** The seller's store; absent for the default one. */
  affiliateId?: number
  /** The acquirer's name; absent: cielo. */
  acquirer?: string
  merchantId: string
  merchantKey: string
  networkTokens: boolean
  retryWithCard: boolean
  /** The acquirer's number of the merchant; absent: its disputes are not asked for. */
  establishmentNumber?: string
}

const CIELO = 'cielo'

/**
 * Adds a seller's account at an acquirer, or replaces its key. The vault stores the key;
 * orders learns which store uses it. A repeated call completes an interrupted one.
 */
export async function createEstablishment(
  admin: Admin,
  { merchantKey, ...establishment }: NewEstablishment,
): Promise<Establishment> {
  const { sellerId, merchantId, acquirer = CIELO } = establishment
  // Cielo is two partners of the vault. Each other acquirer is one, with its own name.
  const partner = acquirer === CIELO ? 'acquirer' : acquirer
  const account = { sellerId, name: merchantId, credentials: { merchantId, merchantKey } }
  // First, so that no charge finds the establishment without its key. Nothing uses the key until orders names it.
  await admin.on('vault')('putAccount', { ...account, partner })
  const created = await admin.on('orders')<Establishment>('createEstablishment', establishment)
  if (acquirer !== CIELO && !establishment.networkTokens) return created
  const preference = tokenPreference(await readEstablishments(admin, sellerId), merchantId)
  // Also without network tokens: existing ones then use the new key.
  const tokens = { ...account, partner: 'token-service', ...(preference === undefined ? {} : { preference }) }
  await admin
    .on('vault')('putAccount', tokens)
    .catch((error: unknown) => {
      // If the vault knows no token service, nobody has a network token.
      const isAbsent = error instanceof DomainError && error.kind === 'not_found'
      if (!isAbsent || establishment.networkTokens) throw error
    })
  return created
}

/** Returns all establishments of a seller. */
export function readEstablishments(admin: Admin, sellerId: number): Promise<Establishment[]> {
  return readAll<Establishment>(async (after) => {
    const request = { sellerId, after }
    const answer = await admin.on('orders')<ListEstablishmentsResponse>('listEstablishments', request)
    return { entries: answer.establishments, more: answer.more }
  })
}

/** Requests for tokens use the account of the default store, else of the store with the lowest number. */
function tokenPreference(establishments: readonly Establishment[], merchantId: string): number | undefined {
  const places = establishments
    .filter((one) => one.merchantId === merchantId && one.networkTokens)
    .map(({ affiliateId }) => (affiliateId === undefined ? 0 : affiliateId + 1))
  return places.length > 0 ? Math.min(...places) : undefined
}
