import { notFound } from '@cofre/platform/errors'
import {
  ChallengeRefusal,
  ChallengeStatus,
  type FinishAuthenticationRequest,
  type FinishAuthenticationResponse,
} from '@cofre/proto/invoices/v1/three_d_secure'
import type { Deps } from '../../deps'
import type { Challenge } from '../three-d-secure/challenge'
import { findChallenge } from '../three-d-secure/challenge-store'
import { judgeChallenge } from '../three-d-secure/judge-challenge'

/** Anyone with the address may ask how it went, as often as they like: the payment happens once. */
export async function finishAuthentication(
  deps: Deps,
  request: FinishAuthenticationRequest,
): Promise<FinishAuthenticationResponse> {
  const challenge = await findChallenge(deps.pool, request)
  if (!challenge || challenge.status === 'STORING') throw notFound()
  const { status, refusal } =
    challenge.status === 'PENDING' ? await judgeChallenge(deps, challenge) : challenge
  return { status: wordOf(status), refusal: ChallengeRefusal[refusal ?? 'UNSPECIFIED'] }
}

function wordOf(status: Challenge['status']): ChallengeStatus {
  return status === 'STORING' ? ChallengeStatus.UNSPECIFIED : ChallengeStatus[status]
}
