import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import type { BillingJob } from '../billing/billing-job'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { CardOutcome } from '../invoice/card-payment'
import type { Charged } from '../payments/orders'
import { recordOutcome } from '../payments/record-outcome'
import {
  CHARGING_MS,
  nextChargeDueAt,
  readDunning,
  takeDueCharges,
  type ChargeKey,
} from './automatic-charge-store'
import { bankKnowsOfNoMoney } from './ask-bank'
import { beginAttempt, type BegunAttempt } from './begin-attempt'
import { chosenCard, type ChargedCard, type NoCard } from './chosen-card'

/** How many cards are charged at once: an acquirer takes a second or two for each. */
const AT_ONCE = 20

type ChargingDeps = Pick<Deps, 'pool' | 'log' | 'cards' | 'networkTokens' | 'orders' | 'rules' | 'boletos'>

type Sweeping = {
  everyMs: number
  /** False while another caller runs the job. */
  mayRun(): Promise<boolean>
  onError(error: unknown): void
}

/** Makes automatic charges at their time, until stopped. A slow charge takes up only its own place. */
export function startCharging(deps: ChargingDeps, { everyMs, mayRun, onError }: Sweeping): Loop {
  return manyAtOnce<ChargeKey>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: async (batch, inHand) =>
        (await mayRun()) ? takeDueCharges(deps.pool, { at: now(), batch, inHand }) : [],
      work: async (key) => void (await seeTo(deps, key, now())),
    },
    everyMs,
    onError,
  )
}

/**
 * Charges stored cards for invoices whose time has come, each attempt once, in any number of replicas at once. Callers
 * that move the clock run this job: a run ends with the slowest of its charges.
 */
export function chargeAutomatically(deps: ChargingDeps): BillingJob {
  const { pool, log } = deps
  return {
    name: 'charge-automatically',
    run: async (at) => {
      const due = await takeDueCharges(pool, { at, batch: AT_ONCE })
      const tried = await Promise.all(due.map((key) => seeTo(deps, key, at)))
      const charged = tried.filter(Boolean).length
      if (due.length > 0) log.info({ due: due.length, charged }, 'cards charged automatically')
      return { seen: due.length, done: charged }
    },
    nextDueAt: () => nextChargeDueAt(pool),
  }
}

/** Whether a card was charged. A charge that fails here is left until its lease ends; the others go on. */
async function seeTo(deps: ChargingDeps, key: ChargeKey, at: number): Promise<boolean> {
  try {
    return await runCall(newCall({ timeoutMs: CHARGING_MS }), () => chargeOne(deps, key, at))
  } catch (err) {
    deps.log.error({ sellerId: key.sellerId, invoiceId: key.id, err }, 'card not charged automatically')
    return false
  }
}

async function chargeOne(deps: ChargingDeps, key: ChargeKey, at: number): Promise<boolean> {
  const dunning = await readDunning(deps.pool, key)
  if (!dunning) return false
  const card = await chosenCard(deps, key.sellerId, dunning, at)
  if (!('reason' in card) && !(await bankKnowsOfNoMoney(deps, key, at))) return false
  const tried = await tryCard(deps, key, card, at)
  if (tried?.outcome.result === 'absent' && tried.outcome.refusal?.by === 'token') {
    const { id, brand, spare } = tried.card
    if (spare) await tryCard(deps, key, { id, brand, source: spare }, at)
  }
  return tried !== undefined
}

type Tried = { card: ChargedCard; outcome: CardOutcome }

/** Tries a card. Undefined when no card was to be charged. */
async function tryCard(
  deps: ChargingDeps,
  key: ChargeKey,
  card: ChargedCard | NoCard,
  at: number,
): Promise<Tried | undefined> {
  const begun = await beginAttempt(deps, key, card, at)
  if (!begun) return undefined
  const { operationId, dispatchDeadline } = begun.transaction
  if (operationId === null || dispatchDeadline === null) throw new Error('a card payment has no operation')
  const charged = await deps.orders.charge(orderOf(begun), operationId, dispatchDeadline)
  const outcome = begun.card.spare ? ofToken(charged.outcome) : charged.outcome
  await save(deps, begun, { ...charged, outcome }, at)
  return { card: begun.card, outcome }
}

/** A final refusal of a network token says nothing about its card: the token's account may be at fault. */
function ofToken(outcome: CardOutcome): CardOutcome {
  const isForGood = outcome.result === 'absent' && outcome.refusal && outcome.refusal.by !== 'busy'
  return isForGood ? { result: 'absent', refusal: { by: 'token' } } : outcome
}

/**
 * A charge is `merchantInitiated` once an issuer has answered for its card, and then keeps to the brands' limits.
 * Before that it counts as a payer's attempt, since stolen cards are tested this way.
 */
function orderOf({ invoice, transaction: { amount }, card, isKnown }: BegunAttempt): AuthorizeOrderRequest {
  const { sellerId, id: invoiceId, invoiceNumber, customer } = invoice
  return AuthorizeOrderRequest.fromPartial({
    sellerId,
    orderReference: invoiceNumber,
    amount,
    customer: { name: customer.name, document: customer.document, email: customer.email ?? '' },
    payments: [{ amount, installments: 1, ...card.source }],
    metadata: { invoiceId },
    capture: true,
    merchantInitiated: isKnown,
  })
}

/** Saves the outcome. A refusal that did nothing is not reported to the seller: the charge is tried again soon. */
async function save(
  { pool, rules, log }: ChargingDeps,
  { transaction }: BegunAttempt,
  { outcome, refusal }: Charged,
  at: number,
): Promise<void> {
  const { sellerId, invoiceId, id: transactionId } = transaction
  const { dunningDays, settleFirstMs } = rules
  const isAnswered = outcome.result === 'absent'
  const moment = { at, askAt: at + settleFirstMs, isAnswered, dunningDays }
  await withTransaction(pool, (tx) => recordOutcome(tx, transaction, outcome, moment))
  const facts = { sellerId, invoiceId, transactionId, result: outcome.result }
  log[refusal ? 'warn' : 'info']({ ...facts, ...(refusal ? { err: refusal } : {}) }, 'automatic charge tried')
}
