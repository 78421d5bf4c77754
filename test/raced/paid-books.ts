import type { ChargeJson } from '@cofre/api/charge'
import { eventually } from '@cofre/testing/testing'
import { INVOICES, read, readInvoice, toldIn } from '../journeys/shop'
import type { System } from '../journeys/system'
import { paymentsOf } from './outside'

/** A boleto or a Pix charge as its bank records it. Cents. */
type AtBank = { cancelled: boolean; payments: { id: string; amount: number }[] }
type Waiting = { bankReceiptId: string; unexpectedInCents: number }

/** The cents that came in for an invoice and stayed: by card, by boleto or Pix, and the part that waits for a person. */
export type Books = {
  byCard: number
  byBank: number
  waiting: number
  /** How many authorizations are neither captured nor released. */
  held: number
  /** How many boletos and Pix charges a payer can still pay. */
  open: number
}

const SETTLED_MS = 120_000

/** All charges of an invoice, also those that it does not name. */
async function chargesOf(system: System, invoiceNumber: string): Promise<ChargeJson[]> {
  const path = `/api/v2/charges?size=100&orderReference=${invoiceNumber}`
  return (await read(system, path)).body.content
}

/** `name`: a digitable line, or a txid. */
async function askOf(system: System, name: string): Promise<AtBank> {
  if (!/^\d{47}$/.test(name)) {
    const [charge] = await system.sandbox('GET', `/pix/charges?txid=${name}`)
    const payments = (charge.payments as { endToEndId: string; amount: number }[]).map((pix) => ({
      id: pix.endToEndId,
      amount: pix.amount,
    }))
    return { cancelled: charge.status.startsWith('REMOVIDA'), payments }
  }
  const slips: (AtBank & { digitableLine: string })[] = await system.sandbox('GET', '/boletos')
  const slip = slips.find(({ digitableLine }) => digitableLine === name)
  if (!slip) throw new Error('the bank has no such slip')
  return slip
}

async function waitingFor(system: System, invoiceId: number): Promise<Waiting[]> {
  const all: (Waiting & { invoiceId: number | null })[] = []
  for (let page = 0; ; page++) {
    const { body } = await read(system, `${INVOICES}/unexpected-receipts?size=100&page=${page}`)
    all.push(...body.content)
    if (body.last) return all.filter((receipt) => receipt.invoiceId === invoiceId)
  }
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** The books of acquirer and banks for one invoice. `names`: the digitable lines of its boletos, the txids of its Pix. */
export async function booksOf(
  system: System,
  { id, invoiceNumber }: { id: number; invoiceNumber: string },
  names: readonly string[],
): Promise<Books> {
  const charges = await chargesOf(system, invoiceNumber)
  const there = (await Promise.all(charges.map((charge) => paymentsOf(system, charge)))).flat(2)
  const asks = await Promise.all(names.map((name) => askOf(system, name)))
  const waiting = await waitingFor(system, id)
  const byCard = there.map(({ capturedAmount, voidedAmount }) =>
    capturedAmount > 0 ? capturedAmount - voidedAmount : 0,
  )
  return {
    byCard: sumOf(byCard),
    byBank: sumOf(asks.flatMap(({ payments }) => payments.map(({ amount }) => amount))),
    waiting: sumOf(waiting.map(({ unexpectedInCents }) => unexpectedInCents)),
    held: there.filter(({ status }) => status === 1).length,
    open: asks.filter(({ cancelled, payments }) => !cancelled && payments.length === 0).length,
  }
}

/**
 * Waits until nothing of an invoice is pending and all agrees: its money is booked or waits for a person, it was paid
 * at most once, nobody can pay it any more, and its payment was notified once. Returns its status.
 */
export async function checkBooks(
  system: System,
  inbox: string,
  id: number,
  names: readonly string[] = [],
): Promise<string> {
  return eventually(async () => {
    const invoice = await readInvoice(system, id)
    const statuses = invoice.transactions?.map(({ status }) => status) ?? []
    const { byCard, byBank, waiting, held, open } = await booksOf(system, invoice, names)
    const isPaid = invoice.status === 'PAID'
    const due = isPaid ? invoice.amountInCents : 0
    expect([id, byCard + byBank - waiting, invoice.paidInCents]).toEqual([id, due, due])
    expect([held, statuses.filter((each) => each === 'PENDING').length]).toEqual([0, 0])
    expect(statuses.filter((each) => each === 'SUCCEEDED')).toHaveLength(isPaid ? 1 : 0)
    if (isPaid || invoice.status === 'CANCELLED') expect(open).toBe(0)
    const told = (await toldIn(system, inbox)).get(id) ?? []
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_event, at) => at + 1))
    expect(told.at(-1)?.data.status).toBe(invoice.status)
    expect(told.filter(({ type }) => type === 'invoice.paid')).toHaveLength(isPaid ? 1 : 0)
    return invoice.status
  }, SETTLED_MS)
}
