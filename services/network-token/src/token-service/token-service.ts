import type { Card, Reason } from '../token/network-token'

/** The token that a call is about, the seller's account to call with, and the deadline in epoch milliseconds. */
export type TokenCall = { sellerId: number; token: string; merchantId: string; deadline: number }

/** Nothing left this machine, so repeating is safe. `gone`: the vault has no numbers for the token. */
type NotSent = { result: 'not_sent'; gone: boolean }
/** The request may have left: never repeat it, ask about it. */
type Unknown = { result: 'unknown' }

export type TokenRequest = {
  reference: string
  card: Card
  /** The card with its CVV, while in memory. Empty: the card that the vault keeps, without the CVV. */
  handle: string
}

export type RequestOutcome =
  { result: 'accepted'; partnerId: string } | { result: 'refused'; reason: Reason } | NotSent | Unknown

/** The state of one token at the token service. */
export type Found =
  | {
      result: 'found'
      partnerId: string
      state: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'DELETED' | 'FAILED'
      /** Meaningful only with FAILED. */
      reason: Reason
      /** Whether the vault has the network's number. */
      numberKept: boolean
      /** Last four digits of the card behind the token, if the token service sends them. */
      cardLastFour: string | undefined
    }
  | { result: 'absent' }
  | NotSent
  | Unknown

export type CryptogramOutcome =
  { result: 'sealed'; handle: string } | { result: 'not_active' } | NotSent | Unknown

/** `over`: there is nothing to close. */
export type CloseOutcome = { result: 'closed' } | { result: 'over' } | NotSent | Unknown

/** The company that makes network tokens, in our words. The vault takes numbers and cryptograms out of its answers. */
export type TokenService = {
  request(request: TokenRequest, call: TokenCall): Promise<RequestOutcome>
  /** Finds a token by the token service's id, or by our reference while that id is unknown. */
  find(named: { partnerId: string | null; reference: string }, call: TokenCall): Promise<Found>
  cryptogram(
    payment: { partnerId: string; reference: string; amount: number },
    call: TokenCall,
  ): Promise<CryptogramOutcome>
  close(partnerId: string, call: TokenCall): Promise<CloseOutcome>
}
