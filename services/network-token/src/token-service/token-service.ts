import type { Card, Reason } from '../token/network-token'

/** The token that a call is about, the seller's account that it is made with, and until when it may take: epoch milliseconds. */
export type TokenCall = { sellerId: number; token: string; merchantId: string; deadline: number }

/** Nothing left this machine: repeating is safe. `gone`: the vault has no numbers of the token. */
type NotSent = { result: 'not_sent'; gone: boolean }
/** Something may have left: never repeat, ask. */
type Unknown = { result: 'unknown' }

export type TokenRequest = {
  reference: string
  card: Card
  /** The card with its CVV, while it is in memory; empty: the one that the vault keeps, without it. */
  handle: string
}

export type RequestOutcome =
  { result: 'accepted'; partnerId: string } | { result: 'refused'; reason: Reason } | NotSent | Unknown

/** The truth at the token service about one token. */
export type Found =
  | {
      result: 'found'
      partnerId: string
      state: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'DELETED' | 'FAILED'
      /** With FAILED. */
      reason: Reason
      /** Whether the vault has the network's number. */
      numberKept: boolean
      /** Of the card behind the token, where it is told. */
      cardLastFour: string | undefined
    }
  | { result: 'absent' }
  | NotSent
  | Unknown

export type CryptogramOutcome =
  { result: 'sealed'; handle: string } | { result: 'not_active' } | NotSent | Unknown

/** `over`: there is nothing to close. */
export type CloseOutcome = { result: 'closed' } | { result: 'over' } | NotSent | Unknown

/** The company that makes network tokens, in our words. Numbers and cryptograms stay in the vault, on the way. */
export type TokenService = {
  request(request: TokenRequest, call: TokenCall): Promise<RequestOutcome>
  /** By the token service's id, or where that is not known by our reference. */
  find(named: { partnerId: string | null; reference: string }, call: TokenCall): Promise<Found>
  cryptogram(
    payment: { partnerId: string; reference: string; amount: number },
    call: TokenCall,
  ): Promise<CryptogramOutcome>
  close(partnerId: string, call: TokenCall): Promise<CloseOutcome>
}
