import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import type { Client } from 'pg'
import { storeRecurring } from './stored-recurring'
import { discard, startSystem, type System } from '../../journeys/system'
import { withDatabase } from '../../probed/places'

/** How many cycles the day bills. 10,000 take some minutes: with the variable set, the test logs its progress. */
const LONG = process.env['KILLED_CYCLES']
const ROWS = Number(LONG ?? 1_500)
const SELLERS = 5
const PATIENCE_MS = 600_000
/** The program that is killed as soon as this share of the day is billed. */
const KILLS = [
  [0.1, 'invoices'],
  [0.3, 'postgres'],
  [0.5, 'invoices'],
  [0.8, 'invoices'],
] as const

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

/** Queries the database, again and again while it is away. */
function ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
  return eventually(() => withDatabase(system.runDir, 'invoices', question), 60_000)
}

async function countOf(text: string): Promise<number> {
  const { rows } = await ask((client) => client.query(`SELECT count(*)::int AS n FROM ${text}`))
  return rows[0].n
}

const billed = () => countOf('invoices WHERE recurring_invoice_id IS NOT NULL')

/** Waits until this many cycles are billed. */
async function untilBilled(count: number): Promise<void> {
  let told = 0
  await eventually(async () => {
    const done = await billed()
    if (done - told >= ROWS / 20) tell(`${(told = done)} of ${ROWS} cycles billed`)
    expect(done).toBeGreaterThanOrEqual(count)
  }, PATIENCE_MS)
}

function tell(text: string): void {
  if (LONG) process.stderr.write(`${text}\n`)
}

/** The current process id of a program: a killed program restarts with another. */
function pidOf(program: string): number {
  const { pids } = JSON.parse(readFileSync(join(system.runDir, 'ready.json'), 'utf8'))
  return pids[program]
}

test('a day’s billing that is killed repeatedly still finishes: no cycle is billed twice or missing', async () => {
  const { sellerId } = system.ready
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await ask((client) => storeRecurring(client, { sellerId, sellers: SELLERS, rows: ROWS }, today))
  for (const [share, program] of KILLS) {
    await untilBilled(share * ROWS)
    process.kill(pidOf(program), 'SIGKILL')
    tell(`${program} killed`)
  }
  await untilBilled(ROWS)
  await eventually(
    async () => expect(await countOf('recurring_invoices WHERE next_cycle_day < current_date')).toBe(0),
    PATIENCE_MS,
  )

  expect(await billed()).toBe(ROWS)
  expect(
    await countOf(
      '(SELECT DISTINCT recurring_invoice_id, cycle FROM invoices WHERE recurring_invoice_id IS NOT NULL) AS each',
    ),
  ).toBe(ROWS)
  expect(await countOf('recurring_invoices WHERE cycles_billed = 1 AND sequence = 2')).toBe(ROWS)
  expect(await countOf('invoice_charges')).toBe(ROWS)
  expect(await countOf('invoice_items')).toBe(ROWS)
  expect(await countOf("emails WHERE cause = 'issued'")).toBe(ROWS)
  const { rows: gaps } = await ask((client) =>
    client.query(
      `SELECT seller_id FROM invoices GROUP BY seller_id HAVING max(invoice_number)::int <> count(*)`,
    ),
  )
  expect(gaps).toEqual([])
}, 1_800_000)
