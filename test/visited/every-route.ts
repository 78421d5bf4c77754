import { openBrowser, readable, type Browser } from '../../services/gateway/test/portal/browser'
import { routesOfPortal, type PortalRoute } from '../../services/gateway/test/support/portal-routes'
import { makeOneOfEach } from '../journeys/one-of-each'
import { write } from '../journeys/shop'
import type { System } from '../journeys/system'

/** A page, file or form of the portal. `names`: whether its path names a record of the seller. */
export type FilledRoute = PortalRoute & { route: string; names: boolean }

/** The family of each thing's ids, by the first words of the portal's path. */
const FAMILIES: Record<string, string> = {
  charges: 'charges',
  invoices: 'invoices',
  recurring: 'booklets',
  customers: 'customers',
  products: 'products',
  receipts: 'invoices/unexpected-receipts',
  disputes: 'disputes',
  vouchers: 'vouchers/payments',
  'network-tokens': 'cards/tokens/network',
  endpoints: 'webhooks/endpoints',
  events: 'events',
  deliveries: 'webhooks/deliveries',
  requests: 'history/requests',
  'settings/integrations/api': 'tokens',
  'settings/people': 'people',
}

export async function signedIn(system: System, email: string, password: string): Promise<Browser> {
  const browser = openBrowser(system.ready.baseUrl)
  const { status } = await browser.signIn(email, password)
  expect(status).toBe(303)
  return browser
}

/** Makes one of each record that the portal shows, and returns every route of the portal with the ids of these. */
export async function everyRoute(system: System, owner: Browser): Promise<FilledRoute[]> {
  const { ids, shop } = await makeOneOfEach(system)
  const { body: booklet } = await write(system, 'POST', `/api/v2/sellers/${system.ready.sellerId}/booklet`, {
    body: {
      customerId: shop.customerId,
      billingFrequency: 'MONTHLY',
      chargesByBooklet: 2,
      recurringItem: { productId: shop.productId, quantity: 1, unitPriceInCents: 4_990 },
      acceptedPaymentMethods: [{ method: 'BOLETO' }],
    },
  })
  const linked = async (page: string) =>
    new RegExp(`href="${page}/(\\d+|[\\da-f-]{36})(?:/revoke)?"`).exec((await owner.get(page)).text)?.[1]
  const known: Record<string, string | number | undefined> = {
    ...ids,
    booklets: booklet.id,
    tokens: await linked('/portal/settings/integrations/api'),
    people: await linked('/portal/settings/people'),
  }
  return routesOfPortal().map(({ method, path }) => {
    const names = path.includes('/:id')
    const [family = ''] = path.slice(1).split('/:id')
    const id = known[FAMILIES[family] ?? '']
    if (names && id === undefined) throw new Error(`nothing is made for ${path}: add one`)
    const filled = path.replace(':id', String(id)).replace(':secret', 'x'.repeat(43))
    return { method, path: `/portal${filled}`, route: `${method} ${path}`, names }
  })
}

/** What the owner reads of each record, the people, the theme, and the audit: a change of any of them shows there. */
export async function readAll(
  owner: Browser,
  routes: readonly FilledRoute[],
): Promise<Record<string, string>> {
  const pages = routes.filter(
    ({ route, names }) =>
      (names && /^GET \/[a-z/-]+\/:id$/.test(route)) || /^GET \/settings\/(people|theme|audit)$/.test(route),
  )
  const read: Record<string, string> = {}
  for (const { path } of pages)
    read[path] = readable(/<main.*<\/main>/s.exec((await owner.get(path)).text)?.[0] ?? '')
  return read
}
