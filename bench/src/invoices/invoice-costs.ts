import type { Load } from '../load'
import type { MeasuredSystem } from '../measured-system'
import { readStatements } from '../statements'
import { measureByTurns, invoicesMs, type Costs, type Size, type Systems } from './by-turns'
import { createAsk, finalizeAsk, listAsk } from './invoice-asks'
import type { InvoiceList } from './invoice-lists'

export type MeasuredCost = Costs & { what: string; page: string }

/** Page 1,000 of ten entries: the last one that a page number reaches. */
const DEEP = 999
const TRIES = 5

/** Measures a list's first page and its page 1,000, or its last one, on both systems in turns. */
export async function measureList(
  systems: Systems,
  list: InvoiceList,
  seconds: number,
): Promise<MeasuredCost[]> {
  const pages = { few: await lastPage(systems.few, list), many: await lastPage(systems.many, list) }
  const measure = async (page: string, pageOf: (size: Size) => number) => {
    const costs = await measureByTurns(systems, seconds, (size) => ({
      expect: 200,
      next: () => listAsk(systems[size].target, list.query, pageOf(size)),
    }))
    return { what: list.name, page, ...costs }
  }
  const first = await measure('first', () => 0)
  if (pages.many === 0) return [first]
  const deep = `${(pages.many + 1).toLocaleString('en')}, beside ${pages.few + 1}`
  return [first, await measure(deep, (size) => pages[size])]
}

/** Returns the list of `lists` on which PostgreSQL spends the most time. */
export async function worstOf(system: MeasuredSystem, lists: readonly InvoiceList[]): Promise<InvoiceList> {
  let worst = { ms: -1, list: { name: '', query: '' } }
  for (const list of lists) {
    await ask(system, list, 0)
    const before = await readStatements(system.admin)
    for (let left = TRIES; left > 0; left--) await ask(system, list, 0)
    const ms = invoicesMs(before, await readStatements(system.admin)) / TRIES
    if (ms > worst.ms) worst = { ms, list }
  }
  return worst.list
}

/** Measures creating invoices, and then finalizing them. */
export async function measureChanges(systems: Systems, seconds: number): Promise<MeasuredCost[]> {
  const made: Record<Size, number[]> = { few: [], many: [] }
  const created = await measureByTurns(systems, seconds, (size) => creating(systems[size], made[size]))
  const finalized = await measureByTurns(systems, seconds, (size) => finalizing(systems[size], made[size]))
  return [
    { what: 'create', page: '', ...created },
    { what: 'finalize', page: '', ...finalized },
  ]
}

function creating({ target }: MeasuredSystem, made: number[]): Omit<Load, 'url' | 'clients' | 'seconds'> {
  return {
    expect: 201,
    next: () => createAsk(target),
    accept: (body) => made.push((JSON.parse(body) as { id: number }).id) > 0,
  }
}

function finalizing({ target }: MeasuredSystem, made: number[]): Omit<Load, 'url' | 'clients' | 'seconds'> {
  const next = () => {
    const id = made.pop()
    return id === undefined ? undefined : finalizeAsk(target, id)
  }
  return {
    expect: 201,
    next,
    accept: (body) => (JSON.parse(body) as { status: string }).status === 'PENDING',
  }
}

/** Returns the number, from 0, of the last page of ten. */
export async function lastPage(system: MeasuredSystem, list: InvoiceList): Promise<number> {
  const { totalPages } = await ask(system, list, 0)
  return Math.max(0, Math.min(DEEP, totalPages - 1))
}

/** Returns a page of a list. Throws when the answer is not 200. */
export async function ask({ target }: MeasuredSystem, { query, name }: InvoiceList, page: number) {
  const { path, headers = {} } = listAsk(target, query, page)
  const answer = await fetch(`${target.url}${path}`, { headers })
  if (answer.status !== 200) throw new Error(`the list by ${name}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as {
    totalPages: number
    totalElements: number
    content: { invoiceNumber: string }[]
  }
}
