import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Dispatch, NotSent, Unknown } from './acquirer'

export type DisputeStage =
  'INQUIRY' | 'CHARGEBACK' | 'SECOND_CHARGEBACK' | 'PRE_COMPLIANCE' | 'COMPLIANCE' | 'ARBITRATION'

/** What may be known of the sale that a case is about; texts are empty where the acquirer names nothing. */
export type DisputedSale = {
  tid: string
  nsu: string
  authorizationCode: string
  /** In São Paulo. */
  day: CalendarDay | null
  brand: string
  lastFour: string
}

/** A case as the acquirer has it. Amounts in cents. */
export type DisputeCase = {
  /** The case keeps its name; each stage of it has another `disputeId`. */
  caseId: string
  disputeId: string
  stage: DisputeStage
  amount: number
  /** The last day for an answer. */
  respondBy: CalendarDay | null
  reason: { code: string; brand: string; text: string }
  sale: DisputedSale
  /** `open`: it waits for an answer. `treated`: it does not, and the acquirer says no more. */
  state: 'open' | 'treated' | 'review' | 'won' | 'lost'
  /** What was answered, by us or by somebody at the acquirer; null: nothing, or nothing that it says. */
  answered: 'ACCEPT' | 'CONTEST' | null
  /** The latest step, in the acquirer's words. */
  text: string
}

/** A page of an account's cases. `more`: another page follows. */
export type CasePage = { result: 'page'; cases: DisputeCase[]; more: boolean } | Unknown

export type AskedCases = {
  list: 'open' | 'treated'
  establishmentNumber: string
  /** One case; undefined: all. */
  caseId?: string | undefined
  page: number
}

/** The latest step of a case that was answered; `none`: it has no step yet. */
export type LatestStep =
  { result: 'step'; state: DisputeCase['state']; text: string } | { result: 'none' } | Unknown

export type Answered = { establishmentNumber: string; caseId: string; disputeId: string; by: string }

/** The bytes of a file are streamed. */
export type Evidence = { contentType: string; reason: string; chunks: AsyncIterable<Uint8Array> }

export type AnswerOutcome =
  | { result: 'done' }
  /** An earlier answer reached the acquirer: the case says which. */
  | { result: 'answered_before' }
  | { result: 'refused'; code: string }
  /** Nothing was done; try again later. */
  | { result: 'busy' }
  | NotSent
  | Unknown

/** What an acquirer that shows disputes can do. */
export type Disputes = {
  evidence: { contentTypes: readonly string[]; bytesMax: number; reasonMax: number }
  list(asked: AskedCases, dispatch: Dispatch): Promise<CasePage>
  latestStep(caseId: string, dispatch: Dispatch): Promise<LatestStep>
  accept(answered: Answered, dispatch: Dispatch): Promise<AnswerOutcome>
  contest(answered: Answered, evidence: Evidence, dispatch: Dispatch): Promise<AnswerOutcome>
}
