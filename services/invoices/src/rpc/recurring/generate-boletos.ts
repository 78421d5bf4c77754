import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import {
  GenerateBoletosResponse,
  type GeneratedBoleto,
  type GetRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import type { Boleto, Payer } from '../../boleto/boleto'
import { stillHolds } from '../../boleto/terms'
import { NOT_SENT, withdraw } from '../../boleto/transition'
import { bankNotReached, bankRefused, noAccount } from '../../boleto-settling/bank-refusals'
import { dispatchDeadline, newSlip } from '../../boleto-settling/new-slip'
import { MANY_MS, registerMany } from '../../boleto-settling/register-many'
import { boletoMessage } from '../../boleto-store/boleto-message'
import {
  insertBoletos,
  lockOpenBoletos,
  readBoletos,
  saveBoleto,
  type NewBoleto,
} from '../../boleto-store/boleto-store'
import { findPayer } from '../../boleto-store/payer-store'
import { lockClosedInvoices } from '../../booklet-store/booklet-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/invoice'
import { isBeingPaid, paymentPending } from '../../invoice/transition'
import { readRecurring } from '../../recurring-store/recurring-store'

/** The decision on an invoice's slip before the bank is called. */
type Begun = { invoice: WholeInvoice } & (
  { open: Boleto } | { draft: NewBoleto; old?: Boleto } | { error: DomainError }
)

/**
 * Saves the intentions with the key's mark in one transaction. Has the bank register the new slips, and returns their
 * state by then. The sweeper settles slips that the bank has not answered in time.
 */
export async function generateBoletos(
  deps: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<Replayable<GenerateBoletosResponse>> {
  const account = await deps.boletos.accounts.find(sellerId)
  const made: Boleto[] = []
  const kept = await withIdempotency(deps.pool, sellerId, GenerateBoletosResponse, async (tx) => {
    await readRecurring(tx, { sellerId, id })
    const begun = await begin(deps, tx, await lockClosedInvoices(tx, { sellerId, id }), account)
    const slips = await saveSlips(tx, begun)
    made.push(...slips.values())
    return { boletos: begun.map((each) => generated(each, slips)) }
  })
  await registerMany(deps, made)
  return { ...kept, response: await asTheyAre(deps, kept.response) }
}

async function begin(
  { boletos: { rules } }: Deps,
  tx: Db,
  invoices: readonly WholeInvoice[],
  account: string | undefined,
): Promise<Begun[]> {
  const [first] = invoices
  if (!first) return []
  const open = await lockOpenBoletos(
    tx,
    invoices.map(({ id }) => id),
  )
  const { address } = await findPayer(tx, first)
  const [at, deadline] = [now(), dispatchDeadline(MANY_MS)]
  return invoices.map((invoice) => {
    const current = open.get(invoice.id)
    if (current && stillHolds(current, at)) return { invoice, open: current }
    try {
      if (isBeingPaid(invoice)) throw paymentPending()
      const draft = newSlip({
        invoice,
        account: account ?? '',
        payer: payerOf(invoice, address),
        dispatchDeadline: deadline,
        askAt: at + rules.settleFirstMs,
        at,
      })
      if (account === undefined) throw noAccount()
      return { invoice, draft, ...(current ? { old: withdraw(current, at) } : {}) }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { invoice, error }
    }
  })
}

function payerOf({ customer: { name, document } }: WholeInvoice, address: string): Payer {
  return { name, document, address }
}

/** Saves the new slips, and returns them by their invoices. An old one whose terms no longer hold makes room first. */
async function saveSlips(tx: Db, begun: readonly Begun[]): Promise<Map<number, Boleto>> {
  for (const each of begun) if ('old' in each && each.old) await saveBoleto(tx, each.old)
  const drafts = begun.flatMap((each) => ('draft' in each ? [each.draft] : []))
  const boletos = await insertBoletos(tx, drafts)
  return new Map(boletos.map((boleto) => [boleto.invoiceId, boleto]))
}

function generated(begun: Begun, slips: ReadonlyMap<number, Boleto>): GeneratedBoleto {
  const { invoice } = begun
  if ('error' in begun) return failed(invoice.id, begun.error)
  return shown(invoice.id, 'open' in begun ? begun.open : slips.get(invoice.id))
}

function shown(invoiceId: number, boleto: Boleto | undefined): GeneratedBoleto {
  if (!boleto) throw new Error('an invoice got no boleto')
  return { invoiceId, boleto: boletoMessage(boleto), errorCode: '', errorDetail: '' }
}

function failed(invoiceId: number, { reason, message }: DomainError): GeneratedBoleto {
  return { invoiceId, boleto: undefined, errorCode: reason, errorDetail: message }
}

/** The slips of a kept answer in their present state. A slip that the bank refused becomes an error. */
async function asTheyAre(
  { pool }: Deps,
  { boletos }: GenerateBoletosResponse,
): Promise<GenerateBoletosResponse> {
  const ids = boletos.flatMap(({ boleto }) => (boleto ? [boleto.id] : []))
  const current = await readBoletos(pool, ids)
  return {
    boletos: boletos.map((each) => {
      const boleto = each.boleto && current.get(each.boleto.id)
      if (!boleto) return each
      return boleto.status === 'REFUSED'
        ? failed(each.invoiceId, boleto.refusal === NOT_SENT ? bankNotReached() : bankRefused())
        : shown(each.invoiceId, boleto)
    }),
  }
}
