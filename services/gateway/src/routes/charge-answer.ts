import { chargeSchema, presentCharge } from '@cofre/api/charge'
import { ChargeAction, ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { linkHeader, type Answer } from '../http/answer'
import type { ResponseRule, View } from '../http/route'

/**
 * The options of a call that charges or refunds. Several payments, one after another at the acquirer, take longer than
 * an internal call.
 */
export const MOVING_MONEY = { timeoutMs: 60_000 }
/** The sweeper first asks the acquirer after two seconds. */
const ASK_AGAIN_SECONDS = '2'

export const CHARGE_CREATED: ResponseRule = {
  description:
    'The charge. A declined charge has the status DENIED. PENDING means that the acquirer has not answered yet: read the charge again after Retry-After.',
  schema: chargeSchema,
  headers: ['Location', 'Link', 'Retry-After'],
}

export const CHARGE_CHANGED: ResponseRule = {
  ...CHARGE_CREATED,
  description:
    'The charge. While the acquirer has not answered, the charge keeps its status and amounts, and its newest transaction is PENDING: read the charge again after Retry-After.',
}

/** Returns when to read a charge again, while any part of it is PENDING. */
export function askAgain({ status, transactions }: Charge): Record<string, string> {
  const unsettled =
    status === ChargeStatus.PENDING || transactions.some((each) => each.status === TransactionStatus.PENDING)
  return unsettled ? { 'Retry-After': ASK_AGAIN_SECONDS } : {}
}

const LINKS = [
  ['capture', ChargeAction.CAPTURE],
  ['refund', ChargeAction.REFUND],
  ['metadata', ChargeAction.METADATA],
] as const

/** Returns links to the actions that the charge allows; to all of them if an older service does not list any. */
function linksOf({ allowedActions }: Charge, location: string): Record<string, string> {
  const offered = LINKS.filter(([, action]) => allowedActions.length === 0 || allowedActions.includes(action))
  return Object.fromEntries(offered.map(([name]) => [name, `${location}/${name}`]))
}

/** Answers 201 with the charge, its URL and links to its possible actions. */
export function answerCharge(charge: Charge, { baseUrl }: View): Answer {
  const location = `${baseUrl}/api/v2/charges/${charge.id}`
  return {
    status: 201,
    headers: {
      Location: location,
      Link: linkHeader(linksOf(charge, location)),
      ...askAgain(charge),
    },
    body: presentCharge(charge),
  }
}
