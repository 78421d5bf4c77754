import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { PaidFor } from '../methods/ask'
import type { BankAsk, Found, Withdrawal } from '../methods/bank-answer'
import {
  changed,
  recordAnswer,
  recordLook,
  withAccount,
  withdrawn,
  withoutAccount,
  type AskDecision,
  type RegisteredAsk,
} from '../methods/rules/registered-ask'
import type { AskStore } from '../methods/store/ask-store'
import { takeReceipt } from './take-receipt'

/** What looking needs: rooms that have less than the whole service look too. */
export type LookDeps = Pick<Deps, 'pool' | 'log' | 'boletos' | 'pix' | 'afterSave'>

type AskRules = Deps['boletos']['rules']

/** The asks of one method, and the bank that has them. Calls leave by the deadline (epoch milliseconds), or not at all. */
export type Registry<A extends RegisteredAsk, Known extends BankAsk> = {
  /** What they are, for the log: `boletos`. */
  what: string
  store: AskStore<A>
  rulesOf(deps: LookDeps): AskRules
  find(deps: LookDeps, ask: A, deadline: number): Promise<Found<Known>>
  withdraw(deps: LookDeps, ask: A, deadline: number): Promise<Withdrawal>
  /** Whether the bank's ask of that number is known to be this one. */
  isKnown(ask: A): boolean
  /** Compares the bank's ask with ours, and saves its registration if it is this one. */
  recognize(deps: LookDeps, ask: A, found: Known): Promise<A>
  /** Sends a registration that the bank does not have again, under the same number. */
  register(deps: LookDeps, ask: A): Promise<void>
  paidFor(ask: A): PaidFor
  /** Does what else follows from what the bank has of a registered ask. */
  follow?(deps: LookDeps, ask: A, found: Known): Promise<void>
}

/** `silent`: the bank does not answer. `paid`: an ask was paid, and the bank has not reported the money yet. */
export type BankKnows = 'answered' | 'silent' | 'paid'

export type Look = {
  /** Leases asks that are due, and returns their numbers. */
  take(deps: Deps, batch: number): Promise<string[]>
  start(deps: Deps): ReturnType<ReturnType<typeof resolverOf>['start']>
  /** Asks the bank about one ask, takes the money that the bank reports, and does the rest of the work. */
  at(deps: LookDeps, askNumber: string): Promise<void>
  /** Asks about all asks of an invoice whose money may be on its way, and takes the money that the bank reports. */
  askAbout(deps: LookDeps, invoiceId: number): Promise<BankKnows[]>
  /** Reads an ask, and what asks the bank about it. */
  read(deps: LookDeps, askNumber: string): Promise<ReadAsk>
}

type ReadAsk = { ask: RegisteredAsk; paidFor: PaidFor; find(): Promise<Found<BankAsk>> }

export function lookOf<A extends RegisteredAsk, Known extends BankAsk>(registry: Registry<A, Known>): Look {
  const { what, store, rulesOf } = registry
  const { take, start } = resolverOf<Deps, string>(
    { what, lease: store.lease, nameOf: (askNumber) => askNumber, rulesOf, now },
    (deps, askNumber) => {
      // An ask may be looked up, and then registered or withdrawn.
      const timeoutMs = 3 * rulesOf(deps).bankTimeoutMs
      const limits = { log: deps.log, timeoutMs, what: `not looked at: ${what}`, facts: { askNumber } }
      return workInCall(limits, () => lookAt(registry, deps, askNumber))
    },
  )
  return {
    take,
    start,
    at: (deps, askNumber) => lookAt(registry, deps, askNumber),
    askAbout: async (deps, invoiceId) => {
      const answers: BankKnows[] = []
      for (const ask of await store.mayBePaid(deps.pool, invoiceId)) {
        answers.push(await askAbout(registry, deps, ask))
      }
      return answers
    },
    read: async (deps, askNumber) => {
      const ask = await store.find(deps.pool, askNumber)
      if (!ask) throw new Error(`a row of ${what} is gone`)
      const find = () => registry.find(deps, ask, deadlineOf(registry, deps))
      return { ask, paidFor: registry.paidFor(ask), find }
    },
  }
}

type Of<A extends RegisteredAsk> = Registry<A, BankAsk>

async function lookAt<A extends RegisteredAsk, Known extends BankAsk>(
  registry: Registry<A, Known>,
  deps: LookDeps,
  askNumber: string,
): Promise<void> {
  const ask = await registry.store.find(deps.pool, askNumber)
  if (!ask) return
  const found = await registry.find(deps, ask, deadlineOf(registry, deps))
  if (isWithoutAccount(found)) return lookWithoutAccount(registry, deps, ask)
  // A bank that does not answer is asked again.
  if (found.result !== 'found' && found.result !== 'absent') return
  const seen =
    ask.accountGoneAt === null
      ? ask
      : await update(registry, deps, ask, (current) => ({ ask: withAccount(current, now()) }))
  if (found.result === 'absent') return lookAtAbsent(registry, deps, seen)
  const known = await takeFound(registry, deps, seen, found.found)
  if (registry.isKnown(known)) await registry.follow?.(deps, known, found.found)
  await lookAtFound(registry, deps, seen, known, found.found)
}

