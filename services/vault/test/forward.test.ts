import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { eventually } from '@cofre/testing/testing'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { card, SALE, SELLER, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

beforeEach(() => world.partner.forget())

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body))
describe('a call', () => {
  test('carries the card where the settings allow it, and only the listed headers', async () => {
    const handle = await vault.handleOf(card({ cvv: '987' }))
    const { outcome, answer } = await vault.forward(handle)

    expect({ outcome, status: answer?.status }).toEqual({ outcome: Outcome.ANSWERED, status: 201 })
    const [call] = world.partner.received
    expect(call).toMatchObject({ method: 'POST', path: '/1/sales' })
    expect(call?.headers).toMatchObject({ requestid: 'r-1', 'content-type': 'application/json' })
    expect(call?.headers).not.toHaveProperty('x-internal')
    expect(JSON.parse(call?.body ?? '')).toEqual({
      MerchantOrderId: 'PED1',
      Payment: {
        Amount: 100,
        CreditCard: {
          CardNumber: '4111111111111111',
          Holder: 'ANA SOUZA',
          ExpirationDate: '12/2090',
          SecurityCode: '987',
        },
      },
    })
  })

  test('with a stored card carries the CVV given for this one call, and none when none was given', async () => {
    const { token } = await vault.storeNew(card({ cvv: '111' }))
    await vault.forward(await vault.handleOf({ cardToken: { token, cvv: '222' } }))
    await vault.forward(await vault.handleOf({ cardToken: { token } }))

    const sent = world.partner.received.map(({ body }) => JSON.parse(body).Payment.CreditCard)
    expect(sent[0]).toMatchObject({ CardNumber: '4111111111111111', SecurityCode: '222' })
    expect(sent[1]).toEqual({
      CardNumber: '4111111111111111',
      Holder: 'ANA SOUZA',
      ExpirationDate: '12/2090',
    })
  })

  test('with the token of a stored card alone carries that card, until it is deleted', async () => {
    const { token } = await vault.storeNew(card({ cvv: '111' }))
    const foreign = await vault.storeNew(card(), SELLER + 1)
    await vault.forward('', { cardToken: token })
    await vault.remove({ token })

    const [call] = world.partner.received
    expect(JSON.parse(call?.body ?? '').Payment.CreditCard).toEqual({
      CardNumber: '4111111111111111',
      Holder: 'ANA SOUZA',
      ExpirationDate: '12/2090',
    })
    for (const cardToken of [token, foreign.token, 'undefined']) {
      const refused = { kind: 'failed_precondition', reason: 'CARD_TOKEN_UNUSABLE' }
      await expect(vault.forward('', { cardToken })).rejects.toMatchObject(refused)
    }
    expect(world.partner.received).toHaveLength(1)
  })

  test('goes to a path below that of the partner’s address', async () => {
    await vault.forward(await vault.handleOf(card()), { partner: 'prefixed' })

    expect(world.partner.received).toMatchObject([{ path: '/voucher-issuer/1/sales' }])
  })

  test('can be repeated: the handle is not used up', async () => {
    const handle = await vault.handleOf(card())
    const outcomes = await Promise.all([vault.forward(handle), vault.forward(handle)])

    expect(outcomes.map(({ outcome }) => outcome)).toEqual([Outcome.ANSWERED, Outcome.ANSWERED])
  })

  test('is filled with values: a text with quotes injects nothing', async () => {
    const handle = await vault.handleOf(card({ holder: { name: 'A","Amount":1,"x":"' } }))
    const body = { ...SALE, list: [null, ['{{number}}', [1]], 'x{{cardNumber}}'] }
    await vault.forward(handle, { body: bytes(body) })

    const sent = JSON.parse(world.partner.received[0]?.body ?? '')
    expect(sent.Payment).toMatchObject({ Amount: 100, CreditCard: { Holder: 'A","Amount":1,"x":"' } })
    expect(sent.list).toEqual(body.list)
  })
})

test.each([
  ['a card number where none is allowed', { Customer: { Name: '{{cardNumber}}' } }],
  ['a CVV in the place of the number', { CardNumber: '{{cvv}}' }],
])('%s is not filled in: the text stays as it is', async (_, body) => {
  const handle = await vault.handleOf(card({ cvv: '987' }))
  await vault.forward(handle, { body: bytes(body) })

  expect(JSON.parse(world.partner.received[0]?.body ?? '')).toEqual(body)
})

