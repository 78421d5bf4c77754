import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseOf, SERVICE_NAMES } from '@cofre/platform/service/services'
import { ROOT, type DoomedSystem } from './doomed-system'
import { countUnseen } from './disputes/dispute-books'
import { readBank } from './payments/payment-books'
import { faultsInAutomatic } from './pix/automatic-books'
import { countUntakenOfOrders } from './pix/pix-books'

const POLL_MS = 200

type Unrest = readonly [name: string, database: string, sql: string]

/** The rows that must disappear from the platform's tables, in the services that have them. */
const IN_PLATFORM_TABLES: Record<string, readonly [name: string, sql: string]> = {
  idempotency: ['marks in flight', `SELECT count(*) AS count FROM idempotency WHERE response IS NULL`],
  outbox: ['events in the outbox', `SELECT count(*) AS count FROM outbox`],
}

const ofEachService: Unrest[] = SERVICE_NAMES.flatMap((service) => {
  const file = join(ROOT, 'services', service, 'migrations', 'platform-tables.json')
  const tables = JSON.parse(readFileSync(file, 'utf8')) as string[]
  return tables.flatMap((table): Unrest[] => {
    const [name, sql] = IN_PLATFORM_TABLES[table] ?? []
    return name && sql ? [[`${name} of ${service}`, databaseOf(service), sql]] : []
  })
})

/** The unfinished work that must come to an end after a crash, by database. */
const UNREST: readonly Unrest[] = [
  ...ofEachService,
  ['charges pending', 'orders', `SELECT count(*) AS count FROM charges WHERE status = 'PENDING'`],
  ['transactions pending', 'orders', `SELECT count(*) AS count FROM transactions WHERE status = 'PENDING'`],
  [
    'answers to disputes not resolved',
    'orders',
    `SELECT count(*) AS count FROM disputes WHERE answer_kind IS NOT NULL`,
  ],
  [
    'network tokens not resolved',
    'network_token',
    `SELECT count(*) AS count FROM network_tokens WHERE status = 'PENDING' OR cleanup IS NOT NULL`,
  ],
  [
    'voucher payments pending',
    'vouchers',
    `SELECT count(*) AS count FROM payments WHERE operation_type IS NOT NULL`,
  ],
  // A redirect in SENT waits longer, for its holder to come back.
  [
    'redirects not ended',
    'vouchers',
    `SELECT count(*) AS count FROM voucher_tokens WHERE status = 'PENDING' AND phase <> 'SENT'`,
  ],
  // A number whose token was never saved waits an hour for its destruction, which is no unrest.
  [
    'discarded vouchers',
    'vouchers',
    `SELECT count(*) AS count FROM discarded_vouchers WHERE asks > 0 OR ask_at < now()`,
  ],
  [
    'late invoices not notified',
    'invoices',
    `SELECT count(*) AS count FROM invoices WHERE NOT past_due_notified AND status IN ('OPEN', 'CLOSED')
       AND late_on <= (now() AT TIME ZONE 'America/Sao_Paulo')::date`,
  ],
  [
    'card payments pending',
    'invoices',
    `SELECT count(*) AS count FROM invoice_transactions WHERE status = 'PENDING' OR give_back`,
  ],
  [
    'boletos not resolved',
    'invoices',
    `SELECT count(*) AS count FROM boletos WHERE status = 'PENDING' OR withdrawing`,
  ],
  [
    'Pix charges not resolved',
    'invoices',
    `SELECT count(*) AS count FROM pix_charges WHERE status = 'PENDING' OR withdrawing`,
  ],
  [
    'Pix permissions pending',
    'invoices',
    `SELECT count(*) AS count FROM pix_permissions WHERE status = 'PENDING' OR cancelling`,
  ],
  ['Pix refunds pending', 'invoices', `SELECT count(*) AS count FROM pix_refunds WHERE status = 'PENDING'`],
  [
    'events not consumed',
    'event_log',
    `SELECT count(*) AS count FROM event_log l JOIN event_log_groups g USING (topic) WHERE l.position > g.position`,
  ],
  [
    'notifications not delivered',
    'notifier',
    `SELECT count(*) AS count FROM deliveries WHERE status <> 'DELIVERED'`,
  ],
  ['lanes open', 'notifier', `SELECT count(*) AS count FROM lanes`],
  ['events set aside', 'event_log', `SELECT count(*) AS count FROM event_log_dead_letters`],
]

export type Quiet = {
  /** The work that was still pending when the time was over. */
  unrest: string[]
  /** The work that finished last. */
  last: string[]
}

/** Waits until nothing is pending anywhere, or until this time, epoch milliseconds. */
export async function untilQuiet(system: DoomedSystem, until: number): Promise<Quiet> {
  let last: string[] = []
  for (;;) {
    const unrest = await readUnrest(system).catch((error: unknown) => [
      `a database or the bank does not answer: ${String(error)}`,
    ])
    if (unrest.length === 0 || Date.now() > until) return { unrest, last }
    last = unrest
    await pause(POLL_MS)
  }
}

async function readUnrest(system: DoomedSystem): Promise<string[]> {
  // The bank first: a payment received after this read still shows as an event in the outbox.
  const untaken = (await countUntaken(system)) + (await countUntakenOfOrders(system))
  const unrest = untaken === 0 ? [] : [`${untaken} payments at the bank not received`]
  unrest.push(...(await faultsInAutomatic(system)))
  const unseen = await countUnseen(system)
  if (unseen > 0) unrest.push(`${unseen} cases at the acquirer not adopted`)
  unrest.push(...(await unrestIn(system)))
  return unrest
}

/** The work in the databases that is not finished: each kind with its number of rows. */
export async function unrestIn({ read }: Pick<DoomedSystem, 'read'>): Promise<string[]> {
  const unrest: string[] = []
  for (const [name, database, sql] of UNREST) {
    const [row] = await read<{ count: number }>(database, sql)
    if (row && row.count > 0) unrest.push(`${row.count} ${name}`)
  }
  return unrest
}

/** How many payments at the bank the service has not received: their invoices are still to change. */
async function countUntaken(system: DoomedSystem): Promise<number> {
  const asks = await readBank(system)
  const receipts = await system.read<{ bankId: string }>(
    'invoices',
    'SELECT bank_id AS "bankId" FROM receipts',
  )
  const taken = new Set(receipts.map(({ bankId }) => bankId))
  return asks.flatMap(({ payments }) => payments).filter(({ id }) => !taken.has(id)).length
}
