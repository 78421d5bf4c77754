import { databaseNow } from '../service/database-clock'
import { leaseDue, type Lease } from '../postgres/lease'
import type { Pool } from '../postgres/postgres'
import type { Loop } from '../service/lifecycle'
import { manyAtOnce } from '../service/many-at-once'
import type { Logger } from '../telemetry/log'

export const AT_ONCE = 20

type Rules = { resolveEveryMs: number; resolveFirstMs: number; resolveMaxMs: number }

/**
 * The rows that a resolver works on. `what`: what they are, for the log. `lease`: as their store leases them. `now`: the
 * clock that writes `ask_at`.
 */
export type DueRows<Deps, Row> = {
  what: string
  lease(pool: Pool, lease: Lease): Promise<Row[]>
  nameOf(row: Row): string | number
  rulesOf(deps: Deps): Rules
  now(): number
}

export type Resolver<Deps, Row> = {
  /**
   * Leases up to `batch` rows that are due to be asked about: no other process takes them until their next time.
   * `inHand`: the names of those that this process is still asking about.
   */
  take(deps: Deps, batch: number, inHand?: Lease['inHand']): Promise<Row[]>
  /** Resolves due rows until stopped; any number of replicas may run. */
  start(deps: Deps): Loop
}

/** The rows of a table with an id, of a service whose rules are `deps.rules`. */
export function rowsOf<Key extends { id: number }>(table: string): DueRows<{ rules: Rules }, Key> {
  const rows = { table, key: 'id', returning: 'id, seller_id AS "sellerId"' }
  return {
    what: table,
    lease: (pool, lease) => leaseDue<Key>(pool, rows, lease),
    nameOf: ({ id }) => id,
    rulesOf: ({ rules }) => rules,
    now: databaseNow,
  }
}

/** The sweeper that learns the outcomes of operations at a partner. `resolve` never fails. */
export function resolverOf<Deps extends { pool: Pool; log: Logger }, Row>(
  { what, lease, nameOf, rulesOf, now }: DueRows<Deps, Row>,
  resolve: (deps: Deps, row: Row) => Promise<void>,
): Resolver<Deps, Row> {
  const take: Resolver<Deps, Row>['take'] = (deps, batch, inHand = []) => {
    const { resolveFirstMs: firstMs, resolveMaxMs: maxMs } = rulesOf(deps)
    return lease(deps.pool, { at: now(), firstMs, maxMs, batch, inHand })
  }
  const start = (deps: Deps) =>
    manyAtOnce<Row>(
      {
        atOnce: AT_ONCE,
        nameOf,
        take: (free, inHand) => take(deps, free, inHand),
        work: (row) => resolve(deps, row),
      },
      rulesOf(deps).resolveEveryMs,
      (err) => deps.log.error({ err }, `resolving ${what} failed`),
    )
  return { take, start }
}
