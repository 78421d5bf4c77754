import {
  databaseOf,
  hasEvents,
  SERVICE_NAMES,
  services,
  type ServiceName,
} from '@cofre/platform/service/services'
import type { Commit } from './points'

/** A service and a database that it connects to. */
export type DatabaseLink = { service: ServiceName; database: string }

export const DATABASE_LINKS: readonly DatabaseLink[] = SERVICE_NAMES.flatMap((service) => [
  { service, database: databaseOf(service) },
  ...(hasEvents(services[service]) ? [{ service, database: 'event_log' }] : []),
])

/** `alone`: the statement is the only one of its transaction. */
type Name = { link: string; statement: RegExp; alone?: boolean; commit: Commit }

const OF_VOUCHERS = [
  { statement: /INSERT INTO payments/, commit: 'voucher payment made' },
  { statement: /UPDATE payments t SET/, alone: true, commit: 'voucher outcome saved' },
  { statement: /^UPDATE payments SET asks/, commit: 'voucher asking leased' },
  { statement: /^WITH kept[^;]*INSERT INTO voucher_tokens/, commit: 'voucher token made' },
  { statement: /^INSERT INTO voucher_tokens/, commit: 'redirect begun' },
  { statement: /UPDATE voucher_tokens t SET/, commit: 'redirect moved' },
  { statement: /UPDATE voucher_tokens SET renewing_until/, commit: 'renewal noted' },
  { statement: /DELETE FROM voucher_tokens/, commit: 'voucher token deleted' },
  { statement: /^DELETE FROM discarded_vouchers/, commit: 'voucher forgotten' },
  { statement: /^INSERT INTO discarded_vouchers/, commit: 'voucher noted' },
  { statement: /^INSERT INTO idempotency/, commit: 'voucher cancellation begun' },
  { statement: /DELETE FROM outbox/, commit: 'voucher outbox emptied' },
] as const satisfies Omit<Name, 'link'>[]

const OF_INVOICES = [
  { statement: /^INSERT INTO customers/, commit: 'customer made' },
  { statement: /^DELETE FROM customers/, commit: 'customer deleted' },
  { statement: /^INSERT INTO products/, commit: 'product made' },
  { statement: /INSERT INTO invoices /, commit: 'invoice made' },
  { statement: /INSERT INTO receipts/, commit: 'money received' },
  { statement: /UPDATE receipts t SET/, commit: 'receipt decided' },
  { statement: /INSERT INTO boletos/, commit: 'boleto begun' },
  { statement: /UPDATE boletos t\s+SET/, commit: 'boleto saved' },
  { statement: /INSERT INTO pix_charges/, commit: 'pix begun' },
  { statement: /UPDATE pix_charges t\s+SET/, commit: 'pix saved' },
  { statement: /INSERT INTO pix_refunds/, commit: 'pix refund begun' },
  { statement: /UPDATE pix_refunds t\s+SET/, commit: 'pix refund saved' },
  { statement: /INSERT INTO invoice_transactions/, commit: 'card payment begun' },
  { statement: /UPDATE invoice_transactions t\s+SET/, commit: 'card payment resolved' },
  { statement: /^SELECT FROM invoices WHERE id/, commit: 'invoice changed' },
  // The sweeper's commit: a request locks its invoice first, so the row above matches it.
  { statement: /UPDATE invoices t SET/, commit: 'past due told' },
  { statement: /DELETE FROM outbox/, commit: 'invoice outbox emptied' },
] as const satisfies Omit<Name, 'link'>[]

