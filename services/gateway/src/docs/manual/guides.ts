/** A page of the manual: its place below /docs, its template, its title in the navigation. */
export type Guide = { path: string; view: string; title: string }

/** In the order in which a new integrator reads them. */
export const GUIDES: readonly Guide[] = [
  { path: '', view: 'start', title: 'Start here' },
  { path: '/authentication', view: 'authentication', title: 'Authentication' },
  { path: '/idempotency', view: 'idempotency', title: 'Idempotency' },
  { path: '/errors', view: 'errors', title: 'Errors' },
  { path: '/pagination', view: 'pagination', title: 'Pagination' },
  { path: '/life-of-a-charge', view: 'life-of-a-charge', title: 'Life of a charge' },
  { path: '/pix', view: 'pix', title: 'Pix' },
  { path: '/disputes', view: 'disputes', title: 'Disputes' },
  { path: '/unknown-outcomes', view: 'unknown-outcomes', title: 'Unknown outcomes' },
  { path: '/declines', view: 'declines', title: 'Declines' },
  { path: '/webhooks', view: 'webhooks', title: 'Webhooks' },
  { path: '/encrypted-card', view: 'encrypted-card', title: 'Encrypted cards' },
  { path: '/network-tokens', view: 'network-tokens', title: 'Network tokens' },
  { path: '/invoices', view: 'invoices', title: 'Invoices' },
  { path: '/generated-clients', view: 'generated-clients', title: 'Generate a client' },
  { path: '/compatibility', view: 'compatibility', title: 'Compatibility' },
]
