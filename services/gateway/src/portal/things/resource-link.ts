import type { RequestRecordDetail } from '../../history/request-record'
import { link, type Value } from '../words/value'

/** The pages of the resources that events and requests name. */
const PAGES: Readonly<Record<string, string>> = {
  charge: 'charges',
  charges: 'charges',
  // What a request for an order makes is a charge.
  orders: 'charges',
  invoice: 'invoices',
  invoices: 'invoices',
  recurring_invoice: 'recurring',
  'recurring-invoices': 'recurring',
  customers: 'customers',
  products: 'products',
  dispute: 'disputes',
  disputes: 'disputes',
  voucher_payment: 'vouchers',
  endpoint: 'endpoints',
  endpoints: 'endpoints',
  deliveries: 'deliveries',
  events: 'events',
  'unexpected-receipts': 'receipts',
}

/** What stands before the resource in a path. */
const BEFORE = /^\/api\/v2\/(?:sellers\/\d+\/|webhooks\/)?/

/** A resource, and the page that shows things like it; undefined where the portal has none. */
export type Resource = { kind: string; id: number | string; page: string | undefined }

/** What a request made or was about: its path or its answer names it. */
export function resourceOf({
  path,
  answer,
}: Pick<RequestRecordDetail, 'path' | 'answer'>): Resource | undefined {
  const words = path.replace(BEFORE, '').split('/')
  const at = words.findIndex((word) => /^[1-9]\d{0,14}$/.test(word))
  const kinds = at === -1 ? words : words.slice(0, at)
  const kind = kinds.findLast((word) => word in PAGES) ?? words[0] ?? ''
  const id = at === -1 ? answer.id : Number(words[at])
  return id === undefined ? undefined : { kind, id, page: PAGES[kind] }
}

/** Returns a resource by its kind and id, as a link where the portal has its page. */
export function resourceLink({ kind, id }: { kind: string; id: number | string }): Value {
  const page = PAGES[kind]
  const text = `${kind} ${id}`
  return page === undefined || typeof id !== 'number' ? text : link(`/${page}/${id}`, text)
}
