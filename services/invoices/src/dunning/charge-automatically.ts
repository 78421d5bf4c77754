import { workInCall } from '@cofre/platform/operation/work-in-call'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import { CredentialReason, Initiator } from '@cofre/proto/orders/v1/orders'
import type { BillingJob } from '../clock/billing-job'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { CardOutcome } from '../cards/rules/card-payment'
import { orderOf } from '../cards/order-of'
import type { Charged } from '../cards/orders'
import { recordOutcome, type Recording } from '../cards/record-outcome'
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

type ChargingDeps = Recording &
  Pick<Deps, 'pool' | 'log' | 'cards' | 'networkTokens' | 'orders' | 'rules' | 'boletos' | 'pix'>

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

/** Makes one automatic charge if it is due. Whether a card was charged. One that fails here is left until its lease ends; the others go on. */
export async function seeTo(deps: ChargingDeps, key: ChargeKey, at: number): Promise<boolean> {
  const facts = { sellerId: key.sellerId, invoiceId: key.id }
  const limits = { log: deps.log, timeoutMs: CHARGING_MS, what: 'card not charged automatically', facts }
  let isCharged = false
  await workInCall(limits, async () => {
    isCharged = await chargeOne(deps, key, at)
  })
  return isCharged
}

async function chargeOne(deps: ChargingDeps, key: ChargeKey, at: number): Promise<boolean> {
  const dunning = await readDunning(deps.pool, key)
  if (!dunning) return false
  const card = await chosenCard(deps, key.sellerId, dunning, at)
  if (!('reason' in card) && !(await bankKnowsOfNoMoney(deps, key, at))) return false
  const tried = await tryCard(deps, key, card, at)
  if (tried?.outcome.result === 'absent' && tried.outcome.refusal?.by === 'token') {
    const { spare, ...sameCard } = tried.card
    if (spare) await tryCard(deps, key, { ...sameCard, source: spare }, at)
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
  const { operationId, dispatchDeadline, amount } = begun.transaction
  if (operationId === null || dispatchDeadline === null) throw new Error('a card payment has no operation')
  const order = orderOf(begun.invoice, { amount, installments: 1, ...begun.card.source }, initiationOf(begun))
  const charged = await deps.orders.charge(order, operationId, dispatchDeadline)
  const outcome = begun.card.spare ? ofToken(charged.outcome) : charged.outcome
  await save(deps, begun, { ...charged, outcome }, at)
  return { card: begun.card, outcome }
}

/**
 * The payer is absent, and agreed to a plan. Once an issuer has answered for the card, the charge keeps to the brands'
 * limits. Before that the guard against card testing counts it, since stolen cards are tested this way.
 */
function initiationOf({ isBooklet, isKnown }: BegunAttempt) {
  return {
    initiator: Initiator.MERCHANT,
    reason: isBooklet ? CredentialReason.INSTALLMENTS : CredentialReason.RECURRING,
    exemptFromTestingGuard: isKnown,
  }
}

/** A final refusal of a network token says nothing about its card: the token's account may be at fault. */
function ofToken(outcome: CardOutcome): CardOutcome {
  const isForGood = outcome.result === 'absent' && outcome.refusal && outcome.refusal.by !== 'busy'
  return isForGood ? { result: 'absent', refusal: { by: 'token' } } : outcome
}

/** Saves the outcome. A refusal that did nothing is not reported to the seller: the charge is tried again soon. */
async function save(
  deps: ChargingDeps,
  { transaction }: BegunAttempt,
  { outcome, refusal }: Charged,
  at: number,
): Promise<void> {
  const { sellerId, invoiceId, id: transactionId } = transaction
  const isAnswered = outcome.result === 'absent'
  const moment = { at, askAt: at + deps.rules.resolveFirstMs, isAnswered }
  await withTransaction(deps.pool, (tx) => recordOutcome(deps, tx, transaction, outcome, moment))
  const facts = { sellerId, invoiceId, transactionId, result: outcome.result }
  deps.log[refusal ? 'warn' : 'info'](
    { ...facts, ...(refusal ? { err: refusal } : {}) },
    'automatic charge tried',
  )
}
