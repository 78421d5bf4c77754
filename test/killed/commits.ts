import type { Commit, Program } from './points'

/** Which service speaks to which database. */
export type DatabaseLink = { service: Program; database: string }

export const DATABASE_LINKS: readonly DatabaseLink[] = [
  { service: 'vault', database: 'vault' },
  { service: 'orders', database: 'orders' },
  { service: 'orders', database: 'event_log' },
  { service: 'gateway', database: 'gateway' },
  { service: 'notifier', database: 'notifier' },
  { service: 'notifier', database: 'event_log' },
]

/** What a transaction is, by a statement of it; the first that fits. `alone`: it is the only statement. */
const NAMES: { link: string; statement: RegExp; alone?: boolean; commit: Commit }[] = [
  { link: 'vault vault', statement: /INSERT INTO cards/, commit: 'card stored' },
  { link: 'orders orders', statement: /INSERT INTO charges/, commit: 'charge made' },
  { link: 'orders orders', statement: /DELETE FROM outbox/, commit: 'outbox emptied' },
  { link: 'orders orders', statement: /UPDATE charges SET asks/, commit: 'asking leased' },
  { link: 'orders orders', statement: /^UPDATE idempotency/, commit: 'metadata replaced' },
  { link: 'orders orders', statement: /UPDATE charges c SET status/, alone: true, commit: 'outcome saved' },
  { link: 'orders orders', statement: /^INSERT INTO idempotency/, commit: 'operation begun' },
  { link: 'orders orders', statement: /UPDATE charges c SET status/, commit: 'charge settled' },
  { link: 'orders event_log', statement: /INSERT INTO event_log /, commit: 'events published' },
  { link: 'notifier event_log', statement: /UPDATE event_log_groups/, commit: 'events consumed' },
  { link: 'notifier notifier', statement: /INSERT INTO deliveries/, commit: 'delivery made' },
  {
    link: 'notifier notifier',
    statement: /UPDATE lanes SET due_at[^;]*lease = gen/,
    commit: 'delivery claimed',
  },
  { link: 'notifier notifier', statement: /INSERT INTO attempts/, commit: 'attempt written' },
]

/** Follows the statements of one connection and names those that commit something worth dying at. */
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
  return NAMES.find(
    (name) =>
      name.link === link &&
      (!name.alone || alone) &&
      statements.some((statement) => name.statement.test(statement.trim())),
  )?.commit
}
