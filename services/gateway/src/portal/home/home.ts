import type { ChargeJson } from '@cofre/api/charge'
import type { DisputeJson } from '@cofre/api/disputes/dispute'
import type { ChargeReport, InvoiceReport, VoucherReport } from '@cofre/api/reports/report'
import { addDays } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import type { RequestHandler, Response } from 'express'
import { allows, askApi } from '../desk/api'
import { readFlash } from '../flash'
import type { Portal } from '../portal-context'
import { todayOf } from '../sandbox/clock'
import { wordsOf, type Words } from '../words/language'
import { day, link, reais } from '../words/value'
import { REASONS } from '../words/decline-words'
import {
  approvalFigure,
  disputesFigure,
  endpointsFigure,
  failingCardsFigure,
  pastDueFigure,
  pendingFigure,
  receiptsFigure,
  soldFigure,
  unreachedFigures,
  type Counted,
  type Endpoint,
  type Figure,
} from './figures'
import { firstSteps, hideSteps, isHidden } from './checklist'
import { plotOf } from './plot'
import { salesOf, soldIn, type Sales } from './sales'

const DAYS = 30
const WEEK = 7
/** The most that a list answers at once: enough to find the dispute that is due first. */
const PAGE = '100'

/** Today beside the same weekday of last week, what waits for somebody, and the last 30 days. */
export function showHome(portal: Portal): RequestHandler {
  return async (req, res) => {
    if (hideSteps(portal, req, res)) return
    const today = todayOf(res)
    const from = addDays(today, 1 - DAYS)
    const { isWhole, ...found } = await askAll(portal, res, { from, to: today, isHidden: isHidden(req) })
    const words = wordsOf(res)
    const figures = (some: readonly Figure[]) => some.map((each) => shownFigure(portal, words, each))
    const periods = found.charges?.periods ?? []
    const [now, before] = [periods.at(-1), periods.at(-1 - WEEK)]
    const sales = salesOf(periods, found.invoices?.periods ?? [], found.vouchers?.periods ?? [])
    const [sold, soldBefore] = [sales.at(-1), sales.at(-1 - WEEK)]
    portal.show(res, {
      view: 'home',
      title: 'Home',
      section: 'home',
      data: {
        isWhole,
        today: words.show(day(today)).text,
        sold: sold && soldBefore && shownFigure(portal, words, soldFigure(sold, soldBefore)),
        figures: figures(now && before ? [approvalFigure({ today, now, before })] : []),
        waiting: figures(waitingFigures(found, today)),
        declines: now?.declines.map(({ code, count }) => ({
          reason: code in REASONS ? words.t(REASONS[code] ?? code) : code,
          count,
        })),
        deniedToday: `${portal.root}/charges?status=DENIED&createdFrom=${today}&createdTo=${today}`,
        plot: plotOf(sales, words),
        days: sales.toReversed().map((each) => shownDay(words, each)),
        isNew: isWhole && sales.every((each) => soldIn(each) === 0) && periods.every(isQuiet),
        maySell: allows(res, 'createInvoice'),
        steps: found.steps.map(({ label, to, isDone }) => ({
          label: words.t(label),
          href: `${portal.root}${to}`,
          isDone,
        })),
        flash: await readFlash(portal, res),
      },
    })
  }
}

/** Nothing was approved and nothing denied. */
function isQuiet({ approved, approvedPix, denied }: ChargeReport['periods'][number]): boolean {
  return approved.count + approvedPix.count + denied.count === 0
}

type Found = Awaited<ReturnType<typeof askAll>>

/** Asks for what the person may see. What a service does not answer now is left out: the rest is shown. */
async function askAll(
  portal: Portal,
  res: Response,
  { isHidden: hides, ...days }: { from: string; to: string; isHidden: boolean },
) {
  let isWhole = true
  const ask = async <Body>(operation: string, query: Record<string, string>): Promise<Body | undefined> => {
    if (!allows(res, operation)) return undefined
    try {
      return (await askApi(portal, res, operation, { query })).body as Body
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error
      isWhole = false
      return undefined
    }
  }
  const pendingPage = (page: number) =>
    ask<Counted<ChargeJson>>('listCharges', { status: 'PENDING', page: String(page), size: '1' })
  // The figure and the first steps read the same answer.
  const endpointsAsked = ask<Counted<Endpoint>>('listEndpoints', { size: PAGE })
  const [
    charges,
    invoices,
    vouchers,
    [pending, oldest],
    unreached,
    failing,
    receipts,
    disputes,
    endpoints,
    steps,
  ] = await Promise.all([
    ask<ChargeReport>('reportCharges', days),
    ask<InvoiceReport>('reportInvoices', days),
    ask<VoucherReport>('reportVouchers', days),
    pendingPage(0).then(async (first) => {
      const last = (first?.totalElements ?? 0) - 1
      return [first, last > 0 ? await pendingPage(last) : first] as const
    }),
    ask<Counted<unknown>>('listInvoices', { unreachable: 'true', size: '1' }),
    ask<Counted<unknown>>('listRecurringInvoices', { cardFails: 'true', size: '1' }),
    ask<Counted<unknown>>('listUnexpectedReceipts', { resolved: 'false', size: '1' }),
    ask<Counted<DisputeJson>>('listDisputes', { status: 'NEEDS_RESPONSE', size: PAGE }),
    endpointsAsked,
    hides ? [] : firstSteps(portal, res, ask, endpointsAsked),
  ])
  return {
    charges,
    invoices,
    vouchers,
    pending,
    oldest: oldest?.content[0],
    unreached,
    failing,
    receipts,
    disputes,
    endpoints,
    steps,
    isWhole,
  }
}

function waitingFigures(found: Omit<Found, 'isWhole' | 'steps'>, today: string): Figure[] {
  const { invoices, pending, oldest, unreached, failing, receipts, disputes, endpoints } = found
  return [
    ...(pending ? [pendingFigure(pending, oldest)] : []),
    ...(invoices ? [pastDueFigure(invoices.pastDue)] : []),
    ...(unreached ? unreachedFigures(unreached) : []),
    ...(failing ? failingCardsFigure(failing) : []),
    ...(receipts ? [receiptsFigure(receipts)] : []),
    ...(disputes ? [disputesFigure(disputes, today)] : []),
    ...(endpoints ? [endpointsFigure(endpoints)] : []),
  ]
}

function shownFigure({ root }: Portal, { t, show }: Words, { label, value, note, to, mood }: Figure) {
  return { label: t(label), value: show(value).text, note: show(note).text, href: `${root}${to}`, mood }
}

function shownDay({ show }: Words, sales: Sales) {
  const { from, captured, paid, vouchers } = sales
  return [
    show(link(`/reports?from=${from}&to=${from}`, day(from))),
    ...[captured, paid, vouchers, soldIn(sales)].map((amount) => show(reais(amount))),
  ]
}