async function lookWithoutAccount<A extends RegisteredAsk>(
  registry: Of<A>,
  deps: LookDeps,
  ask: A,
): Promise<void> {
  const { id: askId, sellerId, account } = ask
  const after = await update(registry, deps, ask, (current) =>
    current.version === ask.version ? withoutAccount(current, now()) : { ask: current },
  )
  const facts = { of: registry.what, askId, sellerId, account, status: after.status }
  if (after.askAt === null) deps.log.error(facts, 'ask given up: the seller has no account at the bank')
  else if (ask.accountGoneAt === null) deps.log.warn(facts, 'the seller of an ask has no account at the bank')
}

/** `known`: the ask once its money is taken, as it was before that. */
async function lookAtFound<A extends RegisteredAsk>(
  registry: Of<A>,
  deps: LookDeps,
  before: A,
  known: A,
  found: BankAsk,
): Promise<void> {
  if (!registry.isKnown(known)) {
    return known.status === 'PENDING' ? registerAgain(registry, deps, known) : undefined
  }
  if (before.withdrawing) return withdrawAtBank(registry, deps, before, found)
  if (before.status === 'PENDING') return
  await update(registry, deps, known, (current) => ({ ask: lookedAt(known, current, found.cancelled) }))
}

/**
 * Takes the money of an ask that was found at the bank, once the ask is known to be ours. Returns it as it is before
 * the money.
 */
async function takeFound<A extends RegisteredAsk, Known extends BankAsk>(
  registry: Registry<A, Known>,
  deps: LookDeps,
  ask: A,
  found: Known,
): Promise<A> {
  const seen = registry.isKnown(ask) ? ask : await registry.recognize(deps, ask, found)
  if (!registry.isKnown(seen)) return seen
  for (const receipt of found.receipts) await takeReceipt(deps, registry.paidFor(seen), receipt)
  return seen
}

async function askAbout<A extends RegisteredAsk, Known extends BankAsk>(
  registry: Registry<A, Known>,
  deps: LookDeps,
  ask: A,
): Promise<BankKnows> {
  const found = await registry.find(deps, ask, deadlineOf(registry, deps))
  // Nobody can ask about one whose seller's account is gone.
  if (found.result === 'absent' || isWithoutAccount(found)) return 'answered'
  if (found.result !== 'found') return 'silent'
  const { receipts, isPaid } = found.found
  const seen = await takeFound(registry, deps, ask, found.found)
  return registry.isKnown(seen) && isPaid && receipts.length === 0 ? 'paid' : 'answered'
}

function isWithoutAccount(found: Found<BankAsk>): boolean {
  return found.result === 'not_sent' && found.refusal?.reason === 'NO_ESTABLISHMENT'
}

/** Records a check, unless the ask changed since it was read: one that was paid or withdrawn has its next check. */
function lookedAt<A extends RegisteredAsk>(seen: A, current: A, cancelled: boolean): A {
  return current.version === seen.version ? recordLook(current, { cancelled }, now()) : current
}

/** Handles an ask that the bank does not know: a registration that got lost is sent again, under the same number. */
async function lookAtAbsent<A extends RegisteredAsk>(registry: Of<A>, deps: LookDeps, ask: A): Promise<void> {
  const isCertain = databaseNow() > ask.dispatchDeadline + registry.rulesOf(deps).absenceGraceMs
  if (!isCertain) return
  if (ask.status === 'PENDING') return registerAgain(registry, deps, ask)
  await update(registry, deps, ask, (current) =>
    current.withdrawing
      ? recordAnswer(current, { result: 'not_sent' }, now())
      : { ask: lookedAt(ask, current, false) },
  )
}

async function registerAgain<A extends RegisteredAsk>(
  registry: Of<A>,
  deps: LookDeps,
  ask: A,
): Promise<void> {
  const dispatchDeadline = deadlineOf(registry, deps)
  const begun = await update(registry, deps, ask, (current) => ({
    ask: current.status === 'PENDING' ? changed(current, { dispatchDeadline }, now()) : current,
  }))
  // A bank that cannot be reached now is asked again later.
  if (begun.status === 'PENDING') await registry.register(deps, begun)
}

async function withdrawAtBank<A extends RegisteredAsk>(
  registry: Of<A>,
  deps: LookDeps,
  ask: A,
  { cancelled, isPaid, receipts }: BankAsk,
): Promise<void> {
  const isOver = cancelled || (isPaid && receipts.length > 0)
  if (!isOver) {
    const { result } = await registry.withdraw(deps, ask, deadlineOf(registry, deps))
    if (result === 'not_sent' || result === 'unknown') return
    // Paid since it was looked up: the next check brings the money.
    if (result === 'paid' && receipts.length === 0) return
    // What the bank made of it is known at once.
    const after = registry.follow && (await registry.find(deps, ask, deadlineOf(registry, deps)))
    if (after?.result === 'found') await registry.follow?.(deps, ask, after.found)
  }
  await update(registry, deps, ask, (current) => ({
    ask: current.withdrawing ? withdrawn(current, now()) : current,
  }))
}

function update<A extends RegisteredAsk>(
  { store }: { store: AskStore<A> },
  { pool }: LookDeps,
  { id }: A,
  decide: (current: A) => AskDecision<A>,
): Promise<A> {
  return store.update(pool, id, decide)
}

function deadlineOf(registry: { rulesOf(deps: LookDeps): AskRules }, deps: LookDeps): number {
  return databaseNow() + registry.rulesOf(deps).bankTimeoutMs
}
