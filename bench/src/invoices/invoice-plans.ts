import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { MeasuredSystem } from '../measured-system'
import { rest } from '../rest'
import { ask, lastPage } from './invoice-costs'
import type { InvoiceList } from './invoice-lists'

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
}
const WRITTEN_SECONDS = 0.3
const WARM_ASKS = 4

/**
 * Returns the plans of each list's statements as the service ran them, with rows and buffers. PostgreSQL writes them to
 * its log (auto_explain), which takes time, so nothing is measured meanwhile.
 */
export async function explainLists(system: MeasuredSystem, lists: readonly InvoiceList[]): Promise<string> {
  await loadExplain(system, true)
  const plans: string[] = []
  for (const list of lists) {
    for (const page of new Set([0, await lastPage(system, list)])) {
      plans.push(`### ${list.name}, page ${page + 1}`, ...(await plansOf(system, list, page)))
    }
  }
  await loadExplain(system, false)
  return plans.join('\n\n')
}

/** Switches auto_explain. A session loads it at its start, so the open ones are ended. */
async function loadExplain(system: MeasuredSystem, on: boolean): Promise<void> {
  await inDatabase(system, 'postgres', async (admin) => {
    for (const [name, value] of Object.entries(SETTINGS)) {
      await admin.query(`ALTER DATABASE invoices ${on ? `SET ${name} = '${value}'` : `RESET ${name}`}`)
    }
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'invoices'`)
  })
  await rest(1)
}

async function plansOf(system: MeasuredSystem, list: InvoiceList, page: number): Promise<string[]> {
  const logFile = join(system.logs, 'postgres.log')
  // The first requests fill the caches of the new sessions.
  for (let left = WARM_ASKS; left > 0; left--) await ask(system, list, page)
  await rest(WRITTEN_SECONDS)
  const from = statSync(logFile).size
  await ask(system, list, page)
  await rest(WRITTEN_SECONDS)
  return plansIn(readFileSync(logFile).subarray(from).toString())
}

/** Returns the plans in a log, where each entry continues on lines that begin with a tab. */
function plansIn(log: string): string[] {
  return log
    .split(/\n(?!\t)/)
    .filter(
      (entry) => entry.includes('plan:') && /FROM invoices t/.test(entry) && !/FOR UPDATE|outbox/.test(entry),
    )
    .map((entry) => `\`\`\`\n${entry.replace(/^.*?duration:/, 'duration:').replaceAll('\n\t', '\n')}\n\`\`\``)
}

export async function inDatabase<T>(
  { adminUrl }: MeasuredSystem,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const url = new URL(adminUrl)
  url.pathname = name
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
