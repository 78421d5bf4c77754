import { card, cardToken, directCharge, voucherCard } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterEach(() => void (gateway.vault.time.faults = []))
afterAll(() => gateway.stop())

const send = (path: string, key: string, body: object, headers = {}) =>
  gateway.call('POST', path, { body, headers: { 'idempotency-key': key, ...headers } })
const CHARGE = '/api/v2/orders/credit-card/charge'
const sealed = directCharge({ cardToken: undefined, card: { encryptedCard: 'a JWE' } })

/** Makes the vault report this fault of a card from now on. */
function pass(code: string, pointer = '#/card/encryptedCard') {
  gateway.vault.time.faults = [{ pointer, code, detail: 'is too late' }]
}

const wallet = { ...card, notificationUrl: 'https://shop.example.com/hook' }
test.each([
  ['a charge of a card whose seal grew stale', CHARGE, sealed, 'UNDECRYPTABLE', '#/card/encryptedCard'],
  ['a charge of a card that expired', CHARGE, sealed, 'EXPIRED', '#/card/expiration'],
  [
    'a charge of a kept card whose CVV grew stale',
    CHARGE,
    directCharge({ cardToken: { ...cardToken, cvv: undefined, encryptedCvv: 'a JWE' } }),
    'UNDECRYPTABLE',
    '#/cardToken/encryptedCvv',
  ],
  ['a card token', '/api/v2/cards/tokens', card, 'EXPIRED', '#/expiration'],
  ['a voucher token', '/api/v2/sellers/1/vouchers/tokens', voucherCard, 'EXPIRED', '#/expires'],
  ['a network token', '/api/v2/cards/tokens/network', wallet, 'EXPIRED', '#/expiration'],
])(
  '%s: a repeat gets the kept answer, a new request gets the fault',
  async (name, path, body, code, pointer) => {
    const key = name.replaceAll(' ', '-')
    const first = await send(path, key, body)
    expect(first.status).toBeLessThan(300)
    pass(code, pointer)
    const again = await send(path, key, body)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    for (const other of [await send(path, `${key}-new`, body), await gateway.call('POST', path, { body })]) {
      expect([other.status, other.body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]])
    }
  },
)

test('a stale request with another body, on another route or of another seller is no repeat', async () => {
  await send(CHARGE, 'mine', sealed)
  pass('UNDECRYPTABLE')
  const others = [
    await send(CHARGE, 'mine', { ...sealed, amount: 1 }),
    await send('/api/v2/cards/tokens', 'mine', card),
    await send(CHARGE, 'mine', sealed, { authorization: `Bearer ${gateway.other.token}` }),
  ]
  expect(others.map(({ status }) => status)).toEqual([400, 400, 400])
})

test('a fault that time does not cause stays a fault, also for a repeat', async () => {
  await send(CHARGE, 'luhn', sealed)
  pass('LUHN', '#/card/cardNumber')
  expect(await send(CHARGE, 'luhn', sealed)).toMatchObject({ status: 400 })
})

test('a stale repeat of a request that is still running is 409', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => (finish = resolve))
  const hasBegun = new Promise<void>((begun) => {
    gateway.orders.hooks.before = () => (begun(), running)
  })
  const first = send(CHARGE, 'running', sealed)
  await hasBegun
  gateway.orders.hooks.before = async () => {}
  pass('UNDECRYPTABLE')
  const { status, body } = await send(CHARGE, 'running', sealed)
  expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
  finish()
  await first
})
