import { databaseNow } from '@cofre/platform/service/database-clock'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import type { BankSlip, Registration } from '../bank/bank'
import type { Boleto } from '../rules/boleto'
import { BANK_DISAGREES } from '../../methods/rules/registered-ask'
import { agrees, answerOf, renumbered } from '../rules/transition'
import { BOLETOS } from '../store/boleto-store'
import { claimBoletoNumbers } from '../store/number-store'
import type { Deps } from '../../deps'
import type { Registered } from '../../invoice/issue-ask'
import { saveRegistration } from '../../invoice/save-registration'

/** What registering needs: rooms that have less than the whole service use it too. */
export type RegistryDeps = Pick<Deps, 'pool' | 'log' | 'boletos' | 'afterSave'>

/** How many numbers one call tries. The sweeper goes on with a slip whose numbers all were taken. */
const NUMBERS_TRIED = 5
/** A bank that has one of our numbers has its neighbours too, as a rule: so many are left out. */
const NUMBERS_SKIPPED = 100

/** Has the bank register a slip, and saves the outcome. Safe to repeat: the bank has one slip per number. */
export async function register(deps: RegistryDeps, boleto: Boleto): Promise<Registered<Boleto>> {
  const { sent, answer } = await send(deps, boleto)
  return resolveRegistration(deps, sent, answer)
}

/** Registers one of many slips. A registration that never left is sent later, and the slip stays PENDING. */
export async function tryToRegister(deps: RegistryDeps, boleto: Boleto): Promise<void> {
  const { sent, answer } = await send(deps, boleto)
  if (answer.result !== 'not_sent' || answer.refusal) await resolveRegistration(deps, sent, answer)
}

/** Sends a registration until its number is free or the bank's slip of that number is ours. */
async function send(deps: RegistryDeps, boleto: Boleto): Promise<{ sent: Boleto; answer: Registration }> {
  let sent = boleto
  for (let tried = 0; tried < NUMBERS_TRIED && sent.status === 'PENDING'; tried += 1) {
    const deadline = Math.min(deadlineOf(deps), sent.dispatchDeadline)
    const registered = await deps.boletos.bank.register(sent, deadline)
    const answer = registered.result === 'duplicate' ? await find(deps, sent) : registered
    if (answer.result !== 'foreign') return { sent, answer }
    sent = await takeNextNumber(deps, sent)
  }
  return { sent, answer: { result: 'unknown' } }
}

/**
 * Compares the bank's slip of a number with the slip that we sent, and saves its registration. A slip that is not
 * provably ours is left alone, and ours gets another number.
 */
export async function recognize(deps: RegistryDeps, sent: Boleto, slip: BankSlip): Promise<Boleto> {
  if (!agrees(sent, slip)) return takeNextNumber(deps, sent)
  return (await resolveRegistration(deps, sent, { result: 'registered', slip })).ask
}

/** Gives a slip the next number of its agreement, unless another process was faster. */
async function takeNextNumber(
  { pool, log }: RegistryDeps,
  { id, account, ourNumber }: Boleto,
): Promise<Boleto> {
  log.error({ boletoId: id, agreement: account, ourNumber }, 'the bank has another slip with our number')
  return withTransaction(pool, async (tx) => {
    const current = await BOLETOS.lock(tx, id)
    if (current.ourNumber !== ourNumber || current.barcode !== null) return current
    const [next] = await claimBoletoNumbers(tx, current, 1, NUMBERS_SKIPPED)
    if (!next) throw new Error('a boleto got no number')
    return BOLETOS.change(tx, id, (locked) => renumbered(locked, next.ourNumber, now()))
  })
}

async function find(deps: RegistryDeps, boleto: Boleto): Promise<Registration> {
  const found = await deps.boletos.bank.find(boleto, deadlineOf(deps))
  if (found.result !== 'found') return { result: 'unknown' }
  return agrees(boleto, found.found) ? { result: 'registered', slip: found.found } : { result: 'foreign' }
}

function deadlineOf({ boletos: { rules } }: RegistryDeps): number {
  return databaseNow() + rules.bankTimeoutMs
}

/** Saves the bank's answer to a registration. A slip whose digits differ from ours is shown to nobody. */
async function resolveRegistration(
  deps: RegistryDeps,
  sent: Boleto,
  answer: Registration,
): Promise<Registered<Boleto>> {
  const isOther = answer.result === 'registered' && !agrees(sent, answer.slip)
  const outcome: Registration = isOther ? { result: 'refused', code: BANK_DISAGREES } : answer
  const kind = { what: 'boleto', store: BOLETOS }
  return { ask: await saveRegistration(deps, kind, sent, answerOf(outcome)), outcome }
}
