import { ProductType } from '@cofre/proto/invoices/v1/products'
import { soldProduct } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/products'
const create = (over: Record<string, unknown> = {}, headers = {}) =>
  gateway.call('POST', PATH, { body: { ...soldProduct, ...over }, headers })

/** What Cofre adds to a product. */
const linked = {
  paymentLinkUrl: expect.stringMatching(/^https:\/\/pay\.example\.com\/buy\/[\w-]{22}$/),
  warnings: [],
}

test('a product is created whole and read again; omitted fields have their defaults', async () => {
  const { status, headers, body } = await create()
  expect([status, body]).toEqual([
    201,
    { id: body.id, ...soldProduct, ...linked, createdAt: body.createdAt, updatedAt: body.createdAt },
  ])
  expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${body.id}`)
  expect((await gateway.call('GET', `${PATH}/${body.id}`)).body).toEqual(body)
  const least = { productType: 'RECURRING', name: 'Plano', value: 0 }
  expect((await gateway.call('POST', PATH, { body: least })).body).toMatchObject({
    ...least,
    affiliateId: null,
    softDescriptor: null,
    maxInstallments: null,
    active: true,
    methods: [],
    description: null,
    themeId: null,
    feePassThrough: false,
  })
})

test.each<[Record<string, unknown>, string[]]>([
  [
    { productType: undefined, name: undefined, value: undefined },
    ['#/name REQUIRED', '#/productType REQUIRED', '#/value REQUIRED'],
  ],
  [{ productType: 'DAILY' }, ['#/productType ENUM']],
  [{ value: -1 }, ['#/value MIN']],
  [{ value: 100_000_000_000 }, ['#/value MAX']],
  [{ value: 1.5 }, ['#/value TYPE']],
  [{ affiliateId: -1 }, ['#/affiliateId MIN']],
  [{ maxInstallments: 13 }, ['#/maxInstallments MAX']],
  [{ active: 'yes' }, ['#/active TYPE']],
  [{ methods: ['CASH'] }, ['#/methods/0 ENUM']],
  [{ description: 'x'.repeat(2_001) }, ['#/description LENGTH']],
  [{ softDescriptor: '' }, ['#/softDescriptor LENGTH']],
  [{ themeId: 0 }, ['#/themeId MIN']],
])('%j is refused: %j', async (over, faults) => {
  const { status, body } = await create(over)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(
    body.errors.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`).sort(),
  ).toEqual(faults)
})

test('a product is replaced as a whole, then deleted, after which it is 404', async () => {
  const at = `${PATH}/${(await create()).body.id}`
  const body = { productType: 'ONETIME', name: 'Caneca', value: 1 }
  expect(await gateway.call('PUT', at, { body })).toMatchObject({
    status: 200,
    body: { name: 'Caneca', description: null, active: true },
  })
  expect((await gateway.call('DELETE', at)).status).toBe(204)
  expect((await gateway.call('GET', at)).status).toBe(404)
  expect((await gateway.call('PUT', at, { body })).status).toBe(404)
})

test('a repeat makes one product', async () => {
  const headers = { 'idempotency-key': 'product-1' }
  const first = await create({}, headers)
  const again = await create({}, headers)
  expect([again.status, again.body, again.headers.get('location')]).toEqual([
    201,
    first.body,
    first.headers.get('location'),
  ])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})

test('every filter reaches the service unchanged', async () => {
  const { status } = await gateway.call('GET', `${PATH}?name=caneca&productType=ONETIME&active=false&size=5`)
  expect(status).toBe(200)
  expect(gateway.invoices.asked.products.list.at(-1)).toEqual({
    sellerId: gateway.sellerId,
    page: 0,
    size: 5,
    after: undefined,
    name: 'caneca',
    productType: ProductType.ONETIME,
    active: false,
  })
  for (const query of ['active=1', 'productType=DAILY', 'name=', 'size=101']) {
    expect((await gateway.call('GET', `${PATH}?${query}`)).status).toBe(400)
  }
})

test('the list is a page with a link to the next page, which may begin after a named product', async () => {
  await create()
  await create()
  const { headers, body } = await gateway.call('GET', `${PATH}?size=1`)
  expect(body.content).toHaveLength(1)
  expect(headers.get('link')).toContain(
    `<https://pay.example.com${PATH}?page=1&size=1&after=${body.content[0].id}>; rel="next"`,
  )
  await gateway.call('GET', `${PATH}?after=7`)
  expect(gateway.invoices.asked.products.list.at(-1)).toMatchObject({ page: 0, size: 10, after: 7 })
})

test('another seller’s product is 404, and writing needs its scope', async () => {
  const foreign = { token: gateway.other.token }
  const { body: theirs } = await gateway.call('POST', PATH, { ...foreign, body: soldProduct })
  expect((await gateway.call('GET', `${PATH}/${theirs.id}`)).status).toBe(404)
  expect((await gateway.call('DELETE', `${PATH}/${theirs.id}`)).status).toBe(404)
  const reader = { token: (await gateway.tokenWith(['products:read'])).accessToken }
  expect((await gateway.call('POST', PATH, { ...reader, body: soldProduct })).status).toBe(403)
  expect((await gateway.call('GET', PATH, reader)).status).toBe(200)
})

test('what a payment link sold is read, and filters the list of invoices', async () => {
  const { body: product } = await create()
  const sales = await gateway.call('GET', `${PATH}/${product.id}/sales`)
  expect([sales.status, sales.body]).toEqual([200, { count: 2, amountInCents: 9_980, isLowerBound: false }])
  expect((await gateway.call('GET', `${PATH}/987654/sales`)).status).toBe(404)
  await gateway.call('GET', `/api/v2/invoices?paymentLinkProductId=${product.id}`)
  expect(gateway.invoices.asked.invoices.list.at(-1)).toMatchObject({ paymentLinkProductId: product.id })
})
