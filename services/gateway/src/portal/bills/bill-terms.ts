import type { InvoiceJson } from '@cofre/api/invoice'
import { centsOf, typedReais, type Field } from '../desk/fields'
import type { Word } from '../words/portuguese'
import { word } from '../words/value'

type Typed = Record<string, unknown>
type Discount = InvoiceJson['discounts'][number]

/** The terms before anybody types. */
export type BilledTerms = Pick<InvoiceJson, 'fine' | 'interest' | 'discounts' | 'acceptedPaymentMethods'>

const FINE = 'fine.percentageBps'
const INTEREST = 'interest.monthlyPercentageBps'
const DISCOUNT = 'discounts'
const DISCOUNT_DAYS = 'discounts.0.daysBeforeDueDate'
const INSTALLMENTS = 'maxInstallments'

/** The form has room for percentages and for one discount. What is billed with others keeps them. */
const hasPercentFine = (billed?: BilledTerms) => billed?.fine?.amountInCents === undefined
const hasPercentInterest = (billed?: BilledTerms) => billed?.interest?.dailyAmountInCents === undefined
const hasOneDiscount = (billed?: BilledTerms) => (billed?.discounts.length ?? 0) <= 1

/** What lateness costs, what early payment saves, and in how many parts a card pays. */
export function termFields(billed?: BilledTerms): Field[] {
  return [
    {
      name: INSTALLMENTS,
      label: 'Most installments by card',
      kind: 'number',
      value: String(billed ? (installmentsOf(billed) ?? '') : 1),
      hint: word(
        'From 1 to 12. 1: only in full. The payer pays no interest: the fee of the installments is yours.',
      ),
    },
    ...(hasPercentFine(billed) ? [fineField(billed)] : []),
    ...(hasPercentInterest(billed) ? [interestField(billed)] : []),
    ...(hasOneDiscount(billed) ? discountFields(billed?.discounts[0]) : []),
  ]
}

function installmentsOf({ acceptedPaymentMethods }: BilledTerms): number | undefined {
  const card = acceptedPaymentMethods.find(({ method }) => method === 'CREDIT_CARD')
  return card && 'cardSettings' in card ? card.cardSettings?.maxInstallments : undefined
}

const typedPercent = (bps?: number) => (bps === undefined ? '' : typedReais(bps))

function fineField(billed?: BilledTerms): Field {
  return {
    name: FINE,
    label: 'Fine for late payment (%)',
    kind: 'percent',
    hint: word('Empty: no fine. The law allows at most 2% for consumers.'),
    value: typedPercent(billed?.fine?.percentageBps),
  }
}

function interestField(billed?: BilledTerms): Field {
  return {
    name: INTEREST,
    label: 'Interest for late payment (% a month)',
    kind: 'percent',
    hint: word('Empty: no interest. 1% a month is usual.'),
    value: typedPercent(billed?.interest?.monthlyPercentageBps),
  }
}

function discountFields(discount?: Discount): Field[] {
  const { percentage, amountInCents = 0, daysBeforeDueDate } = discount ?? {}
  const value = percentage === undefined ? typedReais(amountInCents) : `${percentage}%`.replace('.', ',')
  return [
    {
      name: DISCOUNT,
      label: 'Discount for early payment',
      kind: 'text',
      hint: word('An amount in reais, like 10,00, or a percentage, like 5%.'),
      value: discount ? value : '',
    },
    {
      name: DISCOUNT_DAYS,
      label: 'Ends how many days before the due date',
      kind: 'number',
      hint: word('Empty: on the due date.'),
      value: String(daysBeforeDueDate ?? ''),
    },
  ]
}

/** What was typed as a discount. Undefined: nothing that is one. */
function discountOf(typed: Typed): Discount | undefined {
  const { [DISCOUNT]: text } = typed
  const given = typeof text === 'string' ? text : ''
  const daysBeforeDueDate = Number(typed[DISCOUNT_DAYS] ?? 0)
  const [, percentage] = /^(\d{1,2}(?:[.,]\d{1,2})?)\s*%$/.exec(given) ?? []
  if (percentage !== undefined) return { daysBeforeDueDate, percentage: Number(percentage.replace(',', '.')) }
  const amountInCents = centsOf(given)
  return amountInCents === undefined ? undefined : { daysBeforeDueDate, amountInCents }
}

export function discountsOf(typed: Typed, billed?: BilledTerms): readonly Discount[] {
  if (billed && !hasOneDiscount(billed)) return billed.discounts
  const discount = discountOf(typed)
  return discount ? [discount] : []
}

/** The terms for the API, or what is wrong with them. `rest`: what else was typed. */
export function termsOf(
  typed: Typed,
  billed?: BilledTerms,
): { terms: Typed; maxInstallments: unknown; rest: Typed } | { faults: Record<string, Word> } {
  const { [FINE]: fine, [INTEREST]: interest, [INSTALLMENTS]: installments, ...others } = typed
  const { [DISCOUNT]: given, [DISCOUNT_DAYS]: _days, ...rest } = others
  const discounts = discountsOf(typed, billed)
  if (given !== undefined && discounts.length === 0) {
    return { faults: { [DISCOUNT]: 'Enter an amount or a percentage.' } }
  }
  const late = (name: 'fine' | 'interest', member: string, percent: unknown) =>
    percent === undefined ? {} : { [name]: { ...startOf(billed?.[name]), [member]: percent } }
  const terms = {
    ...(hasPercentFine(billed) ? late('fine', 'percentageBps', fine) : { fine: billed?.fine }),
    ...(hasPercentInterest(billed)
      ? late('interest', 'monthlyPercentageBps', interest)
      : { interest: billed?.interest }),
    ...(discounts.length > 0 && { discounts }),
  }
  return { terms, maxInstallments: installments ?? (billed ? undefined : 1), rest }
}

/** A fine and interest begin when they did. */
function startOf(term: BilledTerms['fine' | 'interest'] = null): { startsAfterDays?: number } {
  return term === null ? {} : { startsAfterDays: term.startsAfterDays }
}
