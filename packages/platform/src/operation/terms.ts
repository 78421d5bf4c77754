import { databaseNow } from '../service/database-clock'
import { currentCall } from '../grpc/call-context'

/** When an operation begins, until when it may leave for a partner, and when to ask if no answer came. */
export type Terms = { operationId: string; at: number; deadline: number; firstAskAt: number }

/** The time before the caller's deadline to save an outcome and answer: a caller without an answer may ask again. */
const ANSWER_MS = 1_000

/** The terms of an operation that begins now, or began at `at`. */
export function newTerms(
  operationId: string,
  { timeoutMs, firstAskMs }: { timeoutMs: number; firstAskMs: number },
  at = databaseNow(),
): Terms {
  return { operationId, at, deadline: deadlineOf(timeoutMs, at), firstAskAt: at + firstAskMs }
}

/**
 * Until when a call to a partner may run, epoch milliseconds. No call leaves too late for our own caller to get the
 * answer. `answerMs`: the part of the caller's time that is left for it.
 */
export function deadlineOf(timeoutMs: number, at = databaseNow(), answerMs = ANSWER_MS): number {
  return Math.min(at + timeoutMs, (currentCall()?.deadline ?? Infinity) - answerMs)
}

/** The time (epoch milliseconds) before which a pending operation counts as pending too long. */
export function pendingTooLongBefore({ pendingTooLongMinutes }: { pendingTooLongMinutes: number }): number {
  return databaseNow() - pendingTooLongMinutes * 60_000
}
