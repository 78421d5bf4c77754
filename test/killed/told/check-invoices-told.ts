import type { DoomedSystem } from '../doomed-system'
import { onceInOrder } from './once-in-order'
import type { BookedInvoice } from '../invoices/invoice-books'

type Told = { webhookId: string; body: string; type: string; sequence: number; status: string }

/** The statuses that an invoice may have in an event, by type of event. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  'invoice.created': ['OPEN'],
  'invoice.finalized': ['CLOSED'],
  'invoice.uncollectible': ['UNCOLLECTIBLE'],
  'invoice.voided': ['CANCELLED'],
  'invoice.past_due': ['OPEN', 'CLOSED'],
  'invoice.paid': ['PAID'],
  'invoice.payment_failed': ['CLOSED', 'UNCOLLECTIBLE'],
}

/** The notifications that the seller's endpoint got, by invoice. */
export function readTold({ told }: DoomedSystem): Map<number, Told[]> {
  const ofInvoices = new Map<number, Told[]>()
  for (const { webhookId, body } of told) {
    const { type, sequence, resource, data } = JSON.parse(body)
    const message = { webhookId, body, type, sequence, status: data.status }
    ofInvoices.set(resource.id, [...(ofInvoices.get(resource.id) ?? []), message])
  }
  return ofInvoices
}

/**
 * The fault in the notifications of an invoice, if there is one. `due`: the events that its requests caused. It may
 * also have become past due, once.
 */
export function faultInTold(
  invoice: BookedInvoice,
  messages: readonly Told[],
  due: readonly string[],
): string | undefined {
  let events: Told[]
  try {
    events = onceInOrder(messages)
  } catch (error) {
    return (error as Error).message
  }
  const heard = events.map(({ sequence, type, status }) => `${sequence} ${type} ${status}`).join(', ')
  const requested = events.map(({ type }) => type).filter((type) => type !== 'invoice.past_due')
  const isDue = requested.toSorted().join() === due.toSorted().join()
  const isTold = events.length === invoice.sequence && events.at(-1)?.status === invoice.status
  const fits = events.every(({ type, status }) => AFTER[type]?.includes(status))
  const timesLate = events.length - requested.length
  const isLate = timesLate === 1 || (timesLate === 0 && !invoice.pastDueNotified)
  const isOwn = new Set(events.map(({ webhookId }) => webhookId)).size === events.length
  if (isDue && isTold && fits && isLate && isOwn) return undefined
  return `${invoice.sequence} events, ${due.join(' ')} due, past due notified: ${invoice.pastDueNotified}; heard: ${heard}`
}