describe('nothing is sent', () => {
  test.each([
    ['to a partner that is not set up', { partner: 'evil' }],
    ['to a host named in the path', { path: '//evil.example/1/sales' }],
    ['to a path that is not listed', { path: '/1/sales/../card' }],
    ['to a listed path with a query', { path: '/1/sales?x=1' }],
    ['with another method', { method: 'PUT' }],
  ])('%s', async (_, change) => {
    const handle = await vault.handleOf(card({ cvv: '987' }))

    await expect(vault.forward(handle, change)).rejects.toMatchObject({ kind: 'permission_denied' })
    expect(world.partner.received).toEqual([])
  })

  test.each([
    ['with a body that is not an object', { body: bytes(['{{cardNumber}}']) }],
    ['with a body that is not JSON', { body: Buffer.from('{') }],
    ['with a header that breaks the line', { headers: { RequestId: 'a\r\nx: y' } }],
    ['without time', { timeoutMs: 0 }],
    ['with a handle of another seller', { sellerId: SELLER + 1 }],
    ['with what is no handle', { handle: 'x' }],
  ])('%s', async (_, change) => {
    const handle = await vault.handleOf(card())

    await expect(vault.forward(handle, change)).rejects.toMatchObject({ kind: 'invalid_argument' })
    expect(world.partner.received).toEqual([])
  })

  test('with a place for a card but no card named: a newer caller may name it in an unknown way', async () => {
    await expect(vault.forward('')).rejects.toMatchObject({ kind: 'invalid_argument' })
    expect(world.partner.received).toEqual([])
  })

  test('with a card that was deleted meanwhile', async () => {
    const { id, token } = await vault.storeNew(card())
    const handle = await vault.handleOf({ cardToken: { token } })
    await vault.remove({ id })

    await expect(vault.forward(handle)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'CARD_TOKEN_UNUSABLE',
    })
    expect(world.partner.received).toEqual([])
  })

  test('when the partner is not reached, and the answer says so', async () => {
    const outcome = await vault.forward(await vault.handleOf(card()), { partner: 'closed' })

    expect(outcome).toMatchObject({ outcome: Outcome.NOT_SENT, answer: undefined, reason: 'ECONNREFUSED' })
  })
})

test('nothing is sent when the database is lost before the number is known, and the answer says so', async () => {
  const cut = await world.startVault()
  const { token } = await cut.storeNew(card())
  const handle = await cut.handleOf({ cardToken: { token } })
  await world.database.pool.query(
    `ALTER TABLE cards RENAME TO cards_away;
     CREATE VIEW cards AS SELECT * FROM cards_away WHERE pg_terminate_backend(pg_backend_pid())`,
  )
  expect(await cut.forward(handle)).toMatchObject({ outcome: Outcome.NOT_SENT, answer: undefined })
  await world.database.pool.query('DROP VIEW cards; ALTER TABLE cards_away RENAME TO cards')

  expect(world.partner.received).toEqual([])
  expect(await cut.forward(handle)).toMatchObject({ outcome: Outcome.ANSWERED })
})

describe('the outcome is unknown for a call', () => {
  test('whose answer was cut off', async () => {
    world.partner.respond = (response) => void response.socket?.destroy()

    expect(await vault.forward(await vault.handleOf(card()))).toMatchObject({ outcome: Outcome.UNKNOWN })
    expect(world.partner.received).toHaveLength(1)
  })

  test('that the partner did not answer in time', async () => {
    world.partner.respond = () => {}
    const outcome = await vault.forward(await vault.handleOf(card()), { timeoutMs: 2_000 })

    expect(outcome).toMatchObject({ outcome: Outcome.UNKNOWN, reason: expect.any(String) })
  })

  test('that the partner did not answer within the deadline of the caller', async () => {
    world.partner.respond = () => {}
    const handle = await vault.handleOf(card())
    // On a busy machine the deadline may pass before the call leaves or the answer is back. Then it tries again.
    await eventually(async () => {
      const call = newCall({ timeoutMs: 2_000 })
      const outcome = await runCall(call, () => vault.forward(handle, { timeoutMs: 60_000 }))
      expect(outcome).toMatchObject({ outcome: Outcome.UNKNOWN })
    })
    await eventually(() => expect(world.partner.received).not.toEqual([]))
  })
})

test.each([
  [500, 'partner gave no clear answer'],
  [503, 'partner gave no clear answer'],
  [401, 'partner refused a call'],
  [403, 'partner refused a call'],
])('an answer %i is a warning', async (status, message) => {
  world.partner.respond = (response) => void response.writeHead(status).end()
  await vault.forward(await vault.handleOf(card()))

  const lines = world.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
  expect(lines.at(-1)).toMatchObject({ level: 40, sellerId: SELLER, partner: 'acquirer', status })
})

test('a decline and a good answer log no warning', async () => {
  world.logged.length = 0
  for (const status of [201, 400]) {
    world.partner.respond = (response) => void response.writeHead(status).end()
    await vault.forward(await vault.handleOf(card()))
  }
  expect(world.logged.map((line) => JSON.parse(line)).filter(({ level }) => level > 30)).toEqual([])
})

test('a call is logged with ids and outcome', async () => {
  await vault.forward(await vault.handleOf(card()))

  const line = world.logged.findLast((it) => it.includes('partner called'))
  expect(JSON.parse(line ?? '')).toMatchObject({
    sellerId: SELLER,
    partner: 'acquirer',
    route: 'POST /1/sales',
    outcome: 'answered',
    status: 201,
    ms: expect.any(Number),
  })
})
