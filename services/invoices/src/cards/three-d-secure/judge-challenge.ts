import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../../deps'
import { judge, type Challenge } from './challenge'
import { updateChallenge } from './challenge-store'
import { factsOf, letGoOfCard, payAuthenticated } from './pay-authenticated'

/**
 * Asks the 3-D Secure server about a PENDING challenge, and acts on the verdict. Of several callers at once, one pays.
 * UNAVAILABLE when the server does not answer: nothing has changed then.
 */
export async function judgeChallenge(deps: Deps, challenge: Challenge): Promise<Challenge> {
  const { sellerId, authenticationId } = challenge
  const { verdict, authentication } = await deps.authenticationServer.find(sellerId, authenticationId)
  const judged = await updateChallenge(deps.pool, challenge.id, async (found, tx) => {
    const next = judge(found, verdict, databaseNow())
    if (next?.askAt === null) await letGoOfCard(tx, found, false)
    return next
  })
  if (!judged.isChanged) return judged.challenge
  deps.log.info({ ...factsOf(challenge), verdict, status: judged.challenge.status }, 'challenge answered')
  if (judged.challenge.status !== 'AUTHENTICATED' || !authentication) return judged.challenge
  return payAuthenticated(deps, judged.challenge, authentication)
}
