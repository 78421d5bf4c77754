import { GENERIC_DECLINE, ruleFor, type Advice, type DeclineRule } from '@cofre/api/declines/decline-table'
import { withoutZeros } from '@cofre/platform/outbound/partner-answers'

/** An issuer's decline: its reason, and the advice about a retry. */
export type Decline = {
  code: string
  /** As the acquirer sent it: "51". */
  acquirerCode: string
  message: string
  retryable: boolean
  advice: Advice
  /** Mastercard's merchant advice code, as the acquirer sent it. Null when none came, or none was kept. */
  adviceCode: string | null
}

// Mastercard's merchant advice codes: bulletin of the Transaction Processing Excellence programme, as the acquirer
// publishes it. 40 and 41 are prepaid and single-use cards.
const NEVER = new Set(['3', '21', '40', '41'])
const NEW_CARD_DATA = '1'
const WAIT = new Set(['2', '24', '25', '26', '27', '28', '29', '30'])
const ADVICE_DECIDES = new Set(['79', '82', '83'])

/**
 * Explains a decline. ABECS and the brand's retry programme may differ; the stricter of the two holds, because a
 * retry that a brand forbids is fined. A code in no list is final.
 */
export function describeDecline(brand: string, acquirerCode: string, adviceCode: string): Decline {
  const code = withoutZeros(acquirerCode.toUpperCase())
  const rule = ruleFor(brand, code) ?? GENERIC_DECLINE
  const advised = withAdvice(rule, code, withoutZeros(adviceCode.toUpperCase()))
  return { ...advised, acquirerCode, adviceCode: adviceCode.trim() || null }
}

function withAdvice(rule: DeclineRule, code: string, adviceCode: string): DeclineRule {
  if (NEVER.has(adviceCode)) return { ...rule, retryable: false, advice: 'DO_NOT_RETRY' }
  if (adviceCode === NEW_CARD_DATA) return { ...rule, retryable: false, advice: 'FIX_DATA' }
  if (WAIT.has(adviceCode) && (rule.retryable || ADVICE_DECIDES.has(code))) {
    return { ...rule, retryable: true, advice: 'TRY_LATER' }
  }
  return rule
}
