/** The areas that a token may be for: the first part of a scope. */
export const SCOPE_AREAS = [
  'customers',
  'products',
  'cards',
  'orders',
  'vouchers',
  'invoices',
  'disputes',
  'webhooks',
] as const
const RIGHTS = ['read', 'write'] as const

export type ScopeArea = (typeof SCOPE_AREAS)[number]

/** A right of a token: `cards:write`. Writing does not include reading. */
export type Scope = `${ScopeArea}:${(typeof RIGHTS)[number]}`

export function scopesOf(area: ScopeArea): Scope[] {
  return RIGHTS.map((right): Scope => `${area}:${right}`)
}

export const SCOPES: readonly Scope[] = SCOPE_AREAS.flatMap(scopesOf)
