import type { PartnerAnswer, PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import { Outcome, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { maskAnswer, maskHeader } from './partner-answer'
import type { PartnerSetting } from './partners'

type NoAnswer = Exclude<PartnerOutcome, { outcome: 'answered' }>

export function notSent(reason: string): NoAnswer {
  return { outcome: 'not_sent', reason }
}

/** Returns undefined when the database is down, and throws every other error. */
export function unlessDatabaseDown(error: unknown): undefined {
  if (!isDatabaseDown(error)) throw error
}

export function noAnswer({ outcome, reason }: NoAnswer): ForwardResponse {
  const words = { not_sent: Outcome.NOT_SENT, unknown: Outcome.UNKNOWN }
  return {
    outcome: words[outcome],
    answer: undefined,
    reason,
    handle: '',
    numberKept: false,
    grantKept: false,
  }
}

/** The answer of a partner without card data and without `secrets`. */
export function answerOf(
  setting: PartnerSetting,
  { status, headers, body }: PartnerAnswer,
  secrets: readonly string[],
): Pick<ForwardResponse, 'outcome' | 'answer' | 'reason'> {
  const shown = Object.entries(headers)
    .filter(([name]) => setting.answerHeaders.includes(name))
    .map(([name, value]) => [name, maskHeader(value, secrets)])
  return {
    outcome: Outcome.ANSWERED,
    answer: { status, headers: Object.fromEntries(shown), body: maskAnswer(body, secrets, setting) },
    reason: '',
  }
}
