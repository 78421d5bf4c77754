import type { Sale, SentCard, StoredCredential } from '../acquirer/acquirer'
import { marksStoredCards } from './card-brand'

/** The members of a sale that say who is there and that its card is kept. Undefined members are left out. */
type StoredCredentialMembers = {
  CardOnFile: object | undefined
  InitiatedTransactionIndicator: object | undefined
  Recurrent: true | undefined
  IssuerTransactionId: string | undefined
}

type KnownCard = Omit<SentCard, 'reference'>

/**
 * The marks of a kept card, as the acquirer's manual and the brands want them: First with the payment from which on the
 * card is kept, then Used, with a reason, and with the issuer's id of the payment before.
 */
export function storedCredentialMembers({
  card,
  brandIsGuess,
  credential,
}: KnownCard): StoredCredentialMembers {
  const isMarked = credential && marksStoredCards({ brand: card.brand, isGuess: brandIsGuess })
  return {
    CardOnFile: isMarked ? cardOnFile(credential) : undefined,
    InitiatedTransactionIndicator:
      isMarked && card.brand === 'MASTERCARD' ? indicator(credential) : undefined,
    // It allows a sale without a CVV, of every brand; the acquirer makes no schedule.
    Recurrent: credential && isMerchants(credential) && credential.reason === 'RECURRING' ? true : undefined,
    IssuerTransactionId: isMarked ? credential.lastSaleId || undefined : undefined,
  }
}

/** Mastercard wants no cryptogram with a network token that the merchant charges: the issuer's id stands for it. */
export function needsCryptogram({ card, credential }: Pick<Sale, 'card' | 'credential'>): boolean {
  const isMastercards = card.brand === 'MASTERCARD' && credential !== undefined
  return !(isMastercards && isMerchants(credential) && credential.lastSaleId)
}

function isMerchants({ initiator }: StoredCredential): boolean {
  return initiator === 'MERCHANT'
}

const REASONS = { RECURRING: 'Recurring', INSTALLMENTS: 'Installments', UNSCHEDULED: 'Unscheduled' } as const

function cardOnFile(credential: StoredCredential): object {
  const reason = REASONS[credential.reason]
  if (credential.lastSaleId !== undefined) return { Usage: 'Used', Reason: reason }
  return { Usage: 'First', Reason: isMerchants(credential) ? reason : undefined }
}

// A plan asks the same amount each time: a StandingOrder would be one whose amount varies.
const SUBCATEGORIES = {
  RECURRING: 'Subscription',
  INSTALLMENTS: 'Installment',
  UNSCHEDULED: 'CredentialsOnFile',
} as const

/** Mastercard's own words: C1, the cardholder began the payment; M1, the merchant did. */
function indicator(credential: StoredCredential): object {
  return {
    Category: isMerchants(credential) ? 'M1' : 'C1',
    Subcategory: SUBCATEGORIES[credential.reason],
  }
}
