import type { Response } from 'express'
import { hasRight } from '../../sellers/roles'
import { listDeeds } from '../people/audit-store'
import { sentenceOf } from '../people/deed-words'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import { reais, word, type Value } from '../words/value'
import type { Block, Thing } from './thing'

const MOST = 50
const AMOUNTS: readonly string[] = ['amount', 'amountInCents']
const WORDS: readonly string[] = ['reference', 'reason', 'note']

/** Who did what to a thing in the portal, for those who may read the audit. Nothing where nobody did anything. */
export async function deedsOf(portal: Portal, res: Response, thing: Thing, id: string): Promise<Block[]> {
  const { sellerId, role } = sessionOf(res)
  if (!hasRight(role, 'audit')) return []
  const deeds = await listDeeds(portal.pool, sellerId, { subject: `${thing.name}/${id}`, size: MOST })
  if (deeds.length === 0) return []
  const labels = new Map(
    [...(thing.creations ?? []), ...thing.actions].map(({ operation, label }) => [operation, label]),
  )
  return [
    {
      title: word('Done in the portal'),
      table: {
        columns: [{ name: 'Date' }, { name: 'E-mail' }, { name: 'What' }, { name: 'Details' }],
        rows: deeds.map(({ at, email, action, detail }) => {
          const label = labels.get(action)
          const what = label
            ? word(label)
            : sentenceOf({ email, action, subject: `${thing.name}/${id}`, detail })
          return [{ time: at.getTime() }, email, what, detailsOf(detail)]
        }),
      },
    },
  ]
}

/** The sum and the words that a person typed. */
function detailsOf(detail: object): Value[] {
  return Object.entries(detail).flatMap(([name, value]: [string, unknown]) => {
    if (AMOUNTS.includes(name) && typeof value === 'number') return [reais(value)]
    return WORDS.includes(name) && typeof value === 'string' ? [value] : []
  })
}
