import type { SaleRequest } from './sale-request'

type PaymentRequest = NonNullable<SaleRequest['payment']>

const ECI_MAX = 2
const CAVV_MAX = 28
const REFERENCE_MAX = 36

const AUTHENTICATED: Record<string, readonly string[]> = {
  Visa: ['05', '06'],
  Elo: ['05', '06'],
  Amex: ['05', '06'],
  Master: ['02', '01'],
}

/**
 * Returns the ECI that goes to the issuer: the seller's own when it proves an authentication.
 * As at Cielo, a sale whose authentication proves nothing continues without one; only `Payment.Eci` shows it.
 */
export function effectiveEci(payment: SaleRequest['payment'], brand: string): string | undefined {
  const sent = payment?.externalAuthentication
  if (!sent) return undefined
  if (sent.dataOnly) return sent.eci
  const eci = (sent.eci ?? '').padStart(ECI_MAX, '0')
  const proves = payment.authenticate && isWhole(sent) && AUTHENTICATED[brand]?.includes(eci)
  return proves ? eci : brand === 'Master' ? '00' : '07'
}

/** True when a field is too long: the only defect that Cielo itself refuses. */
export function isTooLong(sent: PaymentRequest['externalAuthentication']): boolean {
  const { eci = '', cavv = '', referenceId = '' } = sent ?? {}
  return eci.length > ECI_MAX || cavv.length > CAVV_MAX || referenceId.length > REFERENCE_MAX
}

function isWhole({
  cavv = '',
  version = '',
}: NonNullable<PaymentRequest['externalAuthentication']>): boolean {
  return version.startsWith('2') && /^[A-Za-z0-9+/]{26,28}={0,2}$/.test(cavv) && cavv.length === CAVV_MAX
}
