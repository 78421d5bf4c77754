import { chargeSchema, presentCharge } from '@cofre/api/charge'
import type { ChargeLinks } from '@cofre/api/charge-links'
import { ChargeStatus, TransactionStatus, TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
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

/** A payer takes a while, and `charge.captured` comes first. */
const PAYER_PAYS_SECONDS = '15'

/** Returns when to read a charge again, while any part of it is PENDING. */
function askAgain({ status, transactions, payments }: Charge): Record<string, string> {
  const pending = transactions.filter((each) => each.status === TransactionStatus.PENDING)
  if (status !== ChargeStatus.PENDING && pending.length === 0) return {}
  const isShown = payments.some(({ pix }) => pix !== undefined && pix.copyAndPaste !== '')
  const waitsForPayer = isShown && pending.every(({ type }) => type === TransactionType.AUTHORIZATION)
  return { 'Retry-After': waitsForPayer ? PAYER_PAYS_SECONDS : ASK_AGAIN_SECONDS }
}

/** The links of a charge, without those that its state does not allow. */
function offered(links: Partial<ChargeLinks>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(links).filter((link): link is [string, string] => link[1] !== null),
  )
}

/** Answers 201 with the charge, its URL and links to its possible actions. */
export function answerCharge(charge: Charge, { baseUrl }: View): Answer {
  const body = presentCharge(charge, baseUrl)
  const { self: Location, request: _thisOne, ...actions } = body.links
  return { status: 201, headers: { Location, Link: linkHeader(offered(actions)), ...askAgain(charge) }, body }
}

/** Answers 200 with the charge as it is now, links to its possible actions, and to the request that made it. */
export function answerCurrentCharge(charge: Charge, { baseUrl }: View): Answer {
  const body = presentCharge(charge, baseUrl)
  const { self: _thisOne, ...links } = body.links
  return { status: 200, headers: { Link: linkHeader(offered(links)), ...askAgain(charge) }, body }
}
