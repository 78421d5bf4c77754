import { redeem, type TokenDecline } from '../token-service/redeem'
import type { Acquirer } from './acquirer'
import { cardOutcome, type Outcome } from './card-outcome'
import type { Sale } from './payment'
import type { SaleRequest } from './sale-request'
import { brandNamed } from './sale-rules'

/** Mastercard's advice code: token requirements not met. */
const ADVICE = '04'

type TokenSaleOutcome = {
  outcome: Outcome
  mark: Pick<Sale, 'networkToken'>
  /** The last four digits of the card behind the token; undefined when there is no such token. */
  cardLastFour: string | undefined
}

/** Returns the outcome of the card behind a network token; undefined for a sale on a card number. */
export function tokenSaleOutcome(
  { tokenService }: Acquirer,
  merchantId: string,
  { merchantOrderId = '', payment }: SaleRequest,
  now: number,
): TokenSaleOutcome | undefined {
  const { cardNumber = '', expirationDate = '', cryptogram, brand } = payment?.creditCard ?? {}
  const sale = {
    merchantId,
    merchantOrderId,
    number: cardNumber,
    expirationDate,
    cryptogram,
    recurring: payment?.issuerTransactionId !== undefined,
  }
  const redeemed = redeem(tokenService, sale, now)
  if (!redeemed) return undefined
  const { token, decline } = redeemed
  const outcome = decline ? declined(decline, brandNamed(brand)) : cardOutcome(token?.card.lastFour ?? '')
  const mark = token && { id: token.id, cryptogramLastFour: cryptogram?.slice(-5, -1) ?? null }
  return { outcome, mark: { ...(mark && { networkToken: mark }) }, cardLastFour: token?.card.lastFour }
}

function declined(returnCode: TokenDecline, brand: string | undefined): Outcome {
  const advised = brand === 'Master' && returnCode !== '54'
  return {
    approved: false,
    returnCode,
    message: 'Autorizacao negada',
    merchantAdviceCode: advised ? ADVICE : null,
  }
}
