import { dayAt, dayNumber, lastDayWithoutCharges } from './bank-calendar'

/** Money received for a slip, or for a number that this bank does not know. Cents; epoch milliseconds. */
export type Receipt = { id: string; amount: number; paidAt: number }

/** An amount in cents, or a share in hundredths of a percent, charged from this day on. */
type Charge = { from: string; amount?: number | undefined; share?: number | undefined }

/** An amount in cents that a payer has less to pay until the end of this day. */
type Discount = { until: string; amount: number }

/** A payer's address in the bank's words. */
export type PayerAddress = { logradouro: string; bairro: string; cidade: string; uf: string; cep: string }

/** A registered slip. Amounts in cents, days YYYY-MM-DD, times epoch milliseconds. */
export type Slip = {
  agreement: string
  /** 17 digits: the agreement and the seller's own number. */
  ourNumber: string
  wallet: string
  documentNumber: string
  dueDate: string
  payableUntil: string
  amount: number
  fine?: Charge | undefined
  /** Charged for each day from its first one on; a share is per month of 30 days. */
  interest?: Charge | undefined
  discounts: readonly Discount[]
  payer: { document: string; name: string; address: PayerAddress | null }
  code: string
  line: string
  cancelled: boolean
  receipts: readonly Receipt[]
  registeredAt: number
}

export type SlipStatus = 'REGISTRADO' | 'LIQUIDADO' | 'BAIXADO' | 'VENCIDO'

/** Returns the status of a slip at a moment. */
export function statusOf(slip: Slip, at: number): SlipStatus {
  if (slip.receipts.length > 0) return 'LIQUIDADO'
  if (slip.cancelled) return 'BAIXADO'
  return dayAt(at) > slip.payableUntil ? 'VENCIDO' : 'REGISTRADO'
}

/** Returns the amount due at a moment, in cents: less a discount, or with fine and interest once the slip is late. */
export function askedAt(slip: Slip, at: number): number {
  const today = dayAt(at)
  if (today <= lastDayWithoutCharges(slip.dueDate)) return slip.amount - discountOn(slip, today)
  const fine = today >= (slip.fine?.from ?? '9999') ? shareOf(slip.amount, slip.fine, 1, 1) : 0
  const days = dayNumber(today) - dayNumber(slip.interest?.from ?? today) + 1
  const interest = days > 0 ? shareOf(slip.amount, slip.interest, days, 30) : 0
  return slip.amount + fine + interest
}

/** The discount whose day comes first counts. Banks move a due date, but not the day of a discount. */
function discountOn({ discounts }: Slip, today: string): number {
  return discounts.find(({ until }) => today <= until)?.amount ?? 0
}

function shareOf(principal: number, charge: Charge | undefined, days: number, ofDays: number): number {
  if (charge?.amount !== undefined) return charge.amount * days
  const parts = BigInt(principal) * BigInt(charge?.share ?? 0) * BigInt(days)
  const whole = 10_000n * BigInt(ofDays)
  return Number((parts * 2n + whole) / (whole * 2n))
}
