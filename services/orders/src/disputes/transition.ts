import type { DisputeEventType } from '@cofre/api/events'
import { isBusinessDay } from '@cofre/platform/business-day'
import { addDays, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { NO_MARKS, type Marks } from '@cofre/platform/idempotency/mark'
import type { Dispute, DisputeStatus, HistoryEntry } from './dispute'

/** A decided, unsaved change: the dispute before and after, its events, and the marks of the requests that it ends. */
export type Decision = { before: Dispute; dispute: Dispute; events: DisputeEventType[]; marks: Marks }

/** The members that a decision changes; what was withdrawn, what is due, and the events follow from them. */
export type Change = Partial<Omit<Dispute, 'id' | 'sellerId' | 'history' | 'withdrawnAmount' | 'version'>>

const HISTORY_MAX = 100
/** How many business days before the last one the seller is reminded. */
const REMINDED_DAYS = 3
/** How many days after the last one an open case counts as unanswered for good, whatever the acquirer's list says. */
const EXPIRED_DAYS = 5

const LOST: readonly DisputeStatus[] = ['LOST', 'ACCEPTED', 'EXPIRED']
/** What a dispute becomes by each answer of the seller. */
const GIVEN = { ACCEPT: 'ACCEPTED', CONTEST: 'UNDER_REVIEW' } as const

/** Moves a dispute to its next state; no other code does. `text`: the acquirer's words of it, for its history. */
export function transition(
  before: Dispute,
  change: Change,
  { at, text, marks = NO_MARKS }: { at: number; text: string; marks?: Marks },
): Decision {
  const isNew = before.sequence === 0
  const isReopened = isNew || isNextStage(before, { ...before, ...change })
  // Each stage wants an answer of its own.
  const changed = { ...before, ...(isReopened ? { evidence: null } : {}), ...change }
  const moved = isReopened || changed.status !== before.status
  const isOpen = changed.status === 'NEEDS_RESPONSE'
  const reminded = changed.reminded && !isReopened
  const events = eventsOf(before, changed, { isReopened, moved })
  const { status, stage } = changed
  const dispute: Dispute = {
    ...changed,
    withdrawnAmount: withdrawnOf(changed) + lostBefore(before, changed, isReopened),
    history: moved
      ? [...before.history, { at, status, stage, text, ...givenIn(before, changed) }].slice(-HISTORY_MAX)
      : before.history,
    reminded,
    dueAt: isOpen ? dueAtOf(changed.respondBy, reminded) : null,
    version: before.version + 1,
    sequence: before.sequence + events.length,
    updatedAt: at,
  }
  return { before, dispute, events, marks }
}

/** The case went on to a later stage, which has a name of its own. */
export function isNextStage(
  before: Dispute,
  { stage, acquirerDisputeId }: Pick<Dispute, 'stage' | 'acquirerDisputeId'>,
): boolean {
  return stage !== before.stage || acquirerDisputeId !== before.acquirerDisputeId
}

/** An open case is withdrawn until it is won; a request for information moves no money. */
function withdrawnOf({ stage, status, amount }: Dispute): number {
  return stage === 'INQUIRY' || status === 'WON' ? 0 : amount
}

/** What earlier stages took for good, cents: a later stage about less gives none of it back. */
function lostBefore(before: Dispute, { amount }: Dispute, isReopened: boolean): number {
  if (before.sequence === 0) return 0
  if (!isReopened) return before.withdrawnAmount - withdrawnOf(before)
  return LOST.includes(before.status) ? Math.max(0, before.withdrawnAmount - amount) : 0
}

/** The amount, and the seller's answer that this move ends, if it is one. */
function givenIn(
  { answer }: Dispute,
  changed: Dispute,
): Pick<HistoryEntry, 'amount' | 'answeredBy' | 'fileName'> {
  const isGiven = answer !== null && changed.answer === null && changed.status === GIVEN[answer.kind]
  return {
    amount: changed.amount,
    answeredBy: isGiven ? answer.by : null,
    fileName: isGiven ? (changed.evidence?.fileName ?? null) : null,
  }
}

function eventsOf(
  before: Dispute,
  { status, stage, reminded }: Dispute,
  { isReopened, moved }: { isReopened: boolean; moved: boolean },
): DisputeEventType[] {
  const opened: DisputeEventType[] = isReopened ? ['dispute.opened'] : []
  const wasLost = before.sequence > 0 && LOST.includes(before.status)
  if (moved && status === 'WON') return [...opened, 'dispute.won']
  // An inquiry took no money.
  if (moved && LOST.includes(status) && !wasLost && stage !== 'INQUIRY') return [...opened, 'dispute.lost']
  if (isReopened) return opened
  return reminded && !before.reminded ? ['dispute.response_due'] : ['dispute.updated']
}

function dueAtOf(respondBy: CalendarDay | null, reminded: boolean): number | null {
  if (respondBy === null) return null
  return reminded ? expiresAt(respondBy) : startOf(businessDaysBefore(respondBy, REMINDED_DAYS))
}

/** From this moment on, a case that nobody answered has expired. */
export function expiresAt(respondBy: CalendarDay): number {
  return startOf(addDays(respondBy, EXPIRED_DAYS + 1))
}

function businessDaysBefore(day: CalendarDay, count: number): CalendarDay {
  if (count === 0) return day
  const before = addDays(day, -1)
  return businessDaysBefore(before, isBusinessDay(before) ? count - 1 : count)
}
