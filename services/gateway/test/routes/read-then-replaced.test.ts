import { routes } from '../../src/api/all-routes'
import { billedCustomer, newInvoice, order, soldProduct } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

/** Makes the resource of each replacement, with as little as it needs and with all that it may have. */
const MAKERS: Record<string, () => Promise<string[]>> = {
  replaceCustomer: () =>
    made('/api/v2/customers', [
      { name: 'Ana', document: '52998224725' },
      {
        name: 'Ana',
        document: '52998224725',
        address: { city: 'São Paulo' },
        phone: { number: 987_654_321 },
      },
      billedCustomer,
    ]),
  replaceProduct: () =>
    made('/api/v2/products', [{ name: 'Café', value: 1_200, productType: 'ONETIME' }, soldProduct]),
  replaceRecipient: () =>
    made('/api/v2/recipients', [
      { name: 'Ana', document: '52998224725' },
      { name: 'Rui', document: '12345678909', reference: 'p-1' },
    ]),
  replaceInvoice: () => {
    const { customerId, dueDate, items } = newInvoice
    const least = { customerId, dueDate, items }
    return made(`/api/v2/sellers/${gateway.sellerId}/invoices`, [least, newInvoice])
  },
  replaceEndpoint: () =>
    made('/api/v2/webhooks/endpoints', [
      { url: 'https://inbox.test/a' },
      {
        url: 'https://inbox.test/b',
        events: ['charge.*'],
        description: 'the shop',
        headers: { 'x-key': 'k' },
        rateLimit: 5,
      },
    ]),
  replaceInvoiceTheme: async () => {
    const theme = '/api/v2/invoices/themes'
    const shades = { headerBackground: '#111', headerText: '#EEE', bodyBackground: '#FFF', bodyText: '#000' }
    const body = { primaryColor: '#123456', secondaryColor: '#654321', colors: shades }
    expect(await gateway.call('PUT', theme, { body })).toMatchObject({ status: 200, body: { logoUrl: null } })
    return [theme]
  },
  replaceBillingSettings: async () => ['/api/v2/invoices/settings'],
  replaceChargeMetadata: async () => {
    const orders = [order(), order({ metadata: { cart: '77', n: 1.5, constructor: 'x', 'a b': '' } })]
    const charges = await made('/api/v2/orders/credit-card/authorize', orders)
    return charges.map((charge) => `${charge}/metadata`)
  },
}

/** Creates resources; returns their paths. */
async function made(path: string, bodies: object[]): Promise<string[]> {
  return Promise.all(
    bodies.map(async (body) => {
      const { status, headers } = await gateway.call('POST', path, { body })
      expect(status).toBe(201)
      return new URL(headers.get('location') ?? '').pathname
    }),
  )
}

/** Leaves out when a resource was changed, and the figures of the last day that a read adds. */
const lasting = (resource: Record<string, unknown>) => ({
  ...resource,
  updatedAt: undefined,
  health: undefined,
})

test.each(routes.filter(({ method }) => method === 'PUT'))(
  '$operationId takes what a read answers, and changes nothing',
  async ({ operationId }) => {
    const paths = (await MAKERS[operationId]?.()) ?? []
    expect(paths).not.toEqual([])
    for (const path of paths) {
      const { body: read } = await gateway.call('GET', path)
      const replaced = await gateway.call('PUT', path, { body: read })
      expect([replaced.status, lasting(replaced.body)]).toEqual([200, lasting(read)])
      const { body: again } = await gateway.call('GET', path)
      expect(lasting(again)).toEqual(lasting(read))
    }
  },
)

test('a created endpoint may be sent back with its secret, which stays as it was', async () => {
  const { body } = await gateway.call('POST', '/api/v2/webhooks/endpoints', {
    body: { url: 'https://inbox.test/c' },
  })
  const replaced = await gateway.call('PUT', `/api/v2/webhooks/endpoints/${body.id}`, { body })
  expect([replaced.status, replaced.body.secret]).toEqual([200, undefined])
})

test('members that only a read writes are unknown where something is created', async () => {
  const body = { id: 1, name: 'Ana', document: '52998224725' }
  const answer = await gateway.call('POST', '/api/v2/customers', { body })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'UNKNOWN_FIELD', errors: [{ pointer: '#/id' }] },
  })
})

test('the description of each replacement names the members that it ignores', () => {
  for (const { description, body } of routes.filter(({ method }) => method === 'PUT')) {
    for (const name of body?.readOnly ?? []) expect(description).toContain(`\`${name}\``)
  }
})
