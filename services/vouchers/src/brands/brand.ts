import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'

export type CardType = 'MEAL' | 'FOOD'

/** The issuers' dialects that are known here; which brand speaks which is a setting. */
export type Dialect = 'alelo' | 'vr'

/** A brand that is only announced has `availableFrom` (YYYY-MM-DD) and can't be used. */
export type Brand = {
  name: string
  flow: 'CARD_NUMBER'
  cardTypes: readonly CardType[]
} & (
  | { availableFrom: string }
  | {
      availableFrom?: undefined
      dialect: Dialect
      /** The vault's partner that plays the issuer. */
      partner: string
      prefixes: readonly string[]
      /** How many digits a number of the brand may have. */
      lengths: readonly number[]
    }
)

/** A brand that can be used. */
export type UsableBrand = Extract<Brand, { dialect: Dialect }>

export type Brands = ReadonlyMap<string, Brand>

/** FAILED_PRECONDITION VOUCHER_BRAND_UNSUPPORTED; with `availableFrom` for one that is announced. */
export function usableBrand(brands: Brands, name: string, pointer: string): UsableBrand {
  const brand = brands.get(name)
  if (!brand) throw unsupported('This voucher brand is not supported.', pointer)
  if (brand.availableFrom === undefined) return brand
  const members = { availableFrom: brand.availableFrom }
  throw unsupported(`This voucher brand is supported from ${brand.availableFrom} on.`, pointer, members)
}

/** Vouchers have no common check digit: a brand's prefixes and lengths are all that a number shows. */
export function isNumberOf(
  { prefixes, lengths }: UsableBrand,
  number: { bin: string; length: number },
): boolean {
  return lengths.includes(number.length) && prefixes.some((prefix) => number.bin.startsWith(prefix))
}

function unsupported(message: string, pointer: string, members?: Record<string, unknown>): DomainError {
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
