import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Registration } from '../bank/bank'
import type { Boleto } from '../boleto/boleto'
import { agrees, BANK_DISAGREES, changed, recordRegistration } from '../boleto/transition'
import { updateBoleto } from '../boleto-store/boleto-store'
import type { Deps } from '../deps'

export type Registered = { boleto: Boleto; outcome: Registration }

/**
 * Has the bank register a slip, and saves the outcome. Safe to repeat: the bank has one slip per number. A slip that
 * the bank already has is looked up.
 */
export async function register(deps: Deps, boleto: Boleto): Promise<Registered> {
  const answer = await deps.boletos.bank.register(boleto, boleto.dispatchDeadline)
  return settleAnswer(deps, boleto, answer)
}

/** Registers one of many slips. A registration that never left is sent later, and the slip stays PENDING. */
export async function tryToRegister(deps: Deps, boleto: Boleto): Promise<void> {
  const deadline = Math.min(Date.now() + deps.boletos.rules.bankTimeoutMs, boleto.dispatchDeadline)
  const answer = await deps.boletos.bank.register(boleto, deadline)
  if (answer.result !== 'not_sent' || answer.refusal) await settleAnswer(deps, boleto, answer)
}

async function settleAnswer(deps: Deps, boleto: Boleto, answer: Registration): Promise<Registered> {
  return settleRegistration(deps, boleto, answer.result === 'duplicate' ? await find(deps, boleto) : answer)
}

/** Sends a registration that the bank does not know again, under the same number. */
export async function registerAgain(deps: Deps, boleto: Boleto): Promise<void> {
  const at = now()
  const dispatchDeadline = Date.now() + deps.boletos.rules.bankTimeoutMs
  const begun = await updateBoleto(deps.pool, boleto.id, (current) => ({
    boleto: current.status === 'PENDING' ? changed(current, { dispatchDeadline }, at) : current,
  }))
  if (begun.status !== 'PENDING') return
  const answer = await deps.boletos.bank.register(begun, dispatchDeadline)
  // A bank that cannot be reached now is asked again later.
  if (answer.result !== 'not_sent' || answer.refusal) await settleRegistration(deps, begun, answer)
}

async function find({ boletos: { bank, rules } }: Deps, boleto: Boleto): Promise<Registration> {
  const found = await bank.find(boleto, Date.now() + rules.bankTimeoutMs)
  return found.result === 'found' ? { result: 'registered', slip: found.slip } : { result: 'unknown' }
}

/** Saves the bank's answer to a registration. A slip whose digits differ from ours is shown to nobody. */
export async function settleRegistration(
  deps: Deps,
  { id }: Boleto,
  answer: Registration,
): Promise<Registered> {
  let outcome = answer
  const boleto = await updateBoleto(deps.pool, id, (current) => {
    if (answer.result === 'registered' && !agrees(current, answer.slip)) {
      outcome = { result: 'refused', code: BANK_DISAGREES }
    }
    return recordRegistration(current, outcome, now())
  })
  const facts = { boletoId: id, result: outcome.result, status: boleto.status }
  if (outcome.result !== 'refused') deps.log.info(facts, 'boleto sent')
  else deps.log.error({ ...facts, code: outcome.code }, 'the bank refused a boleto')
  if (outcome !== answer) tellViolation(deps.log, 'bank-agrees', { boletoId: id })
  return { boleto, outcome }
}
