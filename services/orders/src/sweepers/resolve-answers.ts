import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf, rowsOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { DisputeCase } from '../acquirer/dispute-cases'
import { termsFrom, type Deps } from '../deps'
import { dropFile } from '../dispute-store/evidence-store'
import {
  readDispute,
  saveAnswerOutcome,
  saveDispute,
  type DisputeKey,
  type StoredDispute,
} from '../dispute-store/dispute-store'
import { adoptCase } from '../disputes/adopt-case'
import { recordAnswer, repeatAnswer } from '../disputes/answer'
import { dispatchFor } from '../disputes/ask-account'
import type { PendingAnswer } from '../disputes/dispute'
import { sendAnswer } from '../disputes/send-answer'
import { tellMoved } from '../disputes/tell-moved'

/** Learns whether an answer without an answer of the acquirer reached it. Never fails. */
export function resolveAnswer(deps: Deps, key: DisputeKey): Promise<void> {
  const timeoutMs = 4 * Math.max(...Object.values(deps.acquirers).map((one) => one.capabilities.timeoutMs))
  const call = { log: deps.log, timeoutMs, what: 'answer not resolved', facts: { disputeId: key.id } }
  return workInCall(call, async () => {
    const stored = await readDispute(deps.pool, key)
    const { answer } = stored.dispute
    if (!answer) return
    await resolve(deps, stored, answer)
    await dropFile(deps.pool, answer.operationId)
  })
}

export const { take: takeAnswers, start: startAnswers } = resolverOf<Deps, DisputeKey>(
  rowsOf('disputes'),
  resolveAnswer,
)

async function resolve(deps: Deps, stored: StoredDispute, answer: PendingAnswer): Promise<void> {
  const askedAt = databaseNow()
  const found = await findCase(deps, stored)
  if (!found) return
  if (found.state !== 'open') {
    const decision = adoptCase(stored.dispute, found, databaseNow())
    if (decision && (await saveDispute(deps.pool, decision)))
      tellMoved(deps, decision.before, decision.dispute)
    return
  }
  const { absenceGraceMs } = deps.acquirers[stored.acquirer].capabilities
  // Until then the acquirer may still learn of the answer.
  if (askedAt > answer.deadline + absenceGraceMs) await repeat(deps, stored, answer)
}

/** The case is open long after the answer left: the answer did not arrive, and leaves once more. */
async function repeat(deps: Deps, stored: StoredDispute, answer: PendingAnswer): Promise<void> {
  const terms = termsFrom(deps, stored.acquirer, answer.operationId)
  // Only one sweeper may save this: two would answer twice.
  const saved = await saveDispute(deps.pool, repeatAnswer(stored.dispute, answer, terms))
  const leaving = saved?.dispute.answer
  if (!saved || !leaving) return
  const outcome = await sendAnswer(deps, { ...stored, dispute: saved.dispute }, leaving)
  const { dispute: after } = await saveAnswerOutcome(deps.pool, saved.dispute, (dispute) =>
    recordAnswer(dispute, { answer: leaving, outcome, isFirst: false }, databaseNow()),
  )
  tellMoved(deps, saved.dispute, after)
}

/** The stage of the case that was answered: open, or treated. Undefined when the acquirer does not show it. */
async function findCase(
  deps: Deps,
  { dispute, account, acquirer, establishmentNumber }: StoredDispute,
): Promise<DisputeCase | undefined> {
  const { disputes } = deps.acquirers[acquirer]
  for (const list of ['open', 'treated'] as const) {
    const asked = { list, establishmentNumber, caseId: dispute.caseId, page: 0 }
    const page = await disputes?.list(asked, dispatchFor(deps, { account, acquirer }))
    if (page?.result !== 'page') return undefined
    const found = page.cases.find(({ disputeId }) => disputeId === dispute.acquirerDisputeId)
    if (found) return found
  }
  return undefined
}
