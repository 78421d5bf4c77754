import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Brands, Dialect } from '../brands/brand'
import { openAleloIssuer } from './alelo-issuer'
import type { Issuer } from './issuer'
import { openVrIssuer } from './vr-issuer'

const DIALECTS: Record<Dialect, (vault: VaultClient, partner: string) => Issuer> = {
  alelo: openAleloIssuer,
  vr: openVrIssuer,
}

/** The issuer of each brand that can be used, by the brand's name. */
export type Issuers = ReadonlyMap<string, Issuer>

export function openIssuers(vault: VaultClient, brands: Brands): Issuers {
  return new Map(
    [...brands.values()].flatMap((brand) =>
      brand.availableFrom === undefined
        ? [[brand.name, DIALECTS[brand.dialect](vault, brand.partner)] as const]
        : [],
    ),
  )
}
