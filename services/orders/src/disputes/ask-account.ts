import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Disputes, DisputeCase } from '../acquirer/dispute-cases'
import type { Deps } from '../deps'
import type { DisputeAccount } from '../dispute-store/account-store'
import { disputesOf } from '../dispute-store/dispute-search-store'
import { saveDispute } from '../dispute-store/dispute-store'
import { insertDispute } from '../dispute-store/new-dispute-store'
import { adoptCase } from './adopt-case'
import type { Dispute } from './dispute'
import { tellMoved } from './tell-moved'

/** The most pages of one list: 20,000 cases of an account. */
const PAGES_MAX = 100
/** The most cases that are asked for one by one, because no list has them any more. */
const OLD_MAX = 50

/**
 * Reads all cases of an account and adopts their state. False when the acquirer did not show all of them: what it
 * showed is adopted, and the rest is asked for again.
 */
export async function askAccount(deps: Deps, account: DisputeAccount): Promise<boolean> {
  const { disputes } = deps.acquirers[account.acquirer]
  if (!disputes) return true
  const found = new Map<string, DisputeCase>()
  // An open stage of a case is newer than the treated ones before it.
  const isWhole =
    (await readList(deps, disputes, { account, list: 'treated', found })) &&
    (await readList(deps, disputes, { account, list: 'open', found }))
  const known = await disputesOf(deps.pool, account.establishmentId, [...found.keys()])
  const byCase = new Map(known.map((dispute) => [dispute.caseId, dispute]))
  // Half of a picture could show an earlier stage as the latest.
  if (!isWhole) return false
  for (const each of found.values()) await adopt(deps, account, byCase.get(each.caseId), each)
  const old = known.filter(({ caseId }) => !found.has(caseId)).slice(0, OLD_MAX)
  for (const dispute of old) await askOld(deps, disputes, account, dispute)
  return true
}

type List = { account: DisputeAccount; list: 'open' | 'treated'; found: Map<string, DisputeCase> }

async function readList(deps: Deps, disputes: Disputes, { account, list, found }: List): Promise<boolean> {
  const { establishmentNumber } = account
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await disputes.list({ list, establishmentNumber, page }, dispatchFor(deps, account))
    if (read.result === 'unknown') return false
    for (const each of read.cases) if (isLater(each, found.get(each.caseId))) found.set(each.caseId, each)
    if (!read.more) return true
  }
  deps.log.error({ establishmentId: account.establishmentId }, 'more disputes than are read')
  return true
}

/** Of several stages of a case, the open one is the latest; else the one whose name the acquirer gave last. */
function isLater(each: DisputeCase, other: DisputeCase | undefined): boolean {
  if (!other || each.state === 'open') return true
  return other.disputeId.length === each.disputeId.length
    ? each.disputeId >= other.disputeId
    : each.disputeId.length > other.disputeId.length
}

export function dispatchFor(
  { acquirers }: Deps,
  { account, acquirer }: Pick<DisputeAccount, 'account' | 'acquirer'>,
) {
  const deadline = databaseNow() + acquirers[acquirer].capabilities.timeoutMs
  return { account, deadline, requestId: '' }
}

async function adopt(
  deps: Deps,
  { establishmentId, account: { sellerId } }: DisputeAccount,
  dispute: Dispute | undefined,
  found: DisputeCase,
): Promise<void> {
  const at = databaseNow()
  if (!dispute) {
    const opened = await insertDispute(deps.pool, { sellerId, establishmentId, found, at })
    if (opened) tellMoved(deps, undefined, opened)
    return
  }
  const decision = adoptCase(dispute, found, at)
  // A dispute that changed meanwhile is adopted by the next look.
  if (decision && (await saveDispute(deps.pool, decision))) tellMoved(deps, dispute, decision.dispute)
}

async function askOld(
  deps: Deps,
  disputes: Disputes,
  account: DisputeAccount,
  dispute: Dispute,
): Promise<void> {
  const step = await disputes.latestStep(dispute.caseId, dispatchFor(deps, account))
  if (step.result !== 'step') return
  const { caseId, acquirerDisputeId: disputeId, stage, amount, respondBy, reason } = dispute
  const { tid, nsu, authorizationCode, brand, lastFour } = dispute
  const sale = { tid, nsu, authorizationCode, day: null, brand, lastFour }
  const { state, text } = step
  const found = { caseId, disputeId, stage, amount, respondBy, reason, sale, state, answered: null, text }
  await adopt(deps, account, dispute, found)
}
