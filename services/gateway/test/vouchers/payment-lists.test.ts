import { VoucherCardType, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { voucherPayment } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
let token: string
let foreignToken: string
beforeAll(async () => {
  gateway = await startGateway()
  const card = { cardType: VoucherCardType.MEAL, cardBrand: 'VR', lastFour: '1234' }
  token = gateway.vouchers.addToken({ sellerId: gateway.sellerId, ...card }).token
  foreignToken = gateway.vouchers.addToken({ sellerId: gateway.other.sellerId, ...card }).token
  for (const amount of [100, 251, 399]) await pay({ amount, referenceId: `R-${amount}` })
})
afterAll(() => gateway.stop())

const pathFor = (sellerId = gateway.sellerId) => `/api/v2/sellers/${sellerId}/vouchers/payments`
const pay = (over: Record<string, unknown> = {}) =>
  gateway.call('POST', pathFor(), { body: voucherPayment(token, over) })
const list = (query = '', ask = {}) => gateway.call('GET', `${pathFor()}${query}`, ask)
const foreign = () => ({ token: gateway.other.token })

test('the list is a page of the seller’s payments, newest first, with links to its neighbours', async () => {
  const { status, headers, body } = await list('?size=2&status=PAID,DENIED&status=PENDING')
  expect([status, body.content.map((each: { amount: number }) => each.amount)]).toEqual([200, [399, 251]])
  expect(body).toMatchObject({ totalElements: 3, totalPages: 2, first: true, last: false })
  expect(headers.get('link')).toContain(
    `<https://pay.example.com${pathFor()}?status=PAID%2CDENIED%2CPENDING&page=1&size=2&after=${body.content[1].id}>; rel="next"`,
  )
})

test('every filter reaches the service unchanged', async () => {
  const query = `referenceId=R-100&status=PAID&cardBrand=VR&token=${token}&createdFrom=1&createdTo=2&after=9`
  await list(`?${query}`)
  expect(gateway.vouchers.asked.list.at(-1)).toEqual({
    sellerId: gateway.sellerId,
    page: 0,
    size: 10,
    referenceId: 'R-100',
    statuses: [VoucherPaymentStatus.PAID],
    cardBrand: 'VR',
    token,
    createdFrom: 1,
    createdTo: 2,
    after: 9,
  })
})

test.each([
  ['referenceId=R-251', [251]],
  ['status=PAID', [100]],
  ['cardBrand=ALELO', []],
  ['after=2', [100]],
])('%s narrows the list', async (query, amounts) => {
  const { body } = await list(`?${query}`)
  expect(body.content.map((each: { amount: number }) => each.amount)).toEqual(amounts)
})

test.each([
  ['status=LOST', '#/status/0'],
  ['token=abc', '#/token'],
  ['cardBrand=vr', '#/cardBrand'],
  ['createdFrom=yesterday', '#/createdFrom'],
  ['size=0', '#/size'],
  ['referenceId=6370361234567890', '#/referenceId'],
  ['after=0', '#/after'],
])('%s is refused at %s', async (query, pointer) => {
  const { status, body } = await list(`?${query}`)
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', pointer])
})

test('a page of more than a hundred entries is refused', async () => {
  expect(await list('?size=101')).toMatchObject({ status: 400, body: { code: 'PAGE_SIZE_TOO_LARGE' } })
})

test('another seller’s payment is 404 everywhere, as if absent', async () => {
  const theirs = pathFor(gateway.other.sellerId)
  const body = voucherPayment(foreignToken)
  const { body: made } = await gateway.call('POST', theirs, { ...foreign(), body })
  const answers = [
    await list('', foreign()),
    await gateway.call('POST', theirs, { body }),
    await gateway.call('GET', theirs),
    await gateway.call('GET', `${pathFor()}/${made.id}`),
    await gateway.call('GET', `${theirs}/${made.id}`),
    await gateway.call('POST', `${pathFor()}/${made.id}/cancel`),
    await gateway.call('GET', `${pathFor()}/4711`),
    await gateway.call('GET', `${pathFor()}/x`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  const paid = await pay({ card: { cardType: 'MEAL', cardBrand: 'VR', token: foreignToken } })
  expect(paid).toMatchObject({ status: 422, body: { code: 'CARD_TOKEN_UNUSABLE' } })
  expect((await list()).text).not.toContain(foreignToken)
})

test('reading and writing need their scopes', async () => {
  const reader = { token: (await gateway.tokenWith(['vouchers:read', 'orders:write'])).accessToken }
  const writer = { token: (await gateway.tokenWith(['vouchers:write', 'orders:read'])).accessToken }
  const answers = [
    await gateway.call('POST', pathFor(), { ...reader, body: voucherPayment(token) }),
    await gateway.call('POST', `${pathFor()}/1/cancel`, reader),
    await gateway.call('GET', `${pathFor()}/1`, writer),
    await list('', writer),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [403, 'SCOPE_MISSING']),
  )
})
