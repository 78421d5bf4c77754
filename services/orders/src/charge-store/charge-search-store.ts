import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '../charge/charge'
import { SELECT_CHARGE, storedCharge, type SelectedCharge } from './charge-store'

export type ChargeFilter = {
  sellerId: number
  orderReference: string | undefined
  externalReference: number | undefined
  /** Empty: any. */
  statuses: string[]
  /** Epoch milliseconds, inclusive. */
  createdFrom: number | undefined
  createdTo: number | undefined
}

/** A page of a seller's charges, newest first, and how many there are in all. */
export async function listCharges(
  pool: Pool,
  filter: ChargeFilter,
  page: { size: number; number: number },
): Promise<{ charges: Charge[]; total: number }> {
  const conditions = ['c.seller_id = $1']
  const values: unknown[] = [filter.sellerId]
  const narrow = (condition: string, value: unknown) => {
    if (value === undefined) return
    conditions.push(condition.replace('$', `$${values.push(value)}`))
  }
  narrow('c.order_reference = $', filter.orderReference)
  narrow('c.external_reference = $', filter.externalReference)
  narrow('c.status = ANY($)', filter.statuses.length > 0 ? filter.statuses : undefined)
  narrow('c.created_at >= to_timestamp($ / 1000.0)', filter.createdFrom)
  narrow('c.created_at <= to_timestamp($ / 1000.0)', filter.createdTo)
  const where = conditions.join(' AND ')
  const [counted, found] = await Promise.all([
    pool.query(`SELECT count(*) AS total FROM charges c WHERE ${where}`, values),
    pool.query<SelectedCharge>(
      `${SELECT_CHARGE} WHERE ${where} ORDER BY c.id DESC
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, page.size, page.number * page.size],
    ),
  ])
  return { charges: found.rows.map((row) => storedCharge(row).charge), total: counted.rows[0].total }
}
