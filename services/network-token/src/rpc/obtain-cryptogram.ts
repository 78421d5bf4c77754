import { databaseNow } from '@cofre/platform/service/database-clock'
import { unavailable } from '@cofre/platform/errors'
import { deadlineOf } from '@cofre/platform/operation/terms'
import type { ObtainCryptogramRequest } from '@cofre/proto/networktoken/v1/networktoken'
import { CardSource, type SealedCard } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { callAbout } from '../token/call-about'
import { notActive } from '../token/network-token'
import { findToken, lookAgain, updateToken } from '../token/network-token-store'
import { endGone, isGone } from '../token/resolution'

/** Part of the caller's time that is kept for the answer. */
const ANSWER_MS = 200

/** Obtains a cryptogram and stores nothing: an unused one expires at the token service, and its handle with it. */
export async function obtainCryptogram(
  deps: Deps,
  { sellerId, token: name, reference, amount }: ObtainCryptogramRequest,
): Promise<SealedCard> {
  const token = (await findToken(deps.pool, { sellerId, token: name }))?.token
  if (token?.status !== 'ACTIVE' || token.partnerId === null) throw notActive()
  const { partnerId, card } = token
  const deadline = deadlineOf(deps.rules.tokenServiceTimeoutMs, databaseNow(), ANSWER_MS)
  const call = callAbout(deps, token, deadline)
  const outcome = await deps.tokenService.cryptogram({ partnerId, reference, amount }, call)
  deps.log.info({ sellerId, reference: token.reference, result: outcome.result }, 'cryptogram requested')
  if (outcome.result === 'not_active') {
    // The network suspended or deleted the token, and no push has reached us yet.
    await lookAgain(deps.pool, { token: name })
    throw notActive()
  }
  if (isGone(outcome)) {
    await updateToken(deps.pool, token, (current) => endGone(current, databaseNow()))
    throw notActive()
  }
  if (outcome.result !== 'sealed') {
    throw unavailable('The token service gave no cryptogram; nothing was charged.')
  }
  const { handle } = outcome
  return { pointer: '', handle, source: CardSource.NETWORK_TOKEN, card, usable: true, hasCvv: false }
}
