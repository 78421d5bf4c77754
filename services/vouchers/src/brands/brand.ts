import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'

export type CardType = 'MEAL' | 'FOOD'

/** The issuers' dialects that are known here; which brand speaks which is a setting. */
export type Dialect = 'alelo' | 'vr' | 'ticket'

type Named = { name: string; cardTypes: readonly CardType[] }

/** It is shown and can't be used. `availableFrom`: YYYY-MM-DD. */
type AnnouncedBrand = Named & { flow: 'CARD_NUMBER' | 'REDIRECT'; availableFrom: string }

/** `partner`: the vault's partner that plays the issuer, and at which the sellers' accounts are. */
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
  authorizationEndpoint: string
  /** Beside openid and offline_access. */
  scope: string
  acrValues: string
  uiLocales: string
}

export type UsableBrand = NumberBrand | RedirectBrand
export type Brand = AnnouncedBrand | UsableBrand
export type Brands = ReadonlyMap<string, Brand>

/** FAILED_PRECONDITION VOUCHER_BRAND_UNSUPPORTED; with `availableFrom` for one that is announced. */
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

/** Vouchers have no common check digit: a brand's prefixes and lengths are all that a number shows. */
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

/** FAILED_PRECONDITION with one fault at `pointer`. */
export function refused(
  code: Reason,
  message: string,
  pointer: string,
  members?: Record<string, unknown>,
): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors, ...(members ? { members } : {}) })
}
