import { billedCustomer } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/customers'
const create = (over: Record<string, unknown> = {}, headers = {}) =>
  gateway.call('POST', PATH, { body: { ...billedCustomer, ...over }, headers })
const foreign = () => ({ token: gateway.other.token })

test.each(['01001000', '01001-000', '01.001-000'])(
  'the postal code %s is kept as digits',
  async (zipCode) => {
    const { status, body } = await create({ address: { zipCode } })
    expect([status, body.address.zipCode]).toEqual([201, '01001000'])
  },
)

test('a customer is created whole, its document and postal code without masks, and read again', async () => {
  const { status, headers, body } = await create()
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    ...billedCustomer,
    document: '12345678909',
    address: { ...billedCustomer.address, state: 'SP', zipCode: '01001000' },
    createdAt: body.createdAt,
    updatedAt: body.createdAt,
  })
  expect(headers.get('content-id')).toBe(String(body.id))
  expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${body.id}`)
  const read = await gateway.call('GET', `${PATH}/${body.id}`)
  expect([read.status, read.body]).toEqual([200, body])
})

test('omitted fields are null', async () => {
  const { status, body } = await gateway.call('POST', PATH, {
    body: { name: 'Ana', document: '12345678909' },
  })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ birthdate: null, phone: null, email: null, address: null }),
  ])
  const parts = await create({ phone: { number: 1 }, address: { city: 'Recife' } })
  expect(parts.body.phone).toEqual({ countryCode: null, areaCode: null, number: 1 })
  expect(parts.body.address).toMatchObject({ city: 'Recife', street: null, zipCode: null })
})

test.each([
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12abc34501de35', '12ABC34501DE35'],
  ['11.222.333/0001-81', '11222333000181'],
  ['111.444.777-35', '11144477735'],
])('the document %s is stored as %s', async (document, kept) => {
  expect((await create({ document })).body).toMatchObject({ document: kept })
})

test.each<[Record<string, unknown>, string[]]>([
  [{ name: undefined, document: undefined }, ['#/name REQUIRED', '#/document REQUIRED']],
  [{ document: '12345678900' }, ['#/document FORMAT']],
  [{ document: '12ABC34501DE36' }, ['#/document FORMAT']],
  [{ document: '11111111111' }, ['#/document FORMAT']],
  [{ document: 12345678909 }, ['#/document TYPE']],
  [{ name: ' ' }, ['#/name LENGTH']],
  [{ name: 'x'.repeat(256) }, ['#/name LENGTH']],
  [{ name: 'Ana\r\nBcc: eve@example.com' }, ['#/name FORMAT']],
  [{ name: 'Comercial Exemplo Ltda\nA/C Financeiro' }, ['#/name FORMAT']],
  [{ name: 'Ana\tSouza', address: { street: 'Rua\u2028A' } }, ['#/name FORMAT', '#/address/street FORMAT']],
  [{ birthdate: '2023-02-29' }, ['#/birthdate FORMAT']],
  [{ birthdate: '2999-01-01' }, ['#/birthdate MAX']],
  [{ phone: { countryCode: 0, areaCode: '11', number: 1.5 } }, ['MIN', 'TYPE', 'TYPE'].map(phoneFault)],
  [{ email: 'ana' }, ['#/email FORMAT']],
  [{ address: { state: 'SPO', zipCode: '123' } }, ['#/address/state FORMAT', '#/address/zipCode FORMAT']],
  [{ address: { lineTwo: 'x'.repeat(256) } }, ['#/address/lineTwo LENGTH']],
  [{ name: '4111111111111111' }, ['#/name CARD_DATA_MISPLACED']],
])('%j is refused: %j', async (over, faults) => {
  const before = gateway.invoices.customers.size
  const { status, body, text } = await create(over)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(
    body.errors.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`).sort(),
  ).toEqual(faults.toSorted())
  expect(text).not.toContain('12345678900')
  expect(gateway.invoices.customers.size).toBe(before)
})

function phoneFault(code: string, at: number): string {
  return `#/phone/${['countryCode', 'areaCode', 'number'][at]} ${code}`
}

