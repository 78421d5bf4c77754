import { inDatabase } from './in-database'
import { measureRound } from './measured-round'
import { startMeasuredSystem, type MeasuredSystem } from './measured-system'
import { listAsk } from './paths'
import { between, readStatements } from './statements'

const CLIENTS = 1
/** The last page of ten entries that a page number reaches. */
const DEEP = 999
/** PostgreSQL's CPU time for one list must not exceed this. On a busy machine, elapsed time is longer. */
const LIST_MS_MAX = 3
// Each filter finds all entries.
const LISTS: [name: string, path: string][] = [
  ['charges', '/api/v2/charges?'],
  ['charges by orderReference', '/api/v2/charges?orderReference=stored&'],
  ['charges by externalReference', '/api/v2/charges?externalReference=7&'],
  ['charges by status', '/api/v2/charges?status=CAPTURED&'],
  ['charges by createdFrom', '/api/v2/charges?createdFrom=1&'],
  ['charges by createdTo', '/api/v2/charges?createdTo=253402300799999&'],
  ['deliveries', '/api/v2/webhooks/deliveries?'],
  ['deliveries by status', '/api/v2/webhooks/deliveries?status=DELIVERED&'],
]

type ListCost = { list: string; page: string; p50: number; cpuMs: number; sqlMs: number; statements: number }

/** Measures each list for a seller with very many entries: its first page, a deep one, and one by `after`. */
export async function measureLists(
  { charges: entries, seconds }: { charges: number; seconds: number },
  progress: (text: string) => void,
): Promise<{ costs: ListCost[]; kept: boolean }> {
  const system = await startMeasuredSystem({ charges: entries, settings: {}, progress })
  try {
    progress(`storing ${entries} deliveries`)
    await storeDeliveries(system, entries)
    const costs: ListCost[] = []
    for (const [list, path] of LISTS) {
      const middle = await middleOf(system, list)
      for (const page of ['page=0', `page=${DEEP}`, `page=${DEEP}&after=${middle}`]) {
        progress(`${list}, ${page}`)
        const cost = await measureList(system, `${path}size=10&${page}`, seconds)
        costs.push({ list, page, ...cost })
      }
    }
    return { costs, kept: costs.every(({ cpuMs }) => cpuMs <= LIST_MS_MAX) }
  } finally {
    await system.stop()
  }
}

export function listsTable(costs: readonly ListCost[]): string {
  const rows = costs.map(({ list, page, p50, cpuMs, sqlMs, statements }) => [
    list,
    page.replace(/after=\d+/, 'after'),
    p50.toFixed(2),
    cpuMs.toFixed(2),
    sqlMs.toFixed(2),
    statements.toFixed(0),
  ])
  const head = ['list', 'page of 10', 'p50 ms', 'PostgreSQL CPU ms', 'SQL ms', 'statements']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

async function measureList(system: MeasuredSystem, path: string, seconds: number) {
  const { admin, target, local } = system
  const ask = { ...listAsk(target), path }
  const load = { url: target.url, clients: CLIENTS, expect: 200, next: () => ask }
  // The first read of a page comes from the disk.
  await measureRound({ load: { ...load, seconds: 1 }, processes: {}, reported: [] })
  const before = await readStatements(admin)
  const round = await measureRound({
    load: { ...load, seconds },
    processes: local.ready.pids,
    reported: ['postgres'],
  })
  if (round.failures > 0) throw new Error(`a list failed: ${round.firstFailure}`)
  const ran = [...between(before, await readStatements(admin)).values()]
  const ofList = ran.filter(({ text }) => /FROM (charges|deliveries) /.test(text))
  const perRequest = (of: (each: { calls: number; ms: number }) => number) =>
    ofList.reduce((sum, each) => sum + of(each), 0) / round.requests
  return {
    p50: round.figures.p50,
    cpuMs: round.figures.cpu['postgres'] ?? 0,
    sqlMs: perRequest(({ ms }) => ms),
    statements: perRequest(({ calls }) => calls),
  }
}

/** Returns an entry in the middle of the list. */
function middleOf(system: MeasuredSystem, list: string): Promise<number> {
  const [database, table] = list.startsWith('charges') ? ['orders', 'charges'] : ['notifier', 'deliveries']
  return inDatabase(system, database, async (client) => {
    const { rows } = await client.query(
      `SELECT id::int FROM ${table} WHERE id >= (SELECT (min(id) + max(id)) / 2 FROM ${table}) ORDER BY id LIMIT 1`,
    )
    return (rows[0] as { id: number }).id
  })
}

export async function storeDeliveries(system: MeasuredSystem, count: number): Promise<void> {
  await inDatabase(system, 'notifier', async (client) => {
    await client.query(
      `INSERT INTO deliveries (webhook_id, seller_id, event_type, resource_kind, resource_id, resource_url, sequence,
         url, body, traceparent, status, attempts, last_status, created_at)
       SELECT 'evt_stored_' || n, $1, 'charge.captured', 'charge', n, 'https://pay.example.com/api/v2/charges/' || n, 1,
         'https://shop.example.com/hooks', '{}', '', 'DELIVERED', 1, 204, now()
       FROM generate_series(1, $2::int) AS n`,
      [system.target.sellerId, count],
    )
    await client.query('VACUUM ANALYZE deliveries')
  })
}
