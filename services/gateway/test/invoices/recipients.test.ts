import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/recipients'
const ana = { name: 'Ateliê da Ana', document: '123.456.789-09', reference: 'p-12' }
const create = (over: Record<string, unknown> = {}, headers = {}) =>
  gateway.call('POST', PATH, { body: { ...ana, ...over }, headers })

test('a recipient is registered, read, found by its reference and replaced', async () => {
  const { status, headers, body } = await create()
  const { createdAt } = body
  const shown = { ...ana, document: '12345678909' }
  expect([status, body]).toEqual([201, { id: body.id, ...shown, createdAt, updatedAt: createdAt }])
  expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${body.id}`)
  expect((await gateway.call('GET', `${PATH}/${body.id}`)).body).toEqual(body)
  expect((await gateway.call('GET', `${PATH}?reference=p-12`)).body.content).toEqual([body])
  expect(gateway.invoices.asked.recipients.list.at(-1)).toMatchObject({ reference: 'p-12' })
  const replaced = await gateway.call('PUT', `${PATH}/${body.id}`, {
    body: { name: 'Ana', document: '52998224725' },
  })
  expect(replaced.body).toMatchObject({ name: 'Ana', document: '52998224725', reference: null })
})

test.each<[Record<string, unknown>, string]>([
  [{ name: undefined }, '#/name REQUIRED'],
  [{ name: 'x'.repeat(256) }, '#/name LENGTH'],
  [{ document: '12345678900' }, '#/document FORMAT'],
  [{ reference: '' }, '#/reference LENGTH'],
])('%j is refused: %s', async (over, fault) => {
  const { status, body } = await create(over)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const [{ pointer, code }] = body.errors
  expect(`${pointer} ${code}`).toBe(fault)
})

test('the entries of a recipient are listed and exported; an unknown recipient is 404', async () => {
  const { body: made } = await create()
  const { status, body } = await gateway.call('GET', `${PATH}/${made.id}/entries?from=1&to=2`)
  expect([status, body.content]).toMatchObject([
    200,
    [
      { recipientId: made.id, kind: 'REFUND', amountInCents: -500 },
      { recipientId: made.id, kind: 'PAYMENT', amountInCents: 1_500, invoiceId: 7, movementId: 8 },
    ],
  ])
  expect(gateway.invoices.asked.recipients.entries.at(-1)).toMatchObject({ from: 1, to: 2 })
  const csv = await fetch(`${gateway.url}${PATH}/${made.id}/entries/csv`, {
    headers: { authorization: `Bearer ${gateway.token}`, 'accept-language': 'pt-BR' },
  })
  const lines = (await csv.text()).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/-5,00/)
  expect((await gateway.call('GET', `${PATH}/987654/entries`)).status).toBe(404)
})

test('a repeated key registers one recipient', async () => {
  const first = await create({}, { 'idempotency-key': 'r-1' })
  const second = await create({}, { 'idempotency-key': 'r-1' })
  expect(second.body).toEqual(first.body)
})
