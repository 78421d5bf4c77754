import { DomainError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  NetworkTokensService,
  type GetTokenRequest,
  type ObtainCryptogramRequest,
} from '@cofre/proto/networktoken/v1/networktoken'
import { SealedCard } from '@cofre/proto/vault/v1/vault'
import { sealedCard } from './orders'

/** A token of the service: of a card, for one account. `fault`: what asking for a cryptogram comes to. */
export type SmallToken = {
  sellerId: number
  merchantId: string
  card: string
  cardIsCurrent: boolean
  active: boolean
  fault?: DomainError
  cryptograms: { reference: string; amount: number }[]
}

/** Network tokens in memory, for the certificate of orders. A handle is the card's number, `#`, and the cryptogram. */
export function createSmallNetworkTokens() {
  const tokens = new Map<string, SmallToken>()
  const find = ({ sellerId, token }: GetTokenRequest): SmallToken => {
    const found = tokens.get(token)
    if (found?.sellerId === sellerId && found.active) return found
    throw new DomainError(
      'failed_precondition',
      'NETWORK_TOKEN_NOT_ACTIVE',
      'The network token is not active.',
    )
  }
  const describeActiveToken = async (key: GetTokenRequest) => {
    const { card, merchantId, cardIsCurrent } = find(key)
    return { card: sealedCard(card).card, merchantId, cardIsCurrent }
  }
  const obtainCryptogram = async ({ reference, amount, ...key }: ObtainCryptogramRequest) => {
    const { card, cryptograms, fault } = find(key)
    if (fault) throw fault
    cryptograms.push({ reference, amount })
    return SealedCard.fromPartial({ handle: `${card}#cryptogram of ${reference}`, usable: true })
  }
  const service = (log: Logger): ServedService =>
    standIn(log, NetworkTokensService, {
      describeActiveToken,
      obtainCryptogram,
    })
  return { tokens, service }
}
