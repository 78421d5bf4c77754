import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Registration } from '../bank/bank'
import type { Boleto } from '../boleto/boleto'
import { agrees, BANK_DISAGREES, changed, recordRegistration } from '../boleto/transition'
import { updateBoleto } from '../boleto-store/boleto-store'
import type { Deps } from '../deps'

export type Registered = { boleto: Boleto; outcome: Registration }

/**
 * Has the bank register a slip, and saves what came of it. Safe to repeat: the bank has one slip of a number. One that it has
 * already is looked for.
 */
export async function register(deps: Deps, boleto: Boleto): Promise<Registered> {
  const answer = await deps.boletos.bank.register(boleto, boleto.dispatchDeadline)
  return settleAnswer(deps, boleto, answer)
}

/** The same for a slip that nobody waits for by itself: one that never left is sent later, and stays PENDING. */
export async function tryToRegister(deps: Deps, boleto: Boleto): Promise<void> {
  const deadline = Math.min(Date.now() + deps.boletos.rules.bankTimeoutMs, boleto.dispatchDeadline)
  const answer = await deps.boletos.bank.register(boleto, deadline)
  if (answer.result !== 'not_sent' || answer.refusal) await settleAnswer(deps, boleto, answer)
}

async function settleAnswer(deps: Deps, boleto: Boleto, answer: Registration): Promise<Registered> {
  return settleRegistration(deps, boleto, answer.result === 'duplicate' ? await find(deps, boleto) : answer)
}

/** A registration of which the bank knows nothing is sent again, under the same number. */
export async function registerAgain(deps: Deps, boleto: Boleto): Promise<void> {
  const at = now()
  const dispatchDeadline = Date.now() + deps.boletos.rules.bankTimeoutMs
  const begun = await updateBoleto(deps.pool, boleto.id, (current) => ({
    boleto: current.status === 'PENDING' ? changed(current, { dispatchDeadline }, at) : current,
  }))
  if (begun.status !== 'PENDING') return
  const answer = await deps.boletos.bank.register(begun, dispatchDeadline)
  // A bank that is away now will be asked again.
  if (answer.result !== 'not_sent' || answer.refusal) await settleRegistration(deps, begun, answer)
}

async function find({ boletos: { bank, rules } }: Deps, boleto: Boleto): Promise<Registration> {
  const found = await bank.find(boleto, Date.now() + rules.bankTimeoutMs)
  return found.result === 'found' ? { result: 'registered', slip: found.slip } : { result: 'unknown' }
}

/** Saves what the bank said of a registration. A slip with other digits than ours is shown to nobody. */
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
