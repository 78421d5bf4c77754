import { inDatabase } from '../in-database'
import { median, percentile } from '../figures'
import { storeInvoices } from '../invoices/stored-invoices'
import { storeDeliveries } from '../lists'
import type { Round } from '../load'
import { startMeasuredSystem, type MeasuredSystem } from '../measured-system'
import { measureFlood, ratioOf, type Flood } from './portal-flood'
import { budgetOf, listsOn, pagesBeside, pagesOfList, searchesFor, type Known } from './portal-pages'
import { signIn, visit } from './portal-session'

const VISITS = 5
const RATIO_MAX = 2
/** The product's own limits: those of a session are part of what is measured. */
const LIMITS = { RATE_LIMIT_PER_SECOND: '100', RATE_LIMIT_BURST: '200' }

type PageCost = { path: string; serverMs: number; budgetMs: number }
export type PortalResult = { rows: number; costs: PageCost[]; flood: Flood; kept: boolean }

/** Measures every page of a seller with `rows` charges and as many invoices, and what its pages cost another seller. */
export async function measurePortal(
  { rows }: { rows: number },
  progress: (text: string) => void,
): Promise<PortalResult> {
  const system = await startMeasuredSystem({ charges: rows, settings: LIMITS, progress })
  try {
    const { sellerId } = system.target
    await inDatabase(system, 'invoices', async (client) => {
      await storeInvoices(client, { sellerId, sellers: 1, rows }, progress)
      progress('storing their movements')
      await client.query(STORE_MOVEMENTS, [sellerId])
      await client.query(SUM_MOVEMENTS, [sellerId])
      await client.query('VACUUM ANALYZE movements')
    })
    progress(`storing ${rows} deliveries`)
    await storeDeliveries(system, rows)
    const costs = await measurePages(system, progress)
    const flood = await measureFlood(system, await signIn(system), progress)
    const isKept = ({ serverMs, budgetMs }: PageCost) => serverMs <= budgetMs
    return { rows, costs, flood, kept: costs.every(isKept) && ratioOf(flood) <= RATIO_MAX }
  } finally {
    await system.stop()
  }
}

const STORE_MOVEMENTS = `
  INSERT INTO movements (seller_id, invoice_id, kind, method, amount, principal, fine, interest, fee, at, created_at)
  SELECT seller_id, id, 'PAYMENT', 'CREDIT_CARD', paid_amount, paid_amount, 0, 0, 0, payment_date, payment_date
  FROM invoices WHERE seller_id = $1 AND status = 'PAID' ORDER BY id`

// The triggers are off since the invoices were stored.
const SUM_MOVEMENTS = `
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, 'payment', count(*), sum(amount)
  FROM movements WHERE seller_id = $1 GROUP BY 1, 2`

async function measurePages(system: MeasuredSystem, progress: (text: string) => void): Promise<PageCost[]> {
  const costs = new Map<string, PageCost>()
  const session = await signIn(system)
  const { root } = session
  const known = await knownOf(system)
  const measure = async (path: string): Promise<string> => {
    const { html } = await visit(system, session, path)
    if (costs.has(path)) return html
    progress(path)
    const times: number[] = []
    for (let left = VISITS; left > 0; left--) times.push((await visit(system, session, path)).serverMs)
    costs.set(path, { path, serverMs: median(times), budgetMs: budgetOf(path) })
    return html
  }
  for (const path of pagesBeside(root)) await measure(path)
  const inside = await visit(system, session, `${root}/settings/account`)
  for (const list of listsOn(inside.html, root)) {
    for (const path of pagesOfList(await measure(list), list, known)) await measure(path)
  }
  for (const path of searchesFor(root, known)) await measure(path)
  return [...costs.values()]
}

function knownOf(system: MeasuredSystem): Promise<Known> {
  return inDatabase(system, 'orders', async (client) => {
    const { rows } = await client.query<Known>(
      `SELECT charge_id::text AS id, tid, nsu, authorization_code AS "authorizationCode", last_four AS "lastFour"
       FROM payments ORDER BY charge_id DESC LIMIT 1`,
    )
    if (!rows[0]) throw new Error('no charge is stored')
    return rows[0]
  })
}

export function portalReport({ rows, costs, flood }: PortalResult): string {
  const figures = (name: string, { latenciesMs, failures }: Round) => {
    const ms = (share: number) => percentile(latenciesMs, share).toFixed(1)
    return `| ${name} | ${latenciesMs.length} | ${ms(0.5)} | ${ms(0.99)} | ${failures} |`
  }
  const over = costs.filter(({ serverMs, budgetMs }) => serverMs > budgetMs).length
  return [
    `A seller with ${rows} charges and ${rows} invoices: ${costs.length} pages, ${over} over their budget.`,
    '',
    '| page | median ms in the gateway | budget | |',
    '|---|---|---|---|',
    ...costs
      .toSorted((one, other) => other.serverMs / other.budgetMs - one.serverMs / one.budgetMs)
      .map(({ path, serverMs, budgetMs }) => {
        return `| \`${path}\` | ${serverMs} | ${budgetMs} | ${serverMs <= budgetMs ? 'under' : '**over**'} |`
      }),
    '',
    `Fifty sockets of one session: ${flood.pages} pages, ${flood.refused} refused. Another seller's p99 is ${ratioOf(flood).toFixed(2)} times that alone, at most ${RATIO_MAX}.`,
    '',
    '| another seller | asked | p50 ms | p99 ms | failed |',
    '|---|---|---|---|---|',
    figures('alone', flood.alone),
    figures('meanwhile', flood.meanwhile),
  ].join('\n')
}
