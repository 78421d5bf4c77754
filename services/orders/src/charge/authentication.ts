import { createHash } from 'node:crypto'
import { DomainError, type FieldError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest, PaymentRequest } from '@cofre/proto/orders/v1/orders'

/** The stored part of a payer's 3-D Secure authentication. A hash is enough to recognize its value. */
export type Authentication = {
  /** Two digits. */
  eci: string
  version: string
  /** SHA-256 of the value in hexadecimal; null without a value. */
  valueHash: string | null
}

const ECI = /^\d{1,2}$/
// Version 1 is switched off at the card schemes.
const VERSION = /^2\.\d{1,2}\.\d{1,2}$/
// 19 to 21 bytes. Issuers' own values are not always canonical base64.
const VALUE = /^(?=.{28}$)[A-Za-z0-9+/]{26,28}={0,2}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const VALUE_AT = '/authenticationValue'

type Outcomes = { authenticated: readonly string[]; notAuthenticated: readonly string[] }

// From the schemes' tables: authenticated by the issuer or by the scheme; not authenticated. Data Only (04) is neither.
const VISA_LIKE: Outcomes = { authenticated: ['05', '06'], notAuthenticated: ['07'] }
const ECIS: Record<string, Outcomes> = {
  VISA: VISA_LIKE,
  ELO: VISA_LIKE,
  AMEX: VISA_LIKE,
  MASTERCARD: { authenticated: ['02', '01'], notAuthenticated: ['00'] },
}

/** The ECI with two digits: some authentication servers omit the leading zero. */
export function eciOf({ eci }: { eci: string }): string {
  return eci.padStart(2, '0')
}

/** True when the issuer, or the scheme in its place, authenticated the payer. These ECIs mean no less at any brand. */
export function isAuthenticated(authentication: { eci: string }): boolean {
  return Object.values(ECIS).some(({ authenticated }) => authenticated.includes(eciOf(authentication)))
}

/**
 * The effect of an authentication at the acquirer. `acquirerEci` is empty when it returned none. `downgraded`: the
 * ECI that was sent moves the liability to the issuer, and the returned one does not.
 */
export function effectOf(
  { eci }: Authentication,
  acquirerEci: string,
): { eci: string; acquirerEci: string; downgraded: boolean } {
  const downgraded = isAuthenticated({ eci }) && acquirerEci !== '' && !isAuthenticated({ eci: acquirerEci })
  return { eci, acquirerEci, downgraded }
}

/** Returns the faults in the format of an authentication, with pointers below `at`. */
export function authenticationFaults({ authentication, amount }: PaymentRequest, at: string): FieldError[] {
  if (!authentication) return []
  const { eci, version, authenticationValue: value, referenceId } = authentication
  const found: [wrong: boolean, member: string, code: string, detail: string][] = [
    [amount === 0, '', 'MIN', 'requires an amount of at least 1'],
    [!ECI.test(eci), '/eci', 'FORMAT', 'must be two digits'],
    [!VERSION.test(version), '/version', 'FORMAT', 'must be a version of 3-D Secure 2, such as 2.2.0'],
    [value !== '' && !VALUE.test(value), VALUE_AT, 'FORMAT', 'must be 28 characters of base64'],
    [value === '' && isAuthenticated(authentication), VALUE_AT, 'REQUIRED', 'is required with this eci'],
    [referenceId !== '' && !UUID.test(referenceId), '/referenceId', 'FORMAT', 'must be a UUID'],
  ]
  return found
    .filter(([wrong]) => wrong)
    .map(([, member, code, detail]) => ({ pointer: `${at}${member}`, code, detail }))
}

/** The pointer to an authentication in the caller's body. A direct charge has only one payment. */
export function authenticationPointer({ capture }: AuthorizeOrderRequest, position: number): string {
  return capture ? '#/threeDSecure' : `#/payments/${position}/authentication`
}

/**
 * Returns FAILED_PRECONDITION when the brand does not use this ECI, or has no table of ECIs. `isGuess`: other brands may have
 * issued the card too.
 */
export function authenticationRefusal(
  { authentication }: PaymentRequest,
  { brand, isGuess }: { brand: string; isGuess: boolean },
  pointer: string,
): DomainError | undefined {
  if (!authentication || isGuess) return undefined
  const { authenticated, notAuthenticated } = ECIS[brand] ?? { authenticated: [], notAuthenticated: [] }
  if ([...authenticated, ...notAuthenticated].includes(eciOf(authentication))) return undefined
  return authenticationUnusable('The card brand does not use this ECI.', `${pointer}/eci`)
}

/** FAILED_PRECONDITION AUTHENTICATION_UNUSABLE. */
export function authenticationUnusable(message: string, pointer: string): DomainError {
  return new DomainError('failed_precondition', 'AUTHENTICATION_UNUSABLE', message, {
    errors: [{ pointer, code: 'AUTHENTICATION_UNUSABLE', detail: message }],
  })
}

/** Returns the stored part. It hashes the value's bytes, because base64 may spell the same bytes in several ways. */
export function authenticationOf({ authentication }: PaymentRequest): Authentication | null {
  if (!authentication) return null
  const { version, authenticationValue: value } = authentication
  const valueHash =
    value === '' ? null : createHash('sha256').update(Buffer.from(value, 'base64')).digest('hex')
  return { eci: eciOf(authentication), version, valueHash }
}
