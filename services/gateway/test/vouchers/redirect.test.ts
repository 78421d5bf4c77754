import { VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const good = { notificationUrl: 'https://shop.example.com/hook', cardType: 'MEAL', cardReference: 'C-1' }
const begin = (over: object = {}, { brand = 'ticket', headers = {} } = {}) =>
  gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/vouchers/${brand}/tokens`, {
    body: { ...good, ...over },
    headers,
  })
const begun = () => gateway.vouchers.redirects.begun

test('a redirect answers with the URL for the holder’s browser', async () => {
  const { status, body } = await begin()
  expect([status, Object.keys(body)]).toEqual([200, ['authUrl']])
  expect(body.authUrl).toMatch(/^https:\/\/id\.example\.com\/connect\/authorize\?/)
  expect(begun().at(-1)).toEqual({
    sellerId: gateway.sellerId,
    brandSegment: 'ticket',
    cardType: VoucherCardType.MEAL,
    notificationUrl: good.notificationUrl,
    cardReference: 'C-1',
  })
})

test.each(['ticket', 'TICKET', 'Ticket'])('the brand may be written %s', async (brand) => {
  expect(await begin({}, { brand })).toMatchObject({ status: 200 })
})

test('a path that repeats the seller, or has the brand in capitals, makes the same request', async () => {
  const headers = { 'idempotency-key': 'redirect-1' }
  const first = await begin({}, { headers })
  const { sellerId } = gateway
  const again = await gateway.call('POST', `/api/v2/sellers/${sellerId}/vouchers/${sellerId}/ticket/tokens`, {
    body: good,
    headers,
  })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const spelled = await begin({}, { brand: 'TICKET', headers })
  expect([spelled.status, spelled.body]).toEqual([200, first.body])
  expect(spelled.headers.get('idempotency-replayed')).toBe('true')
  const { body: kept } = await gateway.call('GET', '/api/v2/requests/redirect-1')
  expect(kept).toMatchObject({ state: 'DONE', status: 200, location: null })
})

test('another seller in either place is 404; without the scope, it is 403', async () => {
  const { sellerId, other } = gateway
  const count = begun().length
  for (const path of [
    `${other.sellerId}/vouchers/ticket`,
    `${other.sellerId}/vouchers/${other.sellerId}/ticket`,
    `${sellerId}/vouchers/${other.sellerId}/ticket`,
    `${other.sellerId}/vouchers/${sellerId}/ticket`,
  ]) {
    const answer = await gateway.call('POST', `/api/v2/sellers/${path}/tokens`, { body: good })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  }
  const { accessToken: token } = await gateway.tokenWith(['vouchers:read'])
  const path = `/api/v2/sellers/${sellerId}/vouchers/ticket/tokens`
  expect(await gateway.call('POST', path, { body: good, token })).toMatchObject({ status: 403 })
  expect(begun()).toHaveLength(count)
})

test('a brand that takes card numbers is 422, and an unknown brand is 404', async () => {
  const alelo = await begin({}, { brand: 'alelo' })
  expect([alelo.status, alelo.body.code]).toEqual([422, 'VOUCHER_BRAND_UNSUPPORTED'])
  expect(await begin({}, { brand: 'nobody' })).toMatchObject({ status: 404 })
  expect(await begin({}, { brand: 'no%20brand' })).toMatchObject({ status: 404 })
})

test.each([
  [{ notificationUrl: undefined }, '#/notificationUrl', 'REQUIRED'],
  [{ notificationUrl: `https://a.com/${'x'.repeat(187)}` }, '#/notificationUrl', 'LENGTH'],
  [{ notificationUrl: 'ftp://a.com' }, '#/notificationUrl', 'FORMAT'],
  [{ notificationUrl: 'https://10.0.0.1/' }, '#/notificationUrl', 'NOT_PUBLIC'],
  [{ cardType: undefined }, '#/cardType', 'REQUIRED'],
  [{ cardType: 'MEALS' }, '#/cardType', 'ENUM'],
  [{ cardReference: 'x'.repeat(37) }, '#/cardReference', 'LENGTH'],
  [{ cardReference: '' }, '#/cardReference', 'LENGTH'],
  [{ cardReference: '4111111111111111' }, '#/cardReference', 'CARD_DATA_MISPLACED'],
])('%j is refused at %s: %s', async (over, pointer, code) => {
  const { status, body } = await begin(over)
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]])
})

test('the longest values, an http URL and an absent reference are accepted', async () => {
  const notificationUrl = `http://a.com/${'x'.repeat(187)}`
  expect(await begin({ notificationUrl, cardReference: 'x'.repeat(36) })).toMatchObject({ status: 200 })
  expect(await begin({ cardReference: undefined })).toMatchObject({ status: 200 })
  expect(begun().at(-1)?.cardReference).toBe('')
})
