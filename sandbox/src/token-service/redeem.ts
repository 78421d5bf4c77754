import { isGood } from './cryptogram'
import { isPast } from './issuance-outcome'
import type { NetworkToken } from './token'
import type { TokenService } from './token-service'

/** The part of a sale that identifies the network token. */
export type TokenSale = {
  merchantId: string
  merchantOrderId: string
  number: string
  /** `MM/YYYY` */
  expirationDate: string
  cryptogram: string | undefined
  /** The sale refers to an earlier one, and needs no cryptogram. */
  recurring: boolean
}

/** ABECS codes: 57, the token is unknown or not active; 54, it has expired; 12, the cryptogram is wrong. */
export type TokenDecline = '57' | '54' | '12'

export type Redeemed = { token: NetworkToken | undefined; decline: TokenDecline | undefined }

/** Redeems a sale's cryptogram, which is used up whatever the outcome. Undefined for a sale without a network token. */
export function redeem(service: TokenService, sale: TokenSale, now: number): Redeemed | undefined {
  const { number, cryptogram: value } = sale
  const token = service.tokens.findByNumber(number)
  if (!token) return value === undefined ? undefined : { token, decline: '57' }
  if (token.merchantId !== sale.merchantId) return { token: undefined, decline: '57' }

  const cryptogram = value === undefined ? undefined : service.cryptograms.find(value)
  const good = cryptogram?.tokenId === token.id && isGood(cryptogram, now)
  if (good) service.cryptograms.use(cryptogram, sale.merchantOrderId, now)
  const covered = good || (value === undefined && sale.recurring)
  return { token, decline: declineOf(token, sale.expirationDate, covered, now) }
}

function declineOf(
  token: NetworkToken,
  expirationDate: string,
  covered: boolean,
  now: number,
): TokenDecline | undefined {
  if (token.status !== 'ACTIVE') return '57'
  const { expirationMonth, expirationYear } = token
  const expiration = `${String(expirationMonth).padStart(2, '0')}/${expirationYear}`
  if (expirationDate !== expiration || isPast(expirationMonth, expirationYear, new Date(now))) return '54'
  return covered ? undefined : '12'
}
