import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler, Response } from 'express'
import type { Portal } from '../portal-context'

/** How long an answer holds: the clock of a sandbox moves only when somebody moves it. */
const KEPT_MS = 5_000

/** The moment of the billing clock, epoch milliseconds. Undefined: this is no sandbox, or it is not known now. */
export function sandboxNow(res: Response): number | undefined {
  return res.locals.sandboxNow as number | undefined
}

/** The day of the billing clock; where there is no sandbox, today. */
export function todayOf(res: Response): CalendarDay {
  return dayOf(sandboxNow(res) ?? Date.now())
}

/**
 * Reads the billing clock for pages that say that they show a sandbox. Elsewhere it is asked for once. A form, and the page
 * of the clock itself, ask each time: another process may have moved it.
 */
export function readSandboxClock({ services: { clock } }: Portal): RequestHandler {
  let kept: { now: number | undefined; until: number } = { now: undefined, until: 0 }
  const read = async () => {
    try {
      return { now: (await callRpc(clock, clock.getClock, {})).now, until: Date.now() + KEPT_MS }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // No answer: the page is shown without the bar, and the next one asks again.
      return { now: undefined, until: error.kind === 'not_found' ? Infinity : Date.now() + KEPT_MS }
    }
  }
  return async (req, res, next) => {
    const isEachTime = req.method === 'POST' || req.path === '/sandbox'
    if ((isEachTime && kept.until !== Infinity) || Date.now() >= kept.until) kept = await read()
    res.locals.sandboxNow = kept.now
    next()
  }
}