test('a customer is replaced as a whole, then deleted, after which it is 404', async () => {
  const { body: made } = await create()
  const at = `${PATH}/${made.id}`
  const replaced = await gateway.call('PUT', at, { body: { name: 'Bruno', document: '52998224725' } })
  expect([replaced.status, replaced.body]).toEqual([
    200,
    expect.objectContaining({ id: made.id, name: 'Bruno', email: null, address: null }),
  ])
  expect((await gateway.call('PUT', at, { body: { name: 'Bruno' } })).status).toBe(400)
  expect((await gateway.call('DELETE', at)).status).toBe(204)
  const gone = [
    await gateway.call('GET', at),
    await gateway.call('PUT', at, { body: billedCustomer }),
    await gateway.call('DELETE', at),
  ]
  expect(gone.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('a repeat returns the same customer and headers, and its key leads to the customer', async () => {
  const headers = { 'idempotency-key': 'customer-1' }
  const first = await create({}, headers)
  const again = await create({}, headers)
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(again.headers.get('content-id')).toBe(first.headers.get('content-id'))
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await create({ name: 'Other' }, headers)).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  const { body: kept } = await gateway.call('GET', '/api/v2/requests/customer-1')
  expect(kept).toMatchObject({ status: 201, location: first.headers.get('location') })
})

test('the list is a page, and every filter reaches the service unchanged', async () => {
  await create()
  const { status, headers, body } = await gateway.call('GET', `${PATH}?size=1`)
  expect([status, body.content.length, body.first]).toEqual([200, 1, true])
  expect(headers.get('link')).toContain(
    `<https://pay.example.com${PATH}?page=1&size=1&after=${body.content[0].id}>; rel="next"`,
  )
  await gateway.call('GET', `${PATH}?document=123.456.789-09&email=Ana@example.com&name=ana&after=7`)
  expect(gateway.invoices.asked.customers.list.at(-1)).toEqual({
    sellerId: gateway.sellerId,
    page: 0,
    size: 10,
    after: 7,
    document: '12345678909',
    email: 'Ana@example.com',
    name: 'ana',
  })
})

test.each([
  ['document=1', '#/document'],
  ['email=', '#/email'],
  ['name=', '#/name'],
  ['size=0', '#/size'],
  ['page=-1', '#/page'],
])('%s is refused at %s', async (query, pointer) => {
  const { status, body } = await gateway.call('GET', `${PATH}?${query}`)
  expect([status, body.errors[0].pointer]).toEqual([400, pointer])
})

test('another seller’s customer is 404 everywhere, and in no list', async () => {
  const theirs = await gateway.call('POST', PATH, { ...foreign(), body: billedCustomer })
  const at = `${PATH}/${theirs.body.id}`
  const answers = [
    await gateway.call('GET', at),
    await gateway.call('PUT', at, { body: billedCustomer }),
    await gateway.call('DELETE', at),
    await gateway.call('GET', `${PATH}/x`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const { body } = await gateway.call('GET', `${PATH}?size=100`)
  expect(body.content.map(({ id }: { id: number }) => id)).not.toContain(theirs.body.id)
})

test('reading and writing need their scopes', async () => {
  const reader = { token: (await gateway.tokenWith(['customers:read'])).accessToken }
  const writer = { token: (await gateway.tokenWith(['customers:write'])).accessToken }
  const answers = [
    await gateway.call('POST', PATH, { ...reader, body: billedCustomer }),
    await gateway.call('PUT', `${PATH}/1`, { ...reader, body: billedCustomer }),
    await gateway.call('DELETE', `${PATH}/1`, reader),
    await gateway.call('GET', `${PATH}/1`, writer),
    await gateway.call('GET', PATH, writer),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
})

test('the stored cards of a customer are listed, and one is removed once', async () => {
  const { body } = await create()
  const card = {
    id: 41,
    brand: 'VISA',
    lastFour: '1111',
    since: 5,
    isDefault: true,
    recurringInvoiceIds: [12],
    consent: { language: 'en', text: 'Save this card', address: '203.0.113.7', givenAt: 5 },
  }
  gateway.invoices.customerCards.set(body.id, [
    { ...card, expirationYear: 2049, expirationMonth: 12 },
    { ...card, id: 42, isDefault: false, consent: undefined, expirationYear: 2049, expirationMonth: 12 },
  ])
  const path = `${PATH}/${body.id}/cards`
  const expiration = { year: 2049, month: 12 }
  const named = { ...card, id: 42, isDefault: false, consent: null, expiration }
  const shown = { cards: [{ ...card, expiration }, named] }
  expect(await gateway.call('GET', path)).toMatchObject({ status: 200, body: shown })
  expect(await gateway.call('GET', path, foreign())).toMatchObject({ status: 404 })
  expect(await gateway.call('DELETE', `${path}/41`, foreign())).toMatchObject({ status: 404 })
  expect(await gateway.call('DELETE', `${path}/41`)).toMatchObject({ status: 204 })
  expect(await gateway.call('DELETE', `${path}/41`)).toMatchObject({ status: 404 })
  expect((await gateway.call('GET', path)).body).toEqual({ cards: [named] })
})
