import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import { newSlip } from '../boletos/registering/new-slip'
import { dispatchOf } from '../invoice/issue-ask'
import { MANY_MS } from '../boletos/registering/register-many'
import type { Boleto } from '../boletos/rules/boleto'
import { insertBoletos } from '../boletos/store/boleto-store'
import { findPayer } from '../boletos/store/payer-store'
import type { Deps } from '../deps'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { claimNumbers } from '../invoice/store/number-store'
import { newPublicId } from '../catalog/public-id'
import { saveBilled } from '../recurring/billing/save-billed'
import type { Printed } from '../recurring/rules/cycle-invoice'
import { bookletIssued, queueEmail } from '../letters/queue/queue-email'
import { isMailed } from '../recurring/billing/bill-batch'
import type { WholeRecurring } from '../recurring/rules/recurring-invoice'
import { insertRecurring, saveRecurring } from '../recurring/store/recurring-store'
import { billBooklet } from './bill-booklet'
import { findKeptCard } from './booklet-store'

export type MadeBooklet = {
  booklet: WholeRecurring
  invoices: readonly WholeInvoice[]
  slips: readonly Boleto[]
}

/**
 * Saves a booklet, all its invoices, and their slips, in the caller's transaction, in few statements, however many they
 * are. `account`: the seller's at the bank; undefined makes no slips.
 */
export async function makeBooklet(
  deps: Deps,
  tx: Db,
  draft: Omit<WholeRecurring, 'id'>,
  { account, ...printed }: Printed & { account: string | undefined },
): Promise<MadeBooklet> {
  const { sellerId, customerId, createdAt: at } = draft
  const keptCardId = await findKeptCard(tx, { sellerId, customerId })
  const booklet = await insertRecurring(tx, draft)
  const numbers = await claimNumbers(tx, new Map([[sellerId, draft.charges ?? 0]]))
  const names = (numbers.get(sellerId) ?? []).map((invoiceNumber) => ({
    invoiceNumber,
    publicId: newPublicId(),
  }))
  const { dunningDays } = deps.rules
  const cycles = billBooklet(booklet, { printed: { ...printed, keptCardId, dunningDays }, names, at })
  const invoices = await saveBilled(deps, tx, cycles, at)
  const finished = cycles.at(-1)?.recurring ?? booklet
  await saveRecurring(tx, [finished])
  const slips = account === undefined ? [] : await saveSlips(deps, tx, invoices, { account, at })
  const [first] = invoices
  if (first && isMailed(first)) await queueEmail(tx, first, bookletIssued(slips.length > 0 ? MANY_MS : 0))
  return { booklet: finished, invoices, slips }
}

/** Saves the slips. An invoice whose slip nobody could pay is left without one; GenerateBoletos says why. */
async function saveSlips(
  { boletos: { rules } }: Deps,
  tx: Db,
  invoices: readonly WholeInvoice[],
  { account, at }: { account: string; at: number },
): Promise<Boleto[]> {
  const [first] = invoices
  if (!first) return []
  const payer = await findPayer(tx, first)
  const dispatch = dispatchOf(rules, account, MANY_MS, at)
  const drafts = invoices.flatMap((invoice) => {
    try {
      return [newSlip(invoice, payer, dispatch)]
    } catch (error) {
      if (error instanceof DomainError) return []
      throw error
    }
  })
  return insertBoletos(tx, drafts)
}
