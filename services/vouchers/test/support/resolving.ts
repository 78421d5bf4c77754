import { eventually } from '@cofre/testing/testing'
import type { VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../../src/deps'
import { resolvePending, takePending } from '../../src/sweepers/resolve-payments'
import { AT_ONCE } from '@cofre/platform/operation/resolver'
import type { TestVouchers } from './start-vouchers'
import { get } from './vouchers'

/** Runs one turn of the sweeper to its end. Returns how many payments it asked about. */
export async function resolvePayments(deps: Deps): Promise<number> {
  const taken = await takePending(deps, AT_ONCE)
  await Promise.all(taken.map((key) => resolvePending(deps, key)))
  return taken.length
}

/** Runs the resolving sweeper again and again until `check` accepts the payment. */
export async function resolved(
  vouchers: Pick<TestVouchers, 'client' | 'deps'>,
  payment: Pick<VoucherPayment, 'sellerId' | 'id'>,
  check: (payment: VoucherPayment) => void,
): Promise<VoucherPayment> {
  return eventually(async () => {
    await resolvePayments(vouchers.deps)
    const current = await get(vouchers, payment)
    check(current)
    return current
  })
}

const HOUR_MS = 3_600_000

/**
 * Moves the dispatch deadline of one payment, or of all, to `agoMs` before now. The payment is then due to be asked
 * about. To be called when no request for it runs.
 */
export async function passDeadlines(
  { pool }: Pick<TestVouchers, 'pool'>,
  payment?: Pick<VoucherPayment, 'id'>,
  agoMs = HOUR_MS,
): Promise<void> {
  await pool.query(
    `UPDATE payments SET ask_at = least(ask_at, $1::timestamptz),
       dispatch_deadline = CASE WHEN dispatch_deadline IS NOT NULL THEN $1::timestamptz END
     WHERE ask_at IS NOT NULL AND ($2::bigint IS NULL OR id = $2)`,
    [new Date(Date.now() - agoMs), payment?.id ?? null],
  )
}

/** Returns the types of the events of a payment or token, in order. */
export async function eventsOf(
  { pool }: Pick<TestVouchers, 'pool'>,
  key: number | string,
): Promise<string[]> {
  const { rows } = await pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(key)])
  return rows.map(({ type }) => type)
}
