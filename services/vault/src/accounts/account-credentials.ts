import { DomainError } from '@cofre/platform/errors'
import type { Partners } from '../partners/open-partners'
import type { PartnerSetting } from '../partners/partners'
import { CLIENT_PAIR, type Credentials } from './account'

/** The credentials with which access tokens are had. */
const CLIENT = ['clientId', 'clientSecret']

/** The names of the credentials that the calls of a partner need. */
export function credentialsOf(setting: PartnerSetting): string[] {
  const { credentials, bodyCredentials, oauth, clientCertificate } = setting
  return [
    ...Object.values(credentials),
    ...Object.values(bodyCredentials),
    ...(oauth ? CLIENT : []),
    ...(clientCertificate ? CLIENT_PAIR : []),
  ]
}

/** Returns, sorted, the credential names of an account at the partner: all that any of its addresses needs. */
export function credentialsAt(partners: Partners, partner: string): string[] {
  const names = [...partners]
    .filter(([name, { setting }]) => (setting.accountsOf ?? name) === partner)
    .flatMap(([, { setting }]) => credentialsOf(setting))
  return [...new Set(names)].toSorted()
}

/**
 * Throws for an account that no call could use. NOT_FOUND when the partner has no accounts of its own;
 * VALIDATION_FAILED when credentials are missing or unknown. The message names them and never shows a value.
 */
export function checkCredentials(partners: Partners, partner: string, credentials: Credentials): void {
  const wanted = credentialsAt(partners, partner)
  if (wanted.length === 0) throw noSuchPartner(partners, partner)
  const missing = wanted.filter((name) => credentials[name] === undefined)
  const unknown = Object.keys(credentials).filter((name) => !wanted.includes(name))
  if (missing.length === 0 && unknown.length === 0) return
  const faults = [
    missing.length > 0 ? `${missing.join(', ')} missing` : '',
    unknown.length > 0 ? `${unknown.toSorted().join(', ')} unknown` : '',
  ]
  const message = `An account at ${partner} has the credentials ${wanted.join(', ')}: ${faults.filter(Boolean).join('; ')}.`
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', message)
}

function noSuchPartner(partners: Partners, partner: string): DomainError {
  const accountsOf = partners.get(partner)?.setting.accountsOf
  const known = [...partners.keys()].filter((name) => credentialsAt(partners, name).length > 0).toSorted()
  const message = accountsOf
    ? `Calls to ${partner} are made with the accounts at ${accountsOf}.`
    : `The vault’s settings name no such partner with accounts. They name ${known.join(', ') || 'none'}.`
  return new DomainError('not_found', 'NOT_FOUND', message)
}
