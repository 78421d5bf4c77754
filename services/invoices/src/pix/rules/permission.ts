import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { PixReceiver } from '../../catalog/settings/billing-settings-store'

/** The contract's names, which the database uses too. */
export type PermissionStatus =
  'PENDING' | 'CREATED' | 'APPROVED' | 'REJECTED' | 'EXPIRED' | 'CANCELLED' | 'REFUSED'

/** The frequencies that Pix Automático has a word for. */
export const PERIODS = {
  WEEKLY: 'SEMANAL',
  MONTHLY: 'MENSAL',
  QUARTERLY: 'TRIMESTRAL',
  SEMIANNUALLY: 'SEMESTRAL',
  YEARLY: 'ANUAL',
} as const
export type PixFrequency = keyof typeof PERIODS

export function isPixFrequency(frequency: string): frequency is PixFrequency {
  return Object.hasOwn(PERIODS, frequency)
}

/** A payer's permission to collect a recurring invoice. Cents; epoch milliseconds. */
export type PixPermission = {
  id: number
  sellerId: number
  recurringInvoiceId: number
  publicId: string
  status: PermissionStatus
  /** The seller's Pix key, and the account that gets the money. */
  account: string
  receiver: PixReceiver
  /** The first cycle that it collects, from 1, and that cycle's day. */
  firstCycle: number
  firstDay: CalendarDay
  frequency: PixFrequency
  /** Null: each invoice has its own amount. */
  amount: number | null
  payer: { name: string; document: string }
  /** What the payer's bank shows of it. */
  purpose: string
  /** The bank's names of the place of its QR code, and of itself. Null: not known yet. */
  locationId: number | null
  recId: string | null
  copyAndPaste: string | null
  /** The bank's code of its end, and its word for who ended it. */
  code: string | null
  endedBy: string | null
  /** The seller ended it, and the bank has yet to. */
  cancelling: boolean
  askAt: number | null
  /** When one of its invoices is next to be collected. */
  collectAt: number | null
  createdAt: number
  updatedAt: number
}

/** A permission as the bank has it. */
export type BankPermission = {
  status: Exclude<PermissionStatus, 'PENDING' | 'REFUSED'>
  copyAndPaste: string | null
  code: string | null
  endedBy: string | null
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const OPEN: readonly PermissionStatus[] = ['PENDING', 'CREATED', 'APPROVED']

export function isOpen({ status }: Pick<PixPermission, 'status'>): boolean {
  return OPEN.includes(status)
}

/**
 * Applies what the bank has of a permission. One that is over stays so, and none becomes CREATED again. The bank is
 * asked daily; while the payer has yet to decide, after as long as the payer has had; and as soon as may be while the
 * seller ends it.
 */
export function followed(permission: PixPermission, bank: BankPermission, at: number): PixPermission {
  const isBack = permission.status === 'APPROVED' && bank.status === 'CREATED'
  const copyAndPaste = permission.copyAndPaste ?? bank.copyAndPaste
  // Nobody sees one without its code.
  if (!isOpen(permission) || isBack || copyAndPaste === null) return permission
  const { status, code, endedBy } = bank
  const isMoved = status !== permission.status
  const updatedAt = isMoved ? at : permission.updatedAt
  const waitMs = status === 'CREATED' ? Math.min(Math.max(at - updatedAt, MINUTE_MS), DAY_MS) : DAY_MS
  // The bank reported it while it was asked: the answer may be older than the report. Of a new one it reports nothing.
  const isDue = permission.status !== 'PENDING' && permission.askAt !== null && permission.askAt <= at
  const askAt = !isOpen(bank) ? null : permission.cancelling || isDue ? permission.askAt : at + waitMs
  const cancelling = permission.cancelling && isOpen(bank)
  const collectAt = status !== 'APPROVED' || cancelling ? null : isMoved ? at : permission.collectAt
  return { ...permission, status, copyAndPaste, code, endedBy, cancelling, askAt, collectAt, updatedAt }
}

/** Ends a permission that the bank did not make. `code`: the bank's, or one of ours. */
export function refused(permission: PixPermission, code: string, at: number): PixPermission {
  if (permission.status !== 'PENDING') return permission
  return { ...permission, status: 'REFUSED', code, cancelling: false, askAt: null, updatedAt: at }
}

/** Has the bank end an open permission. */
export function ended(permission: PixPermission, at: number): PixPermission {
  if (!isOpen(permission)) return permission
  return { ...permission, cancelling: true, askAt: at, collectAt: null, updatedAt: at }
}
