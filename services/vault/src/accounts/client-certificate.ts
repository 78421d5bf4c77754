import { createPrivateKey, X509Certificate } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { Credentials } from './account'

/** When an account's client certificate expires, epoch milliseconds; undefined when it has none. */
export function certificateExpiresAt({ certificate }: Credentials): number | undefined {
  return certificate === undefined ? undefined : Date.parse(new X509Certificate(certificate).validTo)
}

/** Throws VALIDATION_FAILED unless an account's certificate and private key are a pair that a call can use now. */
export function checkClientPair({ certificate, privateKey }: Credentials, now: number): void {
  if (certificate === undefined && privateKey === undefined) return
  const parsed = parsedOr(
    () => new X509Certificate(certificate ?? ''),
    'The certificate is not a PEM certificate.',
  )
  const key = parsedOr(
    () => createPrivateKey(privateKey ?? ''),
    'The private key is not a PEM key, or it has a passphrase. Remove the passphrase.',
  )
  if (!parsed.checkPrivateKey(key)) throw refused('The private key does not belong to the certificate.')
  if (Date.parse(parsed.validTo) <= now) throw refused(`The certificate expired on ${parsed.validTo}.`)
}

function parsedOr<T>(parse: () => T, message: string): T {
  try {
    return parse()
  } catch {
    // The parser's own words may hold a part of the text, which is secret.
    throw refused(message)
  }
}

function refused(message: string): DomainError {
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', message)
}