/** The names of transactions, each by one of its statements; the first that fits counts. */
const NAMES: readonly Name[] = [
  { link: 'orders orders', statement: /INSERT INTO evidence_chunks/, commit: 'evidence kept' },
  { link: 'orders orders', statement: /INSERT INTO disputes/, commit: 'dispute seen' },
  { link: 'orders orders', statement: /UPDATE disputes t\s+SET/, commit: 'dispute moved' },
  { link: 'invoices invoices', statement: /INSERT INTO disputes/, commit: 'dispute recorded' },
  { link: 'vault vault', statement: /INSERT INTO cards[^;]*'token_card', now/, commit: 'token card kept' },
  { link: 'vault vault', statement: /INSERT INTO cards[^;]*'token_number'/, commit: 'token number kept' },
  {
    link: 'vault vault',
    statement: /DELETE FROM cards[^;]*kind <> 'card'/,
    commit: 'token numbers destroyed',
  },
  { link: 'vault vault', statement: /INSERT INTO cards[^;]*'voucher'/, commit: 'voucher number kept' },
  { link: 'vault vault', statement: /INSERT INTO cards/, commit: 'card stored' },
  { link: 'vault vault', statement: /INSERT INTO grants/, commit: 'code kept' },
  { link: 'vault vault', statement: /UPDATE grants SET/, commit: 'grant kept' },
  {
    link: 'vault vault',
    statement: /DELETE FROM (cards[^;]*kind = 'voucher'|grants)/,
    commit: 'voucher destroyed',
  },
  { link: 'orders orders', statement: /INSERT INTO charges/, commit: 'charge made' },
  { link: 'orders orders', statement: /DELETE FROM outbox/, commit: 'outbox emptied' },
  { link: 'orders orders', statement: /UPDATE charges SET asks/, commit: 'asking leased' },
  { link: 'orders orders', statement: /^UPDATE idempotency/, commit: 'metadata replaced' },
  { link: 'orders orders', statement: /UPDATE charges t SET status/, alone: true, commit: 'outcome saved' },
  { link: 'orders orders', statement: /^INSERT INTO idempotency/, commit: 'operation begun' },
  { link: 'orders orders', statement: /UPDATE charges t SET status/, commit: 'charge resolved' },
  { link: 'orders event_log', statement: /INSERT INTO event_log /, commit: 'events published' },
  { link: 'network-token network_token', statement: /INSERT INTO network_tokens/, commit: 'token made' },
  { link: 'network-token network_token', statement: /SET partner_id/, commit: 'token saved' },
  { link: 'network-token network_token', statement: /SET asks = asks/, commit: 'token leased' },
  { link: 'network-token event_log', statement: /INSERT INTO event_log /, commit: 'token events published' },
  ...OF_VOUCHERS.map((name) => ({ link: 'vouchers vouchers', ...name })),
  { link: 'vouchers event_log', statement: /INSERT INTO event_log /, commit: 'voucher events published' },
  ...OF_INVOICES.map((name) => ({ link: 'invoices invoices', ...name })),
  { link: 'invoices event_log', statement: /INSERT INTO event_log /, commit: 'invoice events published' },
  { link: 'notifier event_log', statement: /UPDATE event_log_groups/, commit: 'events consumed' },
  { link: 'notifier notifier', statement: /INSERT INTO deliveries/, commit: 'delivery made' },
  {
    link: 'notifier notifier',
    statement: /UPDATE lanes SET due_at[^;]*lease = gen/,
    commit: 'delivery claimed',
  },
  { link: 'notifier notifier', statement: /INSERT INTO attempts/, commit: 'attempt written' },
]

/** Services without a named commit: each commit that writes is then named the work of the service. */
export const UNNAMED = SERVICE_NAMES.filter((name) => !NAMES.some(({ link }) => link.startsWith(`${name} `)))
const WRITES = /^\s*(INSERT|UPDATE|DELETE|WITH)\b/i

/** Follows the statements of one connection and names the commits at which a program may be killed. */
export function commitNamer({ service, database }: DatabaseLink): (statement: string) => Commit | undefined {
  let open: string[] | undefined
  return (statement) => {
    if (/^BEGIN/i.test(statement)) open = []
    else if (/^ROLLBACK/i.test(statement)) open = undefined
    else if (/^COMMIT/i.test(statement)) {
      const statements = open ?? []
      open = undefined
      return nameOf(`${service} ${database}`, statements, false)
    } else if (open) open.push(statement)
    else return nameOf(`${service} ${database}`, [statement], true)
    return undefined
  }
}

function nameOf(link: string, statements: readonly string[], alone: boolean): Commit | undefined {
  const named = NAMES.find(
    (name) =>
      name.link === link &&
      (!name.alone || alone) &&
      statements.some((statement) => name.statement.test(statement.trim())),
  )?.commit
  if (named !== undefined) return named
  const service = UNNAMED.find((each) => link.startsWith(`${each} `))
  return service && statements.some((statement) => WRITES.test(statement)) ? `work of ${service}` : undefined
}
