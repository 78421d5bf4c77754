import type { DisputeJson } from '@cofre/api/disputes/dispute'
import type { ChargeJson } from '@cofre/api/charge'
import type { ChargeReport, InvoiceReport } from '@cofre/api/reports/report'
import { daysBetween, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Word } from '../words/portuguese'
import { reais, time, word, type Mood, type Value } from '../words/value'
import { soldIn, type Sales } from './sales'

/** A number that leads to the list behind it. */
export type Figure = { label: Word; value: Value; note: Value; to: string; mood?: Mood }

export type ChargePeriod = ChargeReport['periods'][number]

/** A page of a list of which the count and one entry matter. */
export type Counted<Entry> = { content: Entry[]; totalElements: number; totalIsLowerBound: boolean }

/** What was sold today in every way, beside the whole of the same weekday before. */
export function soldFigure(now: Sales, before: Sales): Figure {
  return {
    label: 'Sold today',
    value: reais(soldIn(now)),
    note: word('Sales: {count}. The whole of the same day last week: {sum} ({before}).', {
      count: now.count,
      sum: reais(soldIn(before)),
      before: before.count,
    }),
    to: `/reports?from=${now.from}&to=${now.to}`,
  }
}

type Day = { today: CalendarDay; now: ChargePeriod; before: ChargePeriod }

/** How many of today's cards were approved, beside the same weekday before. */
export function approvalFigure({ today, now, before }: Day): Figure {
  const rate = rateOf(now)
  return {
    label: 'Cards approved',
    value: rate === undefined ? '–' : percent(rate),
    note: word('{denied} denied. The same day last week: {rate}.', {
      denied: now.denied.count,
      rate: percent(rateOf(before)),
    }),
    to: `/charges?status=DENIED&createdFrom=${today}&createdTo=${today}`,
  }
}

/** The share of charges by card that were approved; undefined where there was none. */
function rateOf({ approved, denied }: ChargePeriod): number | undefined {
  const asked = approved.count + denied.count
  return asked === 0 ? undefined : approved.count / asked
}

function percent(share: number | undefined): Value {
  return share === undefined ? word('none') : word('{number}%', { number: Math.round(share * 1_000) / 10 })
}

export function pendingFigure(pending: Counted<ChargeJson>, oldest: ChargeJson | undefined): Figure {
  return {
    label: 'Pending charges',
    value: countOf(pending),
    note: oldest
      ? word('The oldest is of {time}.', { time: time(oldest.createdAt) })
      : word('Nothing waits.'),
    to: '/charges?status=PENDING',
    ...(oldest && { mood: 'waiting' }),
  }
}

export function pastDueFigure({ count, amountInCents, isLowerBound }: InvoiceReport['pastDue']): Figure {
  return {
    label: 'Invoices past due',
    value: isLowerBound ? word('More than {total}', { total: count }) : count,
    note: word('{sum} are owed, without fine and interest.', { sum: reais(amountInCents) }),
    to: '/invoices?pastDue=true',
    ...(count > 0 && { mood: 'bad' }),
  }
}

/** Shown where there are any: most shops have an address of every customer. */
export function unreachedFigures(unreached: Counted<unknown>): Figure[] {
  if (unreached.totalElements === 0) return []
  return [
    {
      label: 'Invoices that reach nobody',
      value: countOf(unreached),
      note: word('Their customers have no e-mail address.'),
      to: '/invoices?unreachable=true',
      mood: 'bad',
    },
  ]
}

/** Shown where there are any: a card that fails has to be replaced by its customer. */
export function failingCardsFigure(failing: Counted<unknown>): Figure[] {
  if (failing.totalElements === 0) return []
  return [
    {
      label: 'Plans whose card fails',
      value: countOf(failing),
      note: word('Their customers may have to keep another card.'),
      to: '/recurring?cardFails=true',
      mood: 'bad',
    },
  ]
}

export function receiptsFigure(waiting: Counted<unknown>): Figure {
  return {
    label: 'Receipts that wait for you',
    value: countOf(waiting),
    note: waiting.totalElements > 0 ? word('Apply, give back or keep the money.') : word('Nothing waits.'),
    to: '/receipts?resolved=false',
    ...(waiting.totalElements > 0 && { mood: 'waiting' }),
  }
}

/** `open`: those that wait for an answer. The one to be answered first may stand anywhere in the list. */
export function disputesFigure(open: Counted<DisputeJson>, today: CalendarDay): Figure {
  const [first] = open.content.flatMap(({ respondBy }) => respondBy ?? []).toSorted()
  const left = first === undefined ? undefined : Math.max(0, daysBetween(today, first))
  return {
    label: 'Disputes that need your answer',
    value: countOf(open),
    note:
      left === undefined
        ? word('Nothing waits.')
        : left === 0
          ? word('Answer the first one today.')
          : word('Days left for the first one: {left}.', { left }),
    to: '/disputes?status=NEEDS_RESPONSE',
    ...(open.totalElements > 0 && { mood: 'bad' }),
  }
}

export type Endpoint = { status: string; health: { failed: number } }

export function endpointsFigure({ content }: Counted<Endpoint>): Figure {
  const disabled = content.filter(({ status }) => status === 'DISABLED').length
  const failing = content.filter(({ status, health }) => status !== 'DISABLED' && health.failed > 0).length
  return {
    label: 'Webhooks that fail',
    value: disabled + failing,
    note: disabled > 0 ? word('Disabled: {count}.', { count: disabled }) : word('In the last 24 hours.'),
    to: '/endpoints',
    ...(disabled + failing > 0 && { mood: 'bad' }),
  }
}

function countOf({ totalElements, totalIsLowerBound }: Counted<unknown>): Value {
  return totalIsLowerBound ? word('More than {total}', { total: totalElements }) : totalElements
}
