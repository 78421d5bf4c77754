import type { CardType } from '../brands/brand'

/** The contract's words, as the database and the API have them too. */
export type VoucherTokenStatus = 'PENDING' | 'ACTIVE' | 'DENIED' | 'EXPIRED' | 'FAILED'

/** A voucher card, as sellers name it. Its number is in the vault, under the token. Times in epoch milliseconds. */
export type VoucherToken = {
  token: string
  sellerId: number
  cardType: CardType
  brand: string
  status: VoucherTokenStatus
  bin: string
  lastFour: string
  /** Counts the events told. */
  sequence: number
  createdAt: number
  updatedAt: number
}
