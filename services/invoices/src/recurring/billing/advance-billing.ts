import { setTimeout as pause } from 'node:timers/promises'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import { followClock, leaveClock, moveClockTo, takeClock } from '../../clock/clock-store'
import type { Deps } from '../../deps'
import { sendEmail, takeEmails } from '../../letters/send-emails'
import type { BillingJob } from '../../clock/billing-job'

/** The work done while the clock moved. */
export type Advanced = { invoicesBilled: number; chargesTried: number; emailsSent: number }

type Counted = Record<string, number>

const LOOK_AGAIN_MS = 20
/** How long before the caller's deadline the clock stops, so that the caller still gets an answer. */
const ANSWER_MS = 2_000
const EMAILS_AT_ONCE = 8

/**
 * Moves the billing clock to a moment (epoch milliseconds), from one due moment to the next. At each of them it runs
 * the jobs in order until nothing is left. One caller at a time. FAILED_PRECONDITION CLOCK_MOVES_FORWARD; UNAVAILABLE
 * when time runs out: a repeat goes on from where the clock stopped.
 */
export async function advanceBilling(deps: Deps, jobs: readonly BillingJob[], to: number): Promise<Advanced> {
  await followClock(deps.pool)
  if (to < now()) throw backwards()
  return withClock(deps.pool, async () => {
    // Another caller may have moved the clock this far while this one waited.
    await followClock(deps.pool)
    const counted: Counted = {}
    let moments = await lookAhead(jobs)
    for (let due = Math.min(...moments); due <= to; due = Math.min(...moments)) {
      const at = Math.max(due, now())
      await moveClockTo(deps.pool, at)
      moments = await runDue({ deps, jobs, counted }, at, moments)
    }
    await moveClockTo(deps.pool, Math.max(to, now()))
    return {
      invoicesBilled: counted['bill-cycles'] ?? 0,
      chargesTried: counted['charge-automatically'] ?? 0,
      emailsSent: counted['send-emails'] ?? 0,
    }
  })
}

/** When each job next has work, epoch milliseconds, in the order of the jobs. Infinity means never. */
function lookAhead(jobs: readonly BillingJob[]): Promise<number[]> {
  return Promise.all(jobs.map(async (job) => (await job.nextDueAt()) ?? Infinity))
}

type Move = { deps: Deps; jobs: readonly BillingJob[]; counted: Counted }

/**
 * Does all the work that is due at a moment, and waits for work that another process has taken. A job runs only when it
 * has work (`moments`, as `lookAhead` returns them); at most moments only one job has. Returns the next moments.
 */
async function runDue(move: Move, at: number, moments: number[]): Promise<number[]> {
  for (;;) {
    for (const place of move.jobs.keys()) moments = await runJob(move, place, at, moments)
    if (await sendAllDue(move)) moments = await lookAhead(move.jobs)
    if (Math.min(...moments) > at) return moments
    checkTime()
    await pause(LOOK_AGAIN_MS)
    moments = await lookAhead(move.jobs)
  }
}

/** Runs a job until it has no work left at a moment. Its work may create work for other jobs. */
async function runJob(
  { jobs, counted }: Move,
  place: number,
  at: number,
  moments: number[],
): Promise<number[]> {
  const { name, run } = jobs[place] as BillingJob
  while ((moments[place] as number) <= at) {
    const { seen, done } = await run(at)
    if (seen === 0) return moments
    counted[name] = (counted[name] ?? 0) + done
    checkTime()
    moments = await lookAhead(jobs)
  }
  return moments
}

/** Sends all e-mails that are due. True when there were any. A batch that is not full is the last one. */
async function sendAllDue({ deps, counted }: Move): Promise<boolean> {
  for (let isAny = false; ; isAny = true) {
    const seen = await sendDue(deps, counted)
    if (seen > 0) checkTime()
    if (seen < EMAILS_AT_ONCE) return isAny || seen > 0
  }
}

/** Sends a batch of e-mails that are due, and returns their number. One that fails waits for its usual retry. */
async function sendDue({ mailer, ...deps }: Deps, counted: Counted): Promise<number> {
  if (!mailer) return 0
  const emails = await takeEmails(deps.pool, EMAILS_AT_ONCE)
  const outcomes = await Promise.all(emails.map((email) => sendEmail({ ...deps, mailer }, email)))
  const sent = outcomes.filter((outcome) => outcome === 'sent').length
  counted['send-emails'] = (counted['send-emails'] ?? 0) + sent
  return emails.length
}

/** Lets one caller at a time move the clock, across all processes; the others wait. */
async function withClock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    while (!(await takeClock(connection))) {
      checkTime()
      await pause(LOOK_AGAIN_MS)
    }
    try {
      return await work()
    } finally {
      // A connection that may still hold the clock is closed: only that releases the clock.
      await leaveClock(connection).catch((error: Error) => (broken = error))
    }
  } finally {
    connection.release(broken)
  }
}

function checkTime(): void {
  const deadline = currentCall()?.deadline ?? Infinity
  if (databaseNow() < deadline - ANSWER_MS) return
  throw unavailable('The clock is still moving and has not reached that time yet. Repeat the request.')
}

function backwards(): DomainError {
  const errors = [{ pointer: '#/to', code: 'MIN', detail: 'must not be before the billing clock' }]
  const message = 'The billing clock only moves forward.'
  return new DomainError('failed_precondition', 'CLOCK_MOVES_FORWARD', message, { errors })
}
