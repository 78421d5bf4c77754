import { SCOPES, type Scope } from '@cofre/api/scopes'
import { isDay, startOf } from '@cofre/platform/calendar-day'
import { holdsCardNumber, LOOKS_LIKE_CARD } from '@cofre/platform/card/card-number'
import { DomainError } from '@cofre/platform/errors'

/** An API token as the database knows it. Times are epoch milliseconds; no scopes means all. */
export type Token = {
  /** The JWT's `jti`. */
  id: string
  /** The signing key under which it was made. */
  kid: string
  sellerId: number
  title: string
  scopes: readonly Scope[]
  /** The e-mail of the person who made it in the portal. Null: an operator made it. */
  madeBy: string | null
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  revokedAt: number | null
}

/** The token of a request. `lenient`: unknown members in the bodies of its seller are ignored. */
export type UsedToken = Token & { lenient: boolean }

/** True when a text has the form of our `jti`. */
export function isTokenId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

export type TokenStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED'

export function tokenStatus(token: Pick<Token, 'expiresAt' | 'revokedAt'>, now: number): TokenStatus {
  if (token.revokedAt !== null) return 'REVOKED'
  return token.expiresAt !== null && token.expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
}

export function mayUse(token: Pick<Token, 'scopes'>, scope: Scope): boolean {
  return token.scopes.length === 0 || token.scopes.includes(scope)
}

export type TokenRequest = {
  sellerId: number
  title: string
  expiresOn?: string
  /** At least one, unless `allScopes`. */
  scopes: readonly string[]
  /** Every scope, also those of later versions. Only on request, never the default. */
  allScopes?: boolean
  /** The e-mail of the person who asks for it in the portal. */
  madeBy?: string
}

/**
 * Checks a person's request for a token. `expiresOn` (YYYY-MM-DD) becomes the first instant of that day in
 * America/Sao_Paulo. Throws VALIDATION_FAILED with a pointer for each fault.
 */
export function checkTokenRequest(request: TokenRequest) {
  const title = request.title.trim()
  const expiresAt = request.expiresOn ? firstInstantOf(request.expiresOn) : null
  const faults = [
    title === '' && fault('#/title', 'REQUIRED', 'is required'),
    title.length > 255 && fault('#/title', 'LENGTH', 'must have at most 255 characters'),
    title.length <= 255 && holdsCardNumber(title) && fault('#/title', 'CARD_DATA_MISPLACED', LOOKS_LIKE_CARD),
    expiresAt === undefined && fault('#/expiresOn', 'FORMAT', 'must be a date, YYYY-MM-DD'),
    scopesFault(request),
  ].filter((found) => found !== false)
  if (faults.length > 0) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The token is not valid: see errors.', {
      errors: faults,
    })
  }
  return {
    title,
    expiresAt: expiresAt ?? null,
    scopes: SCOPES.filter((name) => request.scopes.includes(name)),
  }
}

function scopesFault({ scopes, allScopes = false }: TokenRequest) {
  if (!scopes.every(isScope)) {
    return fault('#/scopes', 'ENUM', 'must be scopes such as cards:read or orders:write')
  }
  if (allScopes && scopes.length > 0) {
    return fault('#/scopes', 'CONFLICT', 'must be empty when the token gets all scopes')
  }
  return (
    !allScopes &&
    scopes.length === 0 &&
    fault('#/scopes', 'REQUIRED', 'must name at least one scope, or ask for all scopes')
  )
}

function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name)
}

function fault(pointer: string, code: string, detail: string) {
  return { pointer, code, detail }
}

/** Returns the first instant of a day in America/Sao_Paulo, in epoch milliseconds; undefined when it is no date. */
export function firstInstantOf(day: string): number | undefined {
  return isDay(day) ? startOf(day) : undefined
}
