import { isDeepStrictEqual } from 'node:util'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { Client } from '../client'
import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Entry, type Ledger } from '../ledger'
import { faultInTold, readTold } from '../told/check-invoices-told'
import { readInvoices, readNamed, readNumbers, type BookedInvoice } from './invoice-books'
import { INVOICES } from './invoice-story'

export type InvoiceResult = { invoices: number; breaches: string[] }

const idIn = ({ answer }: Entry) => (answer as { id: number }).id

/**
 * Checks that each answered request made one invoice, customer or product, or changed an invoice once; that generated
 * numbers have neither gaps nor doubles; that each invoice reads as answered; that each event was notified, in order.
 */
export async function checkInvoices(
  system: DoomedSystem,
  client: Client,
  ledger: Ledger,
  run: string,
): Promise<InvoiceResult> {
  const booked = await readInvoices(system, run)
  const told = readTold(system)
  const changes = changesOf(ledger)
  const breaches = [
    ...faultsInIds(
      'invoices',
      answeredIds(ledger, 'invoice'),
      booked.map(({ id }) => id),
    ),
    ...(await checkNamed(system, ledger, run)),
    ...(await checkNumbers(system)),
    ...booked.flatMap((invoice) => {
      const done = changes.get(invoice.id) ?? []
      const faults = [
        faultInState(invoice, done),
        faultInTold(invoice, told.get(invoice.id) ?? [], dueOf(done)),
      ]
      return faults.flatMap((fault) => (fault ? [`invoice ${invoice.id} (${invoice.status}): ${fault}`] : []))
    }),
    ...(await checkReadings(client, ledger, booked)),
  ]
  return { invoices: booked.length, breaches }
}

function answeredIds(ledger: Ledger, operation: Entry['operation']): number[] {
  return entriesOf(ledger, operation).flatMap((entry) => (entry.status === 201 ? [idIn(entry)] : []))
}

function faultsInIds(what: string, due: readonly number[], there: readonly number[]): string[] {
  const strangers = there.filter((id) => !due.includes(id))
  const missing = due.filter((id) => !there.includes(id))
  const isRight = strangers.length + missing.length === 0 && due.length === there.length
  return isRight
    ? []
    : [`${what} of nobody: ${strangers.join()}; missing: ${missing.join()}; due: ${due.length}`]
}

async function checkNamed(system: DoomedSystem, ledger: Ledger, run: string): Promise<string[]> {
  const deletions = entriesOf(ledger, 'customer-deletion')
  const deleted = deletions.map(({ path }) => Number(path.split('/').at(-1)))
  const customers = answeredIds(ledger, 'customer').filter((id) => !deleted.includes(id))
  return [
    ...deletions.flatMap(({ key, status, tries }) =>
      status === 404 && tries === 1 ? [`${key}: the customer was gone before`] : [],
    ),
    ...faultsInIds('customers', customers, await readNamed(system, 'customers', run)),
    ...faultsInIds('products', answeredIds(ledger, 'product'), await readNamed(system, 'products', run)),
  ]
}

async function checkNumbers(system: DoomedSystem): Promise<string[]> {
  const numbers = await readNumbers(system)
  return numbers.flatMap(({ sellerId, made, used, highest }) =>
    made === used && used === highest
      ? []
      : [`seller ${sellerId}: ${made} numbers were made, ${used} are used, the highest is ${highest}`],
  )
}

/** The changes of each invoice. Creating an invoice with its charge counts as finalizing it. */
function changesOf(ledger: Ledger): Map<number, Entry[]> {
  const changes = new Map<number, Entry[]>()
  for (const entry of entriesOf(ledger, 'invoice-finalize', 'invoice-void', 'invoice-uncollectible')) {
    if (entry.status >= 300) continue
    const id = Number(entry.path.slice(INVOICES.length + 1).split('/')[0])
    changes.set(id, [...(changes.get(id) ?? []), entry])
  }
  for (const entry of entriesOf(ledger, 'invoice')) {
    const { id, charge } = entry.answer as InvoiceJson
    if (entry.status !== 201 || !charge) continue
    const finalized: Entry = { ...entry, operation: 'invoice-finalize', answer: charge }
    changes.set(id, [finalized, ...(changes.get(id) ?? [])])
  }
  return changes
}

const EVENTS: Partial<Record<Entry['operation'], string>> = {
  'invoice-finalize': 'invoice.finalized',
  'invoice-void': 'invoice.voided',
  'invoice-uncollectible': 'invoice.uncollectible',
}

/** The events that these changes cause. Marking an UNCOLLECTIBLE invoice again causes none. */
function dueOf(done: readonly Entry[]): string[] {
  return ['invoice.created', ...new Set(done.flatMap(({ operation }) => EVENTS[operation] ?? []))]
}

function faultInState({ status, charges }: BookedInvoice, done: readonly Entry[]): string | undefined {
  const of = (operation: Entry['operation']) => done.filter((entry) => entry.operation === operation)
  const [voided, marked, finalized] = [
    of('invoice-void'),
    of('invoice-uncollectible'),
    of('invoice-finalize'),
  ]
  const ends = { CANCELLED: voided, UNCOLLECTIBLE: marked, CLOSED: finalized }
  const end = Object.entries(ends).find(([, entries]) => entries.length > 0)?.[0] ?? 'OPEN'
  const ofCharge = voided.length > 0 ? 'CANCELLED' : 'PENDING'
  const isCharged =
    isDeepStrictEqual(
      charges.map(({ id }) => id),
      finalized.map(idIn),
    ) && charges.every((charge) => charge.status === ofCharge)
  if (status === end && isCharged && voided.length < 2) return undefined
  const answered = done.map(({ operation, status: code }) => `${operation} ${code}`).join(', ')
  return `answered ${answered}, ${end} is due; charges: ${JSON.stringify(charges)}`
}

/** Checks that the lasting fields of each answer read the same, and that the status is the one in the database. */
async function checkReadings(
  client: Client,
  ledger: Ledger,
  booked: readonly BookedInvoice[],
): Promise<string[]> {
  const statuses = new Map(booked.map(({ id, status }) => [id, status]))
  const breaches: string[] = []
  for (const entry of entriesOf(ledger, 'invoice').filter(({ status }) => status === 201)) {
    const answer = entry.answer as InvoiceJson
    const { body } = await client({ method: 'GET', path: `${INVOICES}/${answer.id}` })
    const now = body as InvoiceJson
    const isSame =
      isDeepStrictEqual(lastingOf(now), lastingOf(answer)) && now.status === statuses.get(answer.id)
    if (!isSame)
      breaches.push(`${entry.key} was told ${JSON.stringify(answer)}, it reads ${JSON.stringify(now)}`)
  }
  return breaches
}

function lastingOf({
  invoiceNumber,
  customer,
  dueDate,
  amountInCents,
  items,
  paymentUrl,
  createdAt,
}: InvoiceJson) {
  return { invoiceNumber, customer, dueDate, amountInCents, items, paymentUrl, createdAt }
}
