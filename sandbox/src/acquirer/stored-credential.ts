import type { Outcome } from './card-outcome'
import type { CredentialBook } from './credential-book'
import type { SaleRequest } from './sale-request'
import { brandNamed } from './sale-rules'

type PaymentRequest = NonNullable<SaleRequest['payment']>

/** What a sale said about its payer and its card. */
export type CredentialMarks = {
  readonly usage: string | null
  readonly reason: string | null
  readonly category: string | null
  readonly subcategory: string | null
  readonly recurrent: boolean
  readonly issuerTransactionId: string | null
  readonly hasCvv: boolean
  readonly hasCryptogram: boolean
}

export function credentialMarks({ creditCard, ...payment }: Partial<PaymentRequest>): CredentialMarks {
  const { category, subcategory } = payment.initiatedTransactionIndicator ?? {}
  return {
    usage: creditCard?.cardOnFile?.usage?.toLowerCase() ?? null,
    reason: creditCard?.cardOnFile?.reason?.toLowerCase() ?? null,
    category: category ?? null,
    subcategory: subcategory ?? null,
    recurrent: payment.recurrent ?? false,
    issuerTransactionId: payment.issuerTransactionId ?? null,
    hasCvv: Boolean(creditCard?.securityCode),
    hasCryptogram: Boolean(creditCard?.cryptogram),
  }
}

/** The brands that want to know of kept cards. */
const MARKED = ['Visa', 'Master', 'Elo']
const SUBCATEGORY: Record<string, readonly string[]> = {
  recurring: ['Subscription', 'StandingOrder'],
  installments: ['Installment'],
  unscheduled: ['CredentialsOnFile'],
}

type Known = { book: CredentialBook; keys: readonly string[]; isNetworkToken: boolean; now: number }

/** The decline of a sale whose marks a brand would not believe; undefined when it believes them. */
export function brandDecline(
  payment: Partial<PaymentRequest>,
  { book, keys, isNetworkToken, now }: Known,
): Outcome | undefined {
  const brand = brandNamed(payment.creditCard?.brand) ?? ''
  if (!MARKED.includes(brand)) return undefined
  const marks = credentialMarks(payment)
  // A cryptogram shows that the token is good, not that its holder is there.
  const isPayerSeen = marks.hasCvv || payment.externalAuthentication !== undefined
  const isMastercard = brand === 'Master'
  if (isMastercard && marks.category?.startsWith('M') && book.isForbidden(keys, now)) {
    return declined(brand, 'Retry after advice 03', '03')
  }
  const fault =
    faultOfMarks(marks, { isPayerSeen, isKept: isNetworkToken || book.isAgreed(keys) }) ??
    (isMastercard ? faultOfIndicator(marks, isPayerSeen) : undefined) ??
    (marks.usage === 'used' && !book.isAgreed(keys) ? 'Used before First' : undefined)
  return fault === undefined ? undefined : declined(brand, fault, null)
}

/** A card that nobody keeps may be sold without a CVV: some merchants are allowed to. */
function faultOfMarks(
  { usage, reason, recurrent, hasCvv }: CredentialMarks,
  { isPayerSeen, isKept }: { isPayerSeen: boolean; isKept: boolean },
) {
  if (usage === null && !isPayerSeen && (isKept || recurrent)) return 'No CVV and no CardOnFile'
  if (usage === 'used' && reason === null) return 'Used without a Reason'
  if (recurrent && reason !== 'recurring') return 'Recurrent without the Reason Recurring'
  if (recurrent && hasCvv) return 'Recurrent with a CVV'
  return undefined
}

function faultOfIndicator(
  { usage, reason, category, subcategory, recurrent }: CredentialMarks,
  isPayerSeen: boolean,
) {
  if (usage === null) return category === null ? undefined : 'An initiator without CardOnFile'
  if (category === null) return 'CardOnFile without an initiator'
  const isOneClick = !recurrent && (reason === null || reason === 'unscheduled')
  if (category === 'C1' && !isPayerSeen && !isOneClick) return 'C1 without a holder'
  const isOther = reason !== null && !SUBCATEGORY[reason]?.includes(subcategory ?? '')
  return isOther ? 'A subcategory of another Reason' : undefined
}

/** Visa and Elo: do not honor. Mastercard: against the issuer's policy. */
function declined(brand: string, fault: string, merchantAdviceCode: string | null): Outcome {
  const message = `Stored credential refused: ${fault}`
  return { approved: false, returnCode: brand === 'Master' ? '82' : '05', message, merchantAdviceCode }
}
