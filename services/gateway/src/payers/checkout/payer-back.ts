import { ChallengeRefusal, ChallengeStatus } from '@cofre/proto/invoices/v1/three_d_secure'
import type { FinishAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import type { Request } from 'express'
import { PageFault } from './page-fault'
import type { Said, Words } from './words'

/** The query parameter of the page that says how a payer came back from the issuer. */
const PAYER = 'payer'
const NOT_AUTHENTICATED = 'not-authenticated'

/** The messages to a payer who came back and was not charged. */
const SAID = new Map<unknown, (words: Words) => Said>([
  [NOT_AUTHENTICATED, ({ notAuthenticated }) => notAuthenticated],
  ['amount-changed', ({ amountChanged }) => amountChanged],
  ['not-paid', ({ unavailable }) => unavailable],
])

/** Returns the query of the page to which a payer is led back; empty when the page itself shows the outcome. */
export function queryOfPayer(response: FinishAuthenticationResponse | undefined): string {
  if (response?.status !== ChallengeStatus.REFUSED) return ''
  return `?${PAYER}=${wordOf(response.refusal)}`
}

function wordOf(refusal: ChallengeRefusal): string {
  if (refusal === ChallengeRefusal.AMOUNT_CHANGED) return 'amount-changed'
  return refusal === ChallengeRefusal.NOT_PAID ? 'not-paid' : NOT_AUTHENTICATED
}

export function faultOfPayer(req: Request): PageFault | undefined {
  const say = SAID.get(req.query[PAYER])
  return say && new PageFault(200, say)
}
