import { DomainError } from '@cofre/platform/errors'
import type { ChargeJson } from '@cofre/api/charge'
import type { DisputeJson } from '@cofre/api/disputes/dispute'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { Ask } from '../desk/thing'
import { cardWords } from '../words/card-words'

/** What a charge is about: the invoice that it pays, and its disputes, the newest first. */
export type Surroundings = {
  invoice: InvoiceJson | null
  disputes: readonly DisputeJson[]
  /** Where payers are played; undefined outside a sandbox. */
  sandboxUrl?: string | undefined
}

const DISPUTES_SHOWN = '5'

export async function chargeSurroundings(charge: ChargeJson, ask: Ask): Promise<Surroundings> {
  const [invoice, disputes] = await Promise.all([invoiceOf(charge, ask), disputesOf(charge, ask)])
  return { invoice, disputes }
}

async function disputesOf({ id, capturedAmount, payments }: ChargeJson, ask: Ask): Promise<DisputeJson[]> {
  if (capturedAmount === 0 || !payments.some(({ card }) => card)) return []
  const page = await ask('listDisputes', { chargeId: String(id), size: DISPUTES_SHOWN })
  return (page as { content: DisputeJson[] }).content
}

/** Anybody may write such metadata: an invoice is the charge's own if it knows the charge. */
async function invoiceOf({ id, metadata }: ChargeJson, ask: Ask): Promise<InvoiceJson | null> {
  const { invoiceId } = metadata
  if (typeof invoiceId !== 'number' || !Number.isSafeInteger(invoiceId) || invoiceId < 1) return null
  try {
    const invoice = (await ask('getInvoice', {}, { id: String(invoiceId) })) as InvoiceJson
    return invoice.transactions.some(({ chargeId }) => chargeId === id) ? invoice : null
  } catch (error) {
    // The page of a charge needs no invoice.
    if (error instanceof DomainError && (error.kind === 'not_found' || error.kind === 'unavailable'))
      return null
    throw error
  }
}

const TRIES_SHOWN = '25'

/** The card of each attempt to pay an invoice, by the id of its charge: they bear the number of the invoice. */
export async function cardsOfTries(
  { invoiceNumber, transactions }: InvoiceJson,
  ask: Ask,
): Promise<ReadonlyMap<number, string>> {
  const own = new Set(transactions.map(({ chargeId }) => chargeId))
  own.delete(null)
  if (own.size === 0) return new Map()
  const page = await ask('listCharges', { orderReference: invoiceNumber, size: TRIES_SHOWN })
  const found = (page as { content: ChargeJson[] }).content.filter(({ id }) => own.has(id))
  return new Map(
    found.flatMap(({ id, payments: [payment] }) => (payment?.card ? [[id, cardWords(payment.card)]] : [])),
  )
}
