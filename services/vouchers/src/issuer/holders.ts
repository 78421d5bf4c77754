import type { Pool } from '@cofre/platform/postgres/postgres'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { redirectBrand, type Brands } from '../brands/brand'
import type { Grants } from '../redirect/grants'
import { findToken } from '../tokens/token-store'
import { readTicketCard, type Holders } from './ticket-issuer'

/** Opens the cards of holders; each is read from the issuer of its token's brand. */
export function openHolders(vault: VaultClient, brands: Brands, pool: Pool, grants: Grants): Holders {
  return {
    card: async (key, deadline) => {
      const token = await findToken(pool, key)
      const brand = token && redirectBrand(brands, token.brand)
      return token && brand ? readTicketCard(vault, brand, grants, token, deadline) : { result: 'unknown' }
    },
  }
}
