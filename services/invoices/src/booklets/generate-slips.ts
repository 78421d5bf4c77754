import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import { noAccount } from '../boletos/registering/bank-refusals'
import { newSlip } from '../boletos/registering/new-slip'
import { dispatchOf } from '../invoice/issue-ask'
import { MANY_MS } from '../boletos/registering/register-many'
import type { Boleto, Payer } from '../boletos/rules/boleto'
import { decideAsk } from '../invoice/rules/ask-decision'
import { BOLETOS, insertBoletos, type NewBoleto } from '../boletos/store/boleto-store'
import { findPayer } from '../boletos/store/payer-store'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { WholeInvoice } from '../invoice/rules/invoice'
import type { RecurringKey } from '../recurring/store/recurring-store'
import { lockInvoicesOf } from './booklet-store'

/** The slip of an invoice, or why it gets none. `isNew`: the bank has not been called about it. */
export type GeneratedSlip = { invoiceId: number } & (
  { boleto: Boleto; isNew: boolean } | { error: DomainError }
)

/** The decision on the slip of an invoice. */
type Decided = { invoiceId: number } & (
  { open: Boleto } | { draft: NewBoleto; old: Boleto | undefined } | { error: DomainError }
)

/** Saves a slip for each CLOSED invoice of a recurring invoice. An open slip stays unless its last day is over. */
export async function generateSlips(
  deps: Deps,
  tx: Db,
  recurring: RecurringKey,
  account: string | undefined,
): Promise<GeneratedSlip[]> {
  const decided = await decide(deps, tx, await lockInvoicesOf(tx, recurring, ['CLOSED']), account)
  const made = await save(tx, decided)
  return decided.map(({ invoiceId, ...each }) => {
    if ('error' in each) return { invoiceId, error: each.error }
    if ('open' in each) return { invoiceId, boleto: each.open, isNew: false }
    const boleto = made.get(invoiceId)
    if (!boleto) throw new Error('an invoice got no boleto')
    return { invoiceId, boleto, isNew: true }
  })
}

async function decide(
  { boletos: { rules } }: Deps,
  tx: Db,
  invoices: readonly WholeInvoice[],
  account: string | undefined,
): Promise<Decided[]> {
  const [first] = invoices
  if (!first) return []
  const ids = invoices.map(({ id }) => id)
  const open = await BOLETOS.lockOpen(tx, ids)
  const { address, place } = await findPayer(tx, first)
  const at = now()
  const dispatch = dispatchOf(rules, account ?? '', MANY_MS, at)
  return invoices.map((invoice) => {
    const { id: invoiceId } = invoice
    try {
      const decision = decideAsk(invoice, open.get(invoiceId), at)
      if ('open' in decision) return { invoiceId, open: decision.open }
      const draft = newSlip(decision.payable, { ...payerOf(invoice), address, place }, dispatch)
      if (account === undefined) throw noAccount()
      return { invoiceId, draft, old: decision.old }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { invoiceId, error }
    }
  })
}

function payerOf({ customer: { name, document } }: WholeInvoice): Pick<Payer, 'name' | 'document'> {
  return { name, document }
}

/** Saves the new slips, and returns them by their invoices. An old one whose terms no longer hold makes room first. */
async function save(tx: Db, decided: readonly Decided[]): Promise<Map<number, Boleto>> {
  for (const each of decided) if ('old' in each && each.old) await BOLETOS.save(tx, each.old)
  const boletos = await insertBoletos(
    tx,
    decided.flatMap((each) => ('draft' in each ? [each.draft] : [])),
  )
  return new Map(boletos.map((boleto) => [boleto.invoiceId, boleto]))
}
