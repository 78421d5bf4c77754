import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { FoundSlip } from '../bank/bank'
import { findBoleto } from '../boleto-store/boleto-store'
import type { Deps } from '../deps'
import { lockInvoice } from '../invoice-store/invoice-store'
import { takeReceipt } from '../receipts/take-receipt'
import { isDue, waitForBank } from './automatic-charge'
import { lockDunning, saveDunning, slipsThatMayBePaid, type ChargeKey } from './automatic-charge-store'

type BankDeps = Pick<Deps, 'pool' | 'log' | 'boletos'>

/** `silent`: the bank does not answer. `paid`: the slip was paid, and the bank has not reported the money yet. */
type Known = 'told' | 'silent' | 'paid'

/**
 * Asks the bank about the slips of an invoice before a card is charged for it. Takes money that the bank reports. False
 * when the charge waits, since money may be on its way. `at`: epoch milliseconds of the billing clock.
 */
export async function bankKnowsOfNoMoney(deps: BankDeps, key: ChargeKey, at: number): Promise<boolean> {
  const answers: Known[] = []
  for (const ourNumber of await slipsThatMayBePaid(deps.pool, key.id))
    answers.push(await askAbout(deps, ourNumber))
  const isPaid = answers.includes('paid')
  if (!isPaid && !answers.includes('silent')) return true
  return !(await postpone(deps, key, isPaid, at))
}

async function askAbout(deps: BankDeps, ourNumber: string): Promise<Known> {
  const { bank, rules } = deps.boletos
  const boleto = await findBoleto(deps.pool, ourNumber)
  if (!boleto) return 'told'
  const found = await bank.find(boleto, Date.now() + rules.bankTimeoutMs)
  if (found.result !== 'found') return isAnswer(found) ? 'told' : 'silent'
  const { receipts, isPaid } = found.slip
  for (const receipt of receipts) await takeReceipt(deps, boleto, receipt)
  return isPaid && receipts.length === 0 ? 'paid' : 'told'
}

/** True when the bank has no such slip, or nobody can ask about it because the seller's account is gone. */
function isAnswer(found: FoundSlip): boolean {
  const isGone = found.result === 'not_sent' && found.refusal?.reason === 'NO_ESTABLISHMENT'
  return found.result === 'absent' || isGone
}

/** Postpones the charge. False when it has waited for the bank often enough. */
function postpone({ pool, log }: BankDeps, key: ChargeKey, isPaid: boolean, at: number): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    const invoice = await lockInvoice(tx, key)
    const dunning = await lockDunning(tx, key)
    // Another process was faster, and its decision holds.
    if (!dunning || !isDue(dunning, at) || invoice.status !== 'CLOSED') return true
    const waiting = waitForBank(dunning, isPaid, at)
    if (!waiting) return false
    await saveDunning(tx, invoice, waiting, at)
    log.warn({ ...key, isPaid }, 'card not charged: the bank has not confirmed whether a boleto was paid')
    return true
  })
}
