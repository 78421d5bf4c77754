import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { Registered } from '../../invoice/issue-ask'
import { saveRegistration } from '../../invoice/save-registration'
import { BANK_DISAGREES, type AskAnswer } from '../../methods/rules/registered-ask'
import { tellNotCollected } from '../automatic/follow-collection'
import type { BankCharge, PixRegistration } from '../bank/pix-bank'
import { SENT_AHEAD } from '../rules/collection'
import type { PixCharge } from '../rules/pix-charge'
import { PIX_CHARGES } from '../store/pix-store'

type PixRegistryDeps = Pick<Deps, 'pool' | 'log' | 'pix' | 'afterSave'>

/** Has the bank register a charge, and saves the outcome. Safe to repeat: the bank has one charge of a txid. */
export async function register(deps: PixRegistryDeps, charge: PixCharge): Promise<Registered<PixCharge>> {
  return resolve(deps, charge, await send(deps, charge))
}

/**
 * Registers a charge that nobody waits for. A registration that never left is sent later, and the charge stays PENDING. A
 * collection has so long as banks take it.
 */
export async function tryToRegister(deps: PixRegistryDeps, charge: PixCharge): Promise<void> {
  const answer = await send(deps, charge)
  const isOver = answer.result !== 'not_sent' || answer.refusal?.reason === 'NO_ESTABLISHMENT'
  if (isOver || isTooLate(charge)) await resolve(deps, charge, answer)
}

function isTooLate({ collection, dueDay }: PixCharge): boolean {
  return collection !== null && dueDay !== null && dayOf(now()) > addDays(dueDay, -SENT_AHEAD.least)
}

/** Saves the registration of a charge that the bank has. */
export async function recognize(
  deps: PixRegistryDeps,
  sent: PixCharge,
  charge: BankCharge,
): Promise<PixCharge> {
  return (await resolve(deps, sent, { result: 'registered', charge })).ask
}

function send({ pix: { bank, rules } }: PixRegistryDeps, charge: PixCharge): Promise<PixRegistration> {
  const deadline = Math.min(databaseNow() + rules.bankTimeoutMs, charge.dispatchDeadline)
  return bank.register(charge, deadline)
}

/** A charge that the bank has otherwise than asked is shown to nobody. */
async function resolve(
  deps: PixRegistryDeps,
  sent: PixCharge,
  answer: PixRegistration,
): Promise<Registered<PixCharge>> {
  const outcome = answerOf(sent, answer, now() + deps.pix.rules.resolveFirstMs)
  const ask = await saveRegistration(deps, { what: 'pix', store: PIX_CHARGES }, sent, outcome)
  if (ask.collection && ask.status === 'REFUSED') await tellNotCollected(deps, ask)
  return { ask, outcome }
}

/** `soon`: when to look at a collection that the payer's bank has yet to take: news of that may come before the answer. */
function answerOf(sent: PixCharge, answer: PixRegistration, soon: number): AskAnswer<PixCharge> {
  if (answer.result !== 'registered') return answer
  const { txid, amount, account, copyAndPaste, collected } = answer.charge
  const agrees = txid === sent.txid && amount === sent.amount && account === sent.account
  if (!agrees) return { result: 'refused', code: BANK_DISAGREES }
  const collection = sent.collection && collected ? { ...sent.collection, ...collected } : sent.collection
  return {
    result: 'registered',
    known: { copyAndPaste, collection, ...(collected?.status === 'CREATED' && { askAt: soon }) },
  }
}
