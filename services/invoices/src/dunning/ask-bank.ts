import { withTransaction } from '@cofre/platform/postgres/postgres'
import { lockInvoice } from '../invoice/store/invoice-store'
import { LOOKS } from '../money/looks'
import type { BankKnows, LookDeps } from '../money/look-at-asks'
import { isDue, waitForBank } from './rules/automatic-charge'
import { lockDunning, saveDunning, type ChargeKey } from './automatic-charge-store'

/**
 * Asks the banks about the asks of an invoice before a card is charged for it. Takes money that the bank reports. False
 * when the charge waits, since money may be on its way. `at`: epoch milliseconds of the billing clock.
 */
export async function bankKnowsOfNoMoney(deps: LookDeps, key: ChargeKey, at: number): Promise<boolean> {
  const known = await askBanks(deps, key.id)
  return known === 'answered' || !(await postpone(deps, key, known === 'paid', at))
}

/** Asks the banks about all asks of an invoice, and takes the money that they report. */
export async function askBanks(deps: LookDeps, invoiceId: number): Promise<BankKnows> {
  const answers: BankKnows[] = []
  for (const look of Object.values(LOOKS)) answers.push(...(await look.askAbout(deps, invoiceId)))
  if (answers.includes('paid')) return 'paid'
  return answers.includes('silent') ? 'silent' : 'answered'
}

/** Postpones the charge. False when it has waited for the bank often enough. */
function postpone({ pool, log }: LookDeps, key: ChargeKey, isPaid: boolean, at: number): Promise<boolean> {
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
