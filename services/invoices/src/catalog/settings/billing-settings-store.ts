import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { CardFeeRow, CardFees } from './card-fees'
import type { Db } from '@cofre/platform/postgres/postgres'

/**
 * How the money of a seller's invoices is taken. `lateness`: whether a payment of the principal alone pays a late
 * invoice (WAIVE), or fine and interest are asked for as well (DEMAND). `holidays`: days on which the banks of the
 * seller's town are closed besides those of the whole country, in order. `cardFees`: the seller's own; empty: those of
 * the installation.
 */
export type BillingSettings = {
  lateness: 'WAIVE' | 'DEMAND'
  holidays: readonly CalendarDay[]
  cardFees: readonly CardFeeRow[]
  /** The account that gets what Pix Automático collects. Null: no payer is offered it. */
  pixReceiver: PixReceiver | null
  /** Whom payers ask. Null: letters name nobody. */
  contact: Contact | null
}

/** Where answers to letters go, and what payers call; each empty where there is none. */
export type Contact = { email: string; phone: string }

export const ACCOUNT_TYPES = ['CHECKING', 'SAVINGS', 'PAYMENT'] as const

/** A bank account of a seller. `branch`: empty where it has none. */
export type PixReceiver = { branch: string; account: string; type: (typeof ACCOUNT_TYPES)[number] }

const DEFAULTS: BillingSettings = {
  lateness: 'WAIVE',
  holidays: [],
  cardFees: [],
  pixReceiver: null,
  contact: null,
}

/** The settings of a seller; the defaults when it has none of its own. */
export async function readBillingSettings(db: Db, sellerId: number): Promise<BillingSettings> {
  const { rows } = await db.query<BillingSettings>({
    name: 'read-billing-settings',
    text: `SELECT lateness, holidays::text[], card_fees AS "cardFees", pix_receiver AS "pixReceiver", contact FROM billing_settings WHERE seller_id = $1`,
    values: [sellerId],
  })
  return rows[0] ?? DEFAULTS
}

export async function saveBillingSettings(
  db: Db,
  sellerId: number,
  { lateness, holidays, cardFees, pixReceiver, contact }: BillingSettings,
  at: number,
): Promise<void> {
  await db.query(
    `INSERT INTO billing_settings (seller_id, lateness, holidays, card_fees, updated_at, pix_receiver, contact)
     VALUES ($1, $2, $3::date[], $5, $4, $6, $7)
     ON CONFLICT (seller_id) DO UPDATE SET lateness = excluded.lateness, holidays = excluded.holidays,
       card_fees = excluded.card_fees, pix_receiver = excluded.pix_receiver, contact = excluded.contact, updated_at = excluded.updated_at`,
    [
      sellerId,
      lateness,
      holidays,
      new Date(at),
      JSON.stringify(cardFees),
      pixReceiver && JSON.stringify(pixReceiver),
      contact && JSON.stringify(contact),
    ],
  )
}

/** The card fees that hold for a seller: its own, or those of the installation. */
export async function cardFeesOf(
  db: Db,
  { cardFees }: { cardFees: CardFees },
  sellerId: number,
): Promise<CardFees> {
  const { cardFees: own } = await readBillingSettings(db, sellerId)
  return own.length === 0 ? cardFees : new Map(own.map(({ installments, ...fee }) => [installments, fee]))
}
