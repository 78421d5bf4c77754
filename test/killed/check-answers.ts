import { isDeepStrictEqual } from 'node:util'
import type { ChargeJson } from '@cofre/api/charge'
import type { Client } from './client'
import { chargeIn, entriesOf, type Entry, type Ledger } from './ledger'
import { isPending } from './teller'

/** Checks that answers stay true: a repeated request gets the same answer, and GET agrees with it. */
export async function checkAnswers(client: Client, ledger: Ledger): Promise<string[]> {
  const breaches: string[] = []
  for (const entry of ledger.entries) {
    if (entry.status < 300 && entry.method !== 'DELETE') breaches.push(...(await checkReplay(client, entry)))
  }
  const answered = entriesOf(ledger, 'authorize', 'charge', 'capture', 'refund').filter(
    ({ status }) => status < 300,
  )
  for (const chargeId of new Set(answered.map((entry) => chargeIn(entry).id))) {
    const { body } = await client({ method: 'GET', path: `/api/v2/charges/${chargeId}` })
    const entries = answered.filter((entry) => chargeIn(entry).id === chargeId)
    breaches.push(...entries.flatMap((entry) => contradictions(entry, body as ChargeJson)))
    breaches.push(...(await checkMetadata(client, ledger, chargeId)))
  }
  return breaches
}

async function checkReplay(client: Client, entry: Entry): Promise<string[]> {
  const { method, path, body, key, status, answer, operation } = entry
  const again = await client({ method, path, body, key })
  // What a seller keeps stays kept: that request needs no key, and no answer of it is kept.
  const isKept = again.replayed || operation === 'receipt-keep'
  if (again.status === status && isKept && isDeepStrictEqual(again.body, answer)) return []
  const first = `${status} ${JSON.stringify(answer)}`
  const then = `${again.status} (replayed: ${again.replayed}) ${JSON.stringify(again.body)}`
  return [`${path} (${key}): ${first} became ${then}`]
}

/** Resolved transactions stay as answered; while none was pending and none was added, so does the whole charge. */
function contradictions(entry: Entry, charge: ChargeJson): string[] {
  const answer = chargeIn(entry)
  const now = new Map(charge.transactions.map((one) => [one.id, one]))
  const changed = answer.transactions.some(
    (one) => one.status !== 'PENDING' && !isDeepStrictEqual(now.get(one.id), one),
  )
  const final = !isPending(answer) && answer.transactions.length === charge.transactions.length
  // A holder may dispute it later, which no request of ours did: then it takes no refund.
  const view = ({
    updatedAt: _updatedAt,
    metadata: _metadata,
    disputedAmount: _disputed,
    links: _links,
    ...rest
  }: ChargeJson) => rest
  if (!changed && (!final || isDeepStrictEqual(view(answer), view(charge)))) return []
  return [`${entry.key} was told ${JSON.stringify(answer)}, the charge is ${JSON.stringify(charge)}`]
}

async function checkMetadata(client: Client, ledger: Ledger, chargeId: number): Promise<string[]> {
  const path = `/api/v2/charges/${chargeId}/metadata`
  const last = entriesOf(ledger, 'metadata').findLast((entry) => entry.path === path && entry.status === 200)
  if (!last) return []
  const { body } = await client({ method: 'GET', path })
  return isDeepStrictEqual(body, last.answer) ? [] : [`${path} is not what ${last.key} put there`]
}
