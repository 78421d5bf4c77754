import { randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { isPaymentIdle, type Charge } from '../charge/charge'
import { withEndsNotified } from '../charge/operation-event'
import { endedMarks } from '../charge/operation-mark'
import { transition, type Decision } from '../charge/transition'
import { readCharge, saveCharge, type StoredCharge } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { compareWithAcquirer } from '../reconciliation/acquirer-book'
import { adoptReturned } from '../reconciliation/adopt'
import { sendDue } from '../sweepers/send-due'
import { isOurs } from './bank/rest-pix-bank'
import { adoptBank, isToWithdraw } from './rules/adopt-bank'
import { paidPix, pixPaymentOf, type Heard } from './rules/pix-book'
import { returnsDue } from './rules/returns'
import { withoutAccount } from './rules/without-account'

/** The most changes that one answer of the bank makes. */
const CHANGES_MAX = 50

/**
 * Asks the bank about a Pix charge, and adopts its truth: the payment, the end of returns, what somebody gave back at
 * the bank. Withdraws a charge that expired, and asks again. Gives back money that nobody owes. True: the bank answered,
 * and both books agree or a difference was logged.
 */
export async function lookAtPix(deps: Deps, stored: StoredCharge, isAgain = false): Promise<boolean> {
  const heard = await ask(deps, stored)
  if (heard === 'gone') return giveUp(deps, stored.charge)
  if (!heard) return false
  const charge = await adoptAll(deps, stored.charge, heard)
  if (!charge) return false
  if (isToWithdraw(charge, heard) && !isAgain) {
    const { bank } = deps.pix
    await bank.withdraw(pixPaymentOf(charge).orderNumber, dispatchOf(deps, stored))
    return lookAtPix(deps, await readCharge(deps.pool, charge), true)
  }
  const due = returnsDue(charge, heard)
  await sendDue(deps, stored.account, charge, due)
  return due.length > 0 || !isPaymentIdle(charge) || compare(deps, charge, heard)
}

function dispatchOf({ pix }: Deps, { account }: StoredCharge) {
  return { account, deadline: databaseNow() + pix.bank.capabilities.timeoutMs, requestId: '' }
}

/** Ends what nobody can ask about any more, each in its time. */
async function giveUp(deps: Deps, charge: Charge): Promise<boolean> {
  for (let current: Charge | undefined = charge; current;) {
    const decision = withoutAccount(current, databaseNow())
    if (!decision) return false
    deps.log.error({ chargeId: charge.id, sellerId: charge.sellerId }, 'given up: no account at the bank')
    current = await save(deps, decision)
  }
  return false
}

/** Undefined: nothing is known, or the bank has another charge under our number. */
async function ask(deps: Deps, stored: StoredCharge): Promise<Heard | 'gone' | undefined> {
  const { orderNumber: txid, amount, pix } = pixPaymentOf(stored.charge)
  const { bank } = deps.pix
  const at = databaseNow()
  const found = await bank.look(txid, dispatchOf(deps, stored))
  if (found.result === 'gone') return 'gone'
  if (found.result === 'unknown') return undefined
  const { absenceGraceMs: graceMs } = bank.capabilities
  if (found.result === 'absent') return { bank: null, at, graceMs }
  if (isOurs(found.charge, { txid, amount, account: pix.account })) return { bank: found.charge, at, graceMs }
  tellViolation(deps.log, 'acquirer-agrees', { chargeId: stored.charge.id, position: 0 })
  return undefined
}

/** Returns the charge with all that the answer explains; undefined when it changed meanwhile, and is asked about again. */
async function adoptAll(deps: Deps, charge: Charge, heard: Heard): Promise<Charge | undefined> {
  let current: Charge | undefined = charge
  for (let changes = 0; current && changes < CHANGES_MAX; changes += 1) {
    const decision = adoptBank(current, heard, randomUUID())
    if (!decision) return current
    current = await save(deps, decision)
  }
  return current
}

async function save({ pool }: Deps, decision: Decision): Promise<Charge | undefined> {
  const notified = withEndsNotified(decision)
  const { answered, freed } = endedMarks(notified.before, notified.charge)
  const marks = { answered: [...notified.marks.answered, ...answered], freed }
  return (await saveCharge(pool, { ...notified, marks }))?.charge
}

/** Compares the books of a charge whose payment no operation changes, and ends the asking. */
async function compare(deps: Deps, charge: Charge, { bank, at }: Heard): Promise<boolean> {
  const payment = pixPaymentOf(charge)
  const compared =
    charge.capturedAmount > 0 ? compareWithAcquirer(payment, paidPix(payment, bank)) : undefined
  const returned = new Map(compared?.returned ? [[0, compared.returned] as const] : [])
  const adopted = adoptReturned(charge, returned, { operationId: randomUUID(), at })
  const facts = { chargeId: charge.id, sellerId: charge.sellerId, position: 0, ...compared }
  if (adopted) deps.log.warn(facts, 'given back at the acquirer')
  else if (compared && compared.differences.length > 0) {
    tellViolation(deps.log, 'acquirer-book-agrees', facts)
  }
  const isAsked = charge.transactions.some(({ status }) => status === 'PENDING')
  if (!adopted && (isAsked || charge.askAt === null)) return true
  return (await save(deps, adopted ?? transition(charge, {}, at))) !== undefined
}
