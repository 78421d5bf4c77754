import { setTimeout as pause } from 'node:timers/promises'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import { followClock, leaveClock, moveClockTo, takeClock } from '../clock/clock-store'
import type { Deps } from '../deps'
import { sendEmail, takeEmails } from '../sweepers/send-emails'
import type { BillingJob } from './billing-job'

/** What was done while the clock was moved. */
export type Advanced = { invoicesBilled: number; chargesTried: number; emailsSent: number }

type Counted = Record<string, number>

const LOOK_AGAIN_MS = 20
/** So long before nobody waits for the answer any more, the clock stops where it is. */
const ANSWER_MS = 2_000
const EMAILS_AT_ONCE = 8

/**
 * Moves the billing clock to a moment (epoch milliseconds), from one due moment to the next, and at each runs the jobs in
 * their order until nothing is left. One caller at a time. FAILED_PRECONDITION CLOCK_MOVES_FORWARD; UNAVAILABLE where
 * time runs out: asked again, it goes on from where it stopped.
 */
export async function advanceBilling(deps: Deps, jobs: readonly BillingJob[], to: number): Promise<Advanced> {
  await followClock(deps.pool)
  if (to < now()) throw backwards()
  return withClock(deps.pool, async () => {
    // Somebody else may have moved it as far while we waited.
    await followClock(deps.pool)
    const counted: Counted = {}
    for (let due = await nextDue(jobs); due !== undefined && due <= to; due = await nextDue(jobs)) {
      const at = Math.max(due, now())
      await moveClockTo(deps.pool, at)
      await runDue(deps, jobs, at, counted)
    }
    await moveClockTo(deps.pool, Math.max(to, now()))
    return {
      invoicesBilled: counted['bill-cycles'] ?? 0,
      chargesTried: counted['charge-automatically'] ?? 0,
      emailsSent: counted['send-emails'] ?? 0,
    }
  })
}

/** The earliest moment at which a job has something to do. */
async function nextDue(jobs: readonly BillingJob[]): Promise<number | undefined> {
  const moments: number[] = []
  for (const job of jobs) moments.push((await job.nextDueAt()) ?? Infinity)
  const earliest = Math.min(...moments)
  return earliest === Infinity ? undefined : earliest
}

/** Does all that is due at a moment; what another process has in hand is waited for. */
async function runDue(deps: Deps, jobs: readonly BillingJob[], at: number, counted: Counted): Promise<void> {
  for (;;) {
    for (const { name, run } of jobs) {
      await untilNothing(async () => {
        const { seen, done } = await run(at)
        counted[name] = (counted[name] ?? 0) + done
        return seen
      })
    }
    await untilNothing(() => sendDue(deps, counted))
    const left = await nextDue(jobs)
    if (left === undefined || left > at) return
    checkTime()
    await pause(LOOK_AGAIN_MS)
  }
}

async function untilNothing(work: () => Promise<number>): Promise<void> {
  while ((await work()) > 0) checkTime()
}

/** Sends e-mails whose turn has come. One that fails waits for its next turn, as it would of itself. */
async function sendDue({ mailer, ...deps }: Deps, counted: Counted): Promise<number> {
  if (!mailer) return 0
  const emails = await takeEmails(deps.pool, EMAILS_AT_ONCE)
  const outcomes = await Promise.all(emails.map((email) => sendEmail({ ...deps, mailer }, email)))
  const sent = outcomes.filter((outcome) => outcome === 'sent').length
  counted['send-emails'] = (counted['send-emails'] ?? 0) + sent
  return emails.length
}

/** One caller at a time moves the clock, in whichever process; the others wait. */
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
      // A connection that may hold the clock still is closed: only so it is free.
      await leaveClock(connection).catch((error: Error) => (broken = error))
    }
  } finally {
    connection.release(broken)
  }
}

function checkTime(): void {
  const deadline = currentCall()?.deadline ?? Infinity
  if (Date.now() < deadline - ANSWER_MS) return
  throw unavailable('The clock is still moving and has not reached that time yet. Repeat the request.')
}

function backwards(): DomainError {
  const errors = [{ pointer: '#/to', code: 'MIN', detail: 'must not be before the billing clock' }]
  const message = 'The billing clock only moves forward.'
  return new DomainError('failed_precondition', 'CLOCK_MOVES_FORWARD', message, { errors })
}
