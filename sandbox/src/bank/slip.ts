import { dayAt, dayNumber, lastDayWithoutCharges } from './bank-calendar'

/** Money that came in for a slip, or for a number that this bank does not know. Cents; epoch milliseconds. */
export type Receipt = { id: string; amount: number; paidAt: number }

/** Cents, or a share in hundredths of a percent; from this day on. */
type Charge = { from: string; amount?: number | undefined; share?: number | undefined }

/** A registered slip. Amounts in cents, days YYYY-MM-DD, times epoch milliseconds. */
export type Slip = {
  agreement: string
  /** 17 digits: the agreement and a number of the seller's. */
  ourNumber: string
  wallet: string
  documentNumber: string
  dueDate: string
  payableUntil: string
  amount: number
  fine?: Charge | undefined
  /** For each day since the due date; a share is a month's, of 30 days. */
  interest?: Charge | undefined
  payer: { document: string; name: string }
  code: string
  line: string
  cancelled: boolean
  receipts: readonly Receipt[]
  registeredAt: number
}

export type SlipStatus = 'REGISTRADO' | 'LIQUIDADO' | 'BAIXADO' | 'VENCIDO'

/** What has become of a slip. */
export function statusOf(slip: Slip, at: number): SlipStatus {
  if (slip.receipts.length > 0) return 'LIQUIDADO'
  if (slip.cancelled) return 'BAIXADO'
  return dayAt(at) > slip.payableUntil ? 'VENCIDO' : 'REGISTRADO'
}

/** What a payer is asked for at a moment: fine and interest once it is late. Cents. */
export function askedAt(slip: Slip, at: number): number {
  const today = dayAt(at)
  if (today <= lastDayWithoutCharges(slip.dueDate)) return slip.amount
  const days = dayNumber(today) - dayNumber(slip.dueDate)
  const fine = today >= (slip.fine?.from ?? '9999') ? shareOf(slip.amount, slip.fine, 1, 1) : 0
  const interest =
    today >= (slip.interest?.from ?? '9999') ? shareOf(slip.amount, slip.interest, days, 30) : 0
  return slip.amount + fine + interest
}

function shareOf(principal: number, charge: Charge | undefined, days: number, ofDays: number): number {
  if (charge?.amount !== undefined) return charge.amount * days
  const parts = BigInt(principal) * BigInt(charge?.share ?? 0) * BigInt(days)
  const whole = 10_000n * BigInt(ofDays)
  return Number((parts * 2n + whole) / (whole * 2n))
}
