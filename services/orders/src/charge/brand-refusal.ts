import type { Reason } from '@cofre/platform/reason'
import { DomainError } from '@cofre/platform/errors'
import type { Capabilities } from '../acquirer/capabilities'

/** `isGuess`: other brands may have issued the card too. The acquirer knows, so a guess refuses no more than the name. */
export type KnownBrand = { brand: string; isGuess: boolean }

/** Returns why an acquirer does not take a payment with a card of this brand. */
export function brandRefusal(
  { brands }: Pick<Capabilities, 'brands'>,
  { brand, isGuess }: KnownBrand,
  { amount, installments }: { amount: number; installments: number },
  pointer: string,
): DomainError | undefined {
  const terms = brands[brand]
  if (!terms) {
    return cardRefused('CARD_BRAND_UNSUPPORTED', 'The acquirer does not accept this card brand.', pointer)
  }
  if (isGuess) return undefined
  if (amount === 0 && !terms.verification) return cardRefused('CARD_BRAND_UNSUPPORTED', NOT_VERIFIED, pointer)
  if (installments > 1 && !terms.installments) {
    return cardRefused('INSTALLMENTS_NOT_ALLOWED', 'This card brand does not allow installments.', pointer)
  }
  return undefined
}

const NOT_VERIFIED =
  'The acquirer accepts this card brand but cannot verify its cards with amount 0. ' +
  'Skip the verification, or authorize the real amount.'

/** FAILED_PRECONDITION with this reason, which the fault of the member repeats. */
export function cardRefused(code: Reason, message: string, pointer: string): DomainError {
  return new DomainError('failed_precondition', code, message, {
    errors: [{ pointer, code, detail: message }],
  })
}
