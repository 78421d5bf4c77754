import type { RecurringJson } from '@cofre/api/recurring-invoice'
import type { Facts } from '../desk/thing'
import { METHODS } from '../words/invoice-words'
import { reais, word, type Value } from '../words/value'

type Term = NonNullable<RecurringJson['fine']> | NonNullable<RecurringJson['interest']>
type Discount = RecurringJson['discounts'][number]

/** How each invoice of a plan may be paid, and what lateness costs and early payment saves. */
export function termFacts({ acceptedPaymentMethods, fine, interest, discounts }: RecurringJson): Facts {
  const card = acceptedPaymentMethods.find(({ method }) => method === 'CREDIT_CARD')
  return [
    ['Accepts', acceptedPaymentMethods.map(({ method }): Value => word(METHODS[method]))],
    [
      'Most installments by card',
      card && 'cardSettings' in card ? (card.cardSettings?.maxInstallments ?? null) : null,
    ],
    ['Fine', fine && later(fine, percent(fine.percentageBps) ?? reais(fine.amountInCents ?? 0))],
    ['Interest', interest && later(interest, interestOf(interest))],
    ['Discount', discounts.length > 0 ? discounts.map(discountOf) : null],
  ]
}

function percent(bps: number | undefined): Value | undefined {
  return bps === undefined ? undefined : word('{number}%', { number: bps / 100 })
}

function interestOf({ monthlyPercentageBps, dailyAmountInCents }: NonNullable<RecurringJson['interest']>) {
  const share = percent(monthlyPercentageBps)
  return share === undefined
    ? word('{sum} a day', { sum: reais(dailyAmountInCents ?? 0) })
    : word('{share} a month', { share })
}

/** From the day after the due date on, unless it starts later. */
function later({ startsAfterDays }: Pick<Term, 'startsAfterDays'>, cost: Value): Value {
  return startsAfterDays > 1
    ? word('{cost}, from day {day} after the due date on', { cost, day: startsAfterDays })
    : cost
}

function discountOf({ percentage, amountInCents, daysBeforeDueDate: days }: Discount): Value {
  const saved =
    percentage === undefined ? reais(amountInCents ?? 0) : word('{number}%', { number: percentage })
  return days === 0
    ? word('{saved} until the due date', { saved })
    : word('{saved} until {days} days before the due date', { saved, days })
}
