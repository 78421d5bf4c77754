import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'

export type CardType = 'MEAL' | 'FOOD'

/** The issuers' dialects known here; the settings of a brand name one. */
export type Dialect = 'alelo' | 'vr' | 'ticket'

type Named = { name: string; cardTypes: readonly CardType[] }

/** A brand that is shown but can't be used yet. `availableFrom`: YYYY-MM-DD. */
type AnnouncedBrand = Named & { flow: 'CARD_NUMBER' | 'REDIRECT'; availableFrom: string }

/** `partner`: the vault's partner for the issuer, at which the sellers have their accounts. */
type Usable = Named & { availableFrom?: undefined; dialect: Dialect; partner: string }

export type NumberBrand = Usable & {
  flow: 'CARD_NUMBER'
  /** First digits of its numbers. */
  prefixes: readonly string[]
  /** How many digits a number of the brand may have. */
  lengths: readonly number[]
}

/** The card's holder signs in with an OpenID provider of the brand (OpenID Connect Core 1.0) and picks a card. */
export type RedirectBrand = Usable & { flow: 'REDIRECT'; holderPartner: string; identity: Identity }

export type Identity = {
  /** The vault's partner for its token endpoint. The name of a seller's account there is its client id. */
  partner: string
  issuer: string
  /** Where browsers are sent. Without it, the provider's discovery document names this and every other endpoint. */
  authorizationEndpoint?: string | undefined
  /** The paths that the vault calls, where they are not the usual ones. `revocation` null: the provider has none. */
  paths?:
    | { token?: string | undefined; keys?: string | undefined; revocation?: string | null | undefined }
    | undefined
  /** Requested in addition to openid and offline_access. */
  scope: string
  acrValues: string
  uiLocales: string
}

export type UsableBrand = NumberBrand | RedirectBrand
export type Brand = AnnouncedBrand | UsableBrand
export type Brands = ReadonlyMap<string, Brand>

/** Throws FAILED_PRECONDITION VOUCHER_BRAND_UNSUPPORTED, with `availableFrom` for an announced brand. */
export function usableBrand(brands: Brands, name: string, pointer: string): UsableBrand {
  const brand = brands.get(name)
  if (!brand) throw unsupported('This voucher brand is not supported.', pointer)
  if (brand.availableFrom === undefined) return brand
  const members = { availableFrom: brand.availableFrom }
  throw unsupported(`This voucher brand is supported from ${brand.availableFrom} on.`, pointer, members)
}

/** The brand of a path segment, in upper or lower case, when its flow is the redirect. */
export function redirectBrand(brands: Brands, segment: string): RedirectBrand | undefined {
  const brand = brands.get(segment.toUpperCase())
  return brand?.availableFrom === undefined && brand?.flow === 'REDIRECT' ? brand : undefined
}

/** True when the number has a prefix and a length of the brand. Vouchers have no common check digit. */
export function isNumberOf(
  { prefixes, lengths }: NumberBrand,
  number: { bin: string; length: number },
): boolean {
  return lengths.includes(number.length) && prefixes.some((prefix) => number.bin.startsWith(prefix))
}

export function unsupported(
  message: string,
  pointer: string,
  members?: Record<string, unknown>,
): DomainError {
  return refused('VOUCHER_BRAND_UNSUPPORTED', message, pointer, members)
}

/** The error FAILED_PRECONDITION with one fault at `pointer`. */
export function refused(
  code: Reason,
  message: string,
  pointer: string,
  members?: Record<string, unknown>,
): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors, ...(members ? { members } : {}) })
}
