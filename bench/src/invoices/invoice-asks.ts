import type { Ask } from '../load'
import type { Target } from '../paths'
import { REFERENCES } from './stored-invoices'

const DAY_MS = 86_400_000
const PAGE_SIZE = 10

export function listAsk({ token }: Target, query: string, page: number): Ask {
  return {
    method: 'GET',
    path: `/api/v2/invoices?size=${PAGE_SIZE}&page=${page}${query && `&${query}`}`,
    headers: bearer(token),
  }
}

export function exportAsk({ token }: Target): Ask {
  return { method: 'GET', path: '/api/v2/invoices/csv', headers: bearer(token) }
}

/** Returns the request for an invoice of one item, due in ten days. */
export function createAsk({ token, sellerId }: Target): Ask {
  const { customerId, productId } = REFERENCES
  return {
    method: 'POST',
    path: `/api/v2/sellers/${sellerId}/invoices`,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({
      customerId,
      dueDate: Date.now() + 10 * DAY_MS,
      items: [{ productId, quantity: 1, unitPriceInCents: 10_000 }],
    }),
  }
}

export function finalizeAsk({ token }: Target, invoiceId: number): Ask {
  return { method: 'POST', path: `/api/v2/invoices/${invoiceId}/finalize`, headers: bearer(token) }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
