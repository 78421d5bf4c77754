import { DOCUMENT } from './stored-invoices'

/** A list's name and its query. */
export type InvoiceList = { name: string; query: string }

const DAY_MS = 86_400_000
const HALF_MS = 1.5 * 365 * DAY_MS

/**
 * Returns every filter of the specification. For a filter by value or time, one query finds many of a seller's
 * invoices and one finds few. `invoiceNumber` is a number that the seller has.
 */
export function filtersOf(invoiceNumber: string, now: number): InvoiceList[] {
  const [middle, month] = [Math.round(now - HALF_MS), 30 * DAY_MS]
  const range = (field: string) => [
    { name: `${field}, of all`, query: `${field}From=1&${field}To=${now + 1_000 * DAY_MS}` },
    { name: `${field}, of a month`, query: `${field}From=${middle}&${field}To=${middle + month}` },
  ]
  return [
    { name: 'invoiceNumber', query: `invoiceNumber=${invoiceNumber}` },
    { name: 'status, of most', query: 'status=PAID' },
    { name: 'status, of few', query: 'status=UNCOLLECTIBLE' },
    { name: 'status, two', query: 'status=OPEN,CLOSED' },
    { name: 'document', query: `document=${DOCUMENT}` },
    { name: 'pastDue', query: 'pastDue=true' },
    { name: 'not pastDue', query: 'pastDue=false' },
    ...['dueDate', 'closeDate', 'paymentDate', 'created'].flatMap(range),
  ]
}

/** Returns each pair of filters of different fields. */
export function pairsOf(filters: readonly InvoiceList[]): InvoiceList[] {
  return filters.flatMap((one, place) =>
    filters
      .slice(place + 1)
      .filter((other) => fieldOf(one) !== fieldOf(other))
      .map((other) => ({ name: `${one.name} and ${other.name}`, query: `${one.query}&${other.query}` })),
  )
}

function fieldOf({ query }: InvoiceList): string {
  return query.split('=')[0] ?? ''
}
