import { addDays, type CalendarDay } from '@cofre/platform/calendar-day'
import type { PixReceiver } from '../../catalog/settings/billing-settings-store'

/** The contract's names of what the bank has of a collection. */
export type CollectionStatus = 'CREATED' | 'ACTIVE' | 'PAID' | 'EXPIRED' | 'REJECTED' | 'CANCELLED'
export type TryStatus = 'SCHEDULED' | 'PAID' | 'REJECTED' | 'EXPIRED' | 'CANCELLED'

/** A try to collect. `code`: why the payer's bank rejected it, in the central bank's catalogue; null when it did not. */
export type CollectionTry = { day: CalendarDay; status: TryStatus; code: string | null }

/** A collection as the bank has it. `code`: the code of its end. */
export type Collected = { status: CollectionStatus; code: string | null; tries: readonly CollectionTry[] }

/** A Pix charge that the payer's bank pays by a permission. Null members: the bank has not registered it yet. */
export type Collection = { recId: string; receiver: PixReceiver } & Known

type Known = { [Member in keyof Collected]: Collected[Member] | null }

/** The rules of Pix Automático: the seller's bank is sent a collection so many days before its day. */
export const SENT_AHEAD = { least: 2, most: 10 }
/** PERMITE_3R_7D of API Pix: at most three more tries, on other days, within seven days of the due day. */
export const RETRIED_WITHIN_DAYS = 7
const RETRIES_MOST = 3
const RETRY_DAYS = [2, 4, RETRIED_WITHIN_DAYS]

/** The day of the next try to ask for. Undefined when there is none, or one is scheduled. */
export function nextRetry(
  { status, tries }: Collected,
  dueDay: CalendarDay,
  today: CalendarDay,
): CalendarDay | undefined {
  const waits = status !== 'ACTIVE' || tries.length === 0 || tries.some((one) => one.status === 'SCHEDULED')
  if (waits || tries.length > RETRIES_MOST) return undefined
  const last = tries.reduce((latest, { day }) => (day > latest ? day : latest), today)
  return RETRY_DAYS.map((days) => addDays(dueDay, days)).find((day) => day > last)
}

/** Whether nothing is collected any more, and nothing was. */
export function isVain({ status, code, tries }: Known, dueDay: CalendarDay, today: CalendarDay): boolean {
  if (status === null || tries === null) return false
  if (status === 'EXPIRED' || status === 'REJECTED' || status === 'CANCELLED') return true
  const isTried =
    tries.length > 0 && tries.every((one) => one.status !== 'SCHEDULED' && one.status !== 'PAID')
  return status === 'ACTIVE' && isTried && nextRetry({ status, code, tries }, dueDay, today) === undefined
}

/** Whether the day of the first try has come. */
export function isBegun({ tries }: Pick<Known, 'tries'>, today: CalendarDay): boolean {
  return tries !== null && tries.some(({ day }) => day <= today)
}

/** How many tries a payer's bank rejected, or let pass. */
export function failedTries({ tries }: { tries: readonly CollectionTry[] | null }): number {
  return (tries ?? []).filter(({ status }) => status === 'REJECTED' || status === 'EXPIRED').length
}
