import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Brands, UsableBrand } from '../brands/brand'
import type { Grants } from '../redirect/grants'
import { openAleloIssuer } from './alelo-issuer'
import type { Issuer } from './issuer'
import { openTicketIssuer } from './ticket-issuer'
import { openVrIssuer } from './vr-issuer'

/** The issuer of each brand that can be used, by the brand's name. */
export type Issuers = ReadonlyMap<string, Issuer>

export function openIssuers(vault: VaultClient, brands: Brands, grants: Grants): Issuers {
  return new Map(
    [...brands.values()].flatMap((brand) =>
      brand.availableFrom === undefined ? [[brand.name, openIssuer(vault, brand, grants)] as const] : [],
    ),
  )
}

function openIssuer(vault: VaultClient, brand: UsableBrand, grants: Grants): Issuer {
  if (brand.flow === 'REDIRECT') return openTicketIssuer(vault, brand, grants)
  return brand.dialect === 'vr' ? openVrIssuer(vault, brand.partner) : openAleloIssuer(vault, brand.partner)
}
