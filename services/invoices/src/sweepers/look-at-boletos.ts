import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { now } from '../clock/billing-clock'
import type { BankSlip } from '../bank/bank'
import type { Boleto } from '../boleto/boleto'
import { registerAgain, settleRegistration } from '../boleto-settling/registration'
import {
  recordLook,
  recordRegistration,
  withAccount,
  withdrawn,
  withoutAccount,
  type BoletoDecision,
} from '../boleto/transition'
import { findBoleto, leaseBoletos, updateBoleto } from '../boleto-store/boleto-store'
import type { Deps } from '../deps'
import { takeReceipt } from '../receipts/take-receipt'

const AT_ONCE = 20

/** Asks the bank about slips that are due, until stopped; any number of replicas may run. */
export function startLookingAtBoletos(deps: Deps): Loop {
  return manyAtOnce<string>(
    {
      atOnce: AT_ONCE,
      nameOf: (ourNumber) => ourNumber,
      take: (batch, inHand) => takeDueBoletos(deps, batch, inHand),
      work: (ourNumber) => lookInCall(deps, ourNumber),
    },
    deps.boletos.rules.settleEveryMs,
    (err) => deps.log.error({ err }, 'checking boletos failed'),
  )
}

/** Takes slips that are due, for this caller alone. */
export function takeDueBoletos(
  { pool, boletos: { rules } }: { pool: Pool; boletos: Deps['boletos'] },
  batch: number,
  inHand: readonly (string | number)[] = [],
): Promise<string[]> {
  const { settleFirstMs: firstMs, settleMaxMs: maxMs } = rules
  return leaseBoletos(pool, { at: now(), firstMs, maxMs, batch, inHand })
}

async function lookInCall(deps: Deps, ourNumber: string): Promise<void> {
  // A slip may be looked up, and then registered or withdrawn.
  const call = newCall({ timeoutMs: 3 * deps.boletos.rules.bankTimeoutMs })
  await runCall(call, async () => {
    try {
      await lookAt(deps, ourNumber)
    } catch (err) {
      // One slip that can't be checked must not keep the others waiting; it is checked again.
      deps.log.error({ ourNumber, err }, 'boleto not checked')
    }
  })
}

/** Asks the bank about one slip, takes the money that the bank reports, and does the rest of the work. */
export async function lookAt(deps: Deps, ourNumber: string): Promise<void> {
  const boleto = await findBoleto(deps.pool, ourNumber)
  if (!boleto) return
  const found = await deps.boletos.bank.find(boleto, deadlineOf(deps))
  if (found.result === 'not_sent' && found.refusal?.reason === 'NO_ESTABLISHMENT') {
    return lookWithoutAccount(deps, boleto)
  }
  // A bank that does not answer is asked again.
  if (found.result !== 'found' && found.result !== 'absent') return
  const seen = boleto.accountGoneAt === null ? boleto : await noteAccount(deps, boleto)
  if (found.result === 'found') await lookAtFound(deps, seen, found.slip)
  else await lookAtAbsent(deps, seen)
}

function noteAccount(deps: Deps, boleto: Boleto): Promise<Boleto> {
  return update(deps, boleto, (current) => ({ boleto: withAccount(current, now()) }))
}

async function lookWithoutAccount(deps: Deps, boleto: Boleto): Promise<void> {
  const { id: boletoId, sellerId, account } = boleto
  const after = await update(deps, boleto, (current) =>
    current.version === boleto.version ? withoutAccount(current, now()) : { boleto: current },
  )
  const facts = { boletoId, sellerId, account, status: after.status }
  if (after.askAt === null) deps.log.error(facts, 'boleto given up: the seller has no account at the bank')
  else if (boleto.accountGoneAt === null)
    deps.log.warn(facts, 'the seller of a boleto has no account at the bank')
}

async function lookAtFound(deps: Deps, boleto: Boleto, slip: BankSlip): Promise<void> {
  const seen = boleto.barcode === null ? await learn(deps, boleto, slip) : boleto
  const { account, ourNumber } = boleto
  for (const receipt of slip.receipts) await takeReceipt(deps, { account, ourNumber }, receipt)
  const { cancelled } = slip
  if (boleto.withdrawing) return withdrawAtBank(deps, boleto, slip)
  if (boleto.status === 'PENDING') return
  await update(deps, seen, (current) => lookedAt(seen, current, cancelled, now()))
}

async function learn(deps: Deps, boleto: Boleto, slip: BankSlip): Promise<Boleto> {
  const settled = await settleRegistration(deps, boleto, { result: 'registered', slip })
  return settled.boleto
}

/** Records a check, unless the slip changed since it was read: a slip that was paid or withdrawn has its next check. */
function lookedAt(seen: Boleto, current: Boleto, cancelled: boolean, at: number): BoletoDecision {
  return { boleto: current.version === seen.version ? recordLook(current, { cancelled }, at) : current }
}

/** Handles a slip that the bank does not know: a registration that got lost is sent again, under the same number. */
async function lookAtAbsent(deps: Deps, boleto: Boleto): Promise<void> {
  const at = now()
  const isCertain = Date.now() > boleto.dispatchDeadline + deps.boletos.rules.absenceGraceMs
  if (!isCertain) return
  if (boleto.status === 'PENDING') return registerAgain(deps, boleto)
  await update(deps, boleto, (current) =>
    current.withdrawing
      ? recordRegistration(current, { result: 'not_sent' }, at)
      : lookedAt(boleto, current, false, at),
  )
}

async function withdrawAtBank(deps: Deps, boleto: Boleto, { receipts }: BankSlip): Promise<void> {
  const { result } = await deps.boletos.bank.withdraw(boleto, deadlineOf(deps))
  if (result === 'not_sent' || result === 'unknown') return
  // Paid since it was looked up: the next check brings the money.
  if (result === 'paid' && receipts.length === 0) return
  await update(deps, boleto, (current) => ({
    boleto: current.withdrawing ? withdrawn(current, now()) : current,
  }))
}

function update(deps: Deps, { id }: Boleto, decide: (current: Boleto) => BoletoDecision): Promise<Boleto> {
  return updateBoleto(deps.pool, id, decide)
}

function deadlineOf({ boletos: { rules } }: Deps): number {
  return Date.now() + rules.bankTimeoutMs
}
