import { callRpc } from '@cofre/platform/grpc/client'
import { card, startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
/** Another replica. */
let other: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  other = await world.startVault()
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.database.pool.query('TRUNCATE bins')
  for (const replica of [vault, other]) await replica.deps.bins.reload()
})

const put = (prefix: string, brand = 'ELO', by = vault) =>
  callRpc(by.admin, by.admin.putBin, { prefix, brand })
const remove = (prefix: string) => callRpc(vault.admin, vault.admin.removeBin, { prefix })
const list = async () => (await callRpc(vault.admin, vault.admin.listBins, {})).bins
/** Passes Luhn. The list of the program guesses Discover. */
const GUESSED = '6506000000000006'
const brandAt = async (replica: Vault, cardNumber = GUESSED) => {
  const { cards } = await replica.seal({ card: card({ cardNumber }) })
  return [cards[0]?.card?.brand, cards[0]?.card?.brandIsGuess ?? false]
}
/** Lets the time pass that a replica keeps the table. */
async function aSecondLater<T>(work: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance)
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_000)
  return work().finally(() => clock.mockRestore())
}

test('a prefix is put, listed and removed', async () => {
  const from = Date.now() - 60_000
  await put('650600')
  await put('36', 'DINERS')
  await put('36', 'AMEX')

  const rows = await list()
  expect(rows.map(({ prefix, brand }) => [prefix, brand])).toEqual([
    ['36', 'AMEX'],
    ['650600', 'ELO'],
  ])
  expect(rows[0]?.updatedAt).toBeGreaterThan(from)
  const gateway = await vault.clientAs('gateway')
  expect(await callRpc(gateway, gateway.listBins, {})).toEqual({ bins: rows })
  await remove('36')
  expect(await list()).toHaveLength(1)
})

test('a card has the brand of its prefix, at this replica at once and at every other within a second', async () => {
  expect(await brandAt(vault)).toEqual(['DISCOVER', true])
  expect(await brandAt(other)).toEqual(['DISCOVER', true])
  await put('650600')
  expect(await brandAt(vault)).toEqual(['ELO', false])
  expect(await aSecondLater(() => brandAt(other))).toEqual(['ELO', false])
  await remove('650600')
  expect(await brandAt(vault)).toEqual(['DISCOVER', true])
})

test('a number of no known brand can be stored once its prefix is put', async () => {
  const cardNumber = '9876540000000007'
  await expect(vault.storeNew(card({ cardNumber }))).rejects.toMatchObject({
    reason: 'CARD_BRAND_UNSUPPORTED',
  })
  await put('987654')
  expect((await vault.storeNew(card({ cardNumber }))).card).toMatchObject({ brand: 'ELO' })
})

test('a card that was stored before has the brand of its prefix too', async () => {
  const { token, card: first } = await vault.storeNew(card({ cardNumber: GUESSED }))
  expect(first).toMatchObject({ brand: 'DISCOVER', brandIsGuess: true })
  await put('6506')
  expect((await vault.describe({ token })).card).toMatchObject({ brand: 'ELO' })
  const { cards } = await vault.seal({ cardToken: { token } })
  expect(cards[0]?.card).toMatchObject({ brand: 'ELO' })
  expect(cards[0]?.card?.brandIsGuess).toBeUndefined()
})

test.each([
  ['one digit', '6', 'ELO', 'A prefix has 2 to 8 digits.'],
  ['nine digits', '650600001', 'ELO', 'A prefix has 2 to 8 digits.'],
  ['a letter', '65x', 'ELO', 'A prefix has 2 to 8 digits.'],
  ['an unknown brand', '6506', 'AURA', 'The brands are VISA, MASTERCARD, AMEX, ELO,'],
  ['no brand', '6506', '', 'The brands are'],
])('a prefix of %s is refused', async (_, prefix, brand, message) => {
  await expect(put(prefix, brand)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    message: expect.stringContaining(message),
  })
  expect(await list()).toEqual([])
})

test('a prefix that is put again stays, and one that is removed again is not found', async () => {
  await put('650600')
  await put('650600')
  expect(await list()).toHaveLength(1)
  await remove('650600')
  await expect(remove('650600')).rejects.toMatchObject({ kind: 'not_found' })
})

test('a prefix that two put at once has the brand of one of them, and two that remove it at once remove it once', async () => {
  await Promise.all([put('650600', 'ELO'), put('650600', 'JCB', other)])
  expect(await list()).toMatchObject([{ prefix: '650600', brand: expect.stringMatching(/^(ELO|JCB)$/) }])
  const removals = await Promise.allSettled([remove('650600'), remove('650600')])
  expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('of two prefixes that are put at once where one has room, one is refused', async () => {
  await world.database.pool.query(
    `INSERT INTO bins (prefix, brand) SELECT (10000 + n)::text, 'VISA' FROM generate_series(1, 999) AS n`,
  )
  const both = await Promise.allSettled([put('650600'), put('650601', 'ELO', other)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { reason: 'VALIDATION_FAILED', message: expect.stringContaining('1000 prefixes') },
  })
  await put('10001', 'ELO')
})

test('a card is taken with the last table when the rows cannot be read', async () => {
  await put('650600')
  expect(await brandAt(vault)).toEqual(['ELO', false])
  await world.database.pool.query('ALTER TABLE bins RENAME TO bins_away')
  try {
    expect(await aSecondLater(() => brandAt(vault))).toEqual(['ELO', false])
  } finally {
    await world.database.pool.query('ALTER TABLE bins_away RENAME TO bins')
  }
})
