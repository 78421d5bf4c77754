import type { AgingJson, AgingReport, CustomerAgingJson } from '@cofre/api/reports/aging'
import type { RequestHandler } from 'express'
import { sendText } from '../../http/answer'
import { parameter } from '../../pages/form'
import { askApi } from '../desk/api'
import { beginningOf, nextPageOf } from '../desk/next-page'
import { leaveOf } from '../pages'
import type { Portal } from '../portal-context'
import { wordsOf } from '../words/language'
import { AGES } from '../things/customer-debt'
import type { Word } from '../words/portuguese'
import { day, link, reaisIfAny, type Value } from '../words/value'

const PAGE_SIZE = '25'

const SUMS: readonly Word[] = ['Days late', ...AGES.map(({ label }) => label), 'Owed', 'Fine and interest']

/** The customers who owe, the oldest debt first. */
export function showOwing(portal: Portal): RequestHandler {
  return async (req, res) => {
    const beginning = beginningOf((name) => parameter(req, name))
    const query = { size: PAGE_SIZE, ...beginning }
    const answer = await askApi(portal, res, 'reportAging', { query })
    const report = answer.body as AgingReport
    const next = nextPageOf(answer)
    const { t, show } = wordsOf(res)
    const path = `${portal.root}/owing`
    portal.show(res, {
      view: 'owing',
      title: 'Customers who owe',
      section: 'home',
      data: {
        day: show(day(report.day)).text,
        columns: SUMS.map((name) => t(name)),
        rows: report.content.map((debtor) => [customerOf(debtor), ...cellsOf(debtor)].map(show)),
        totals: ['', ...amountsOf(report.total), ''].map(show),
        totalIsLowerBound: report.totalIsLowerBound,
        first: beginning.after ? path : undefined,
        next: next && `${path}?${new URLSearchParams(next).toString()}`,
        csv: `${path}.csv`,
      },
    })
  }
}

/** The same as CSV, all of it. */
export function exportOwing(portal: Portal): RequestHandler {
  return async (_req, res) => {
    const answer = await askApi(portal, res, 'exportAging')
    leaveOf(res)()
    await sendText(res, answer)
  }
}

/** Who owes. A customer who was deleted has no page: the invoices stay. */
function customerOf({ customer: { id, name, document, isDeleted } }: CustomerAgingJson): Value {
  return link(isDeleted ? `/invoices?status=CLOSED&document=${document}` : `/customers/${id}`, name)
}

function cellsOf(debtor: CustomerAgingJson): Value[] {
  const onTop = debtor.fineInCents + debtor.interestInCents
  return [debtor.daysLate || null, ...amountsOf(debtor), reaisIfAny(onTop)]
}

function amountsOf(aging: AgingJson): Value[] {
  return [...AGES.map(({ name }) => name), 'owed' as const].map((name) =>
    reaisIfAny(aging[name].amountInCents),
  )
}
