import { runCall, newCall } from '@cofre/platform/grpc/call-context'
import { RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import { StoredCard } from '@cofre/proto/vault/v1/vault'
import { statementsIn } from '@cofre/testing/statements'
import { card, SELLER, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())
afterEach(() => (world.clock.now = Date.now))

const REFUSED = { kind: 'invalid_argument', reason: 'VALIDATION_FAILED' }

function withKey<T>(key: string, fingerprint: string, work: () => Promise<T>): Promise<T> {
  const idempotency = { key, method: 'POST', path: '/api/v2/cards/tokens', fingerprint }
  return runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency }, work)
}

describe('storing a card', () => {
  test('returns a token of 64 hexadecimal digits and the data that may be shown', async () => {
    const stored = await vault.storeNew(card({ cvv: '987' }))

    expect(stored).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      card: {
        bin: '411111',
        lastFour: '1111',
        brand: 'VISA',
        expirationYear: 2090,
        expirationMonth: 12,
        holderName: 'ANA SOUZA',
      },
      createdAt: expect.any(Number),
    })
    expect(Math.abs(stored.createdAt - Date.now())).toBeLessThan(60_000)
  })

  test('of no known brand is refused, and nothing is stored', async () => {
    const before = await countCards()
    const handle = await vault.handleOf(card({ cardNumber: '9000000000000001' }))
    await expect(vault.store(handle)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'CARD_BRAND_UNSUPPORTED',
      extra: { errors: [{ pointer: '#/cardNumber', code: 'CARD_BRAND_UNSUPPORTED' }] },
    })
    expect(await countCards()).toBe(before)
  })

  test('repeated under one key, answers the first card and stores one', async () => {
    const first = await vault.handleOf(card())
    const second = await vault.handleOf(card())
    const stored = await withKey('k-1', 'f', () => vault.store(first))
    const again = await withKey('k-1', 'f', () => vault.store(second))

    expect(again).toEqual(stored)
    await expect(withKey('k-1', 'other', () => vault.store(second))).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  test('raced under one key, stores one card', async () => {
    const handle = await vault.handleOf(card())
    const before = await countCards()
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => withKey('k-2', 'f', () => vault.store(handle))),
    )

    const ids = results.flatMap((it) => (it.status === 'fulfilled' ? [it.value.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(await countCards()).toBe(before + 1)
  })

  test('a call with a key finds only the use with its path, and learns whether it repeats that use', async () => {
    await withKey('k-5', 'f', async () => vault.store(await vault.handleOf(card())))
    const find = () => vault.findRequest('k-5')

    expect((await find()).isRepeated).toBe(false)
    expect((await withKey('k-5', 'f', find)).isRepeated).toBe(true)
    expect((await withKey('k-5', 'other', find)).isRepeated).toBe(false)
    const idempotency = { key: 'k-5', method: 'POST', path: '/elsewhere', fingerprint: 'f' }
    await expect(runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency }, find)).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    })
  })

  test('the mark of the key is found, with the answer', async () => {
    const stored = await withKey('k-3', 'f', async () => vault.store(await vault.handleOf(card())))
    const kept = await vault.findRequest('k-3')

    expect(kept.state).toBe(RequestState.DONE)
    expect(StoredCard.decode(kept.response)).toEqual(stored)
  })

  test('interrupted before the commit, leaves neither card nor mark', async () => {
    const handle = await vault.handleOf(card())
    const before = await countCards()
    await world.database.pool.query(
      `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
       CREATE TRIGGER cut AFTER UPDATE ON idempotency FOR EACH ROW EXECUTE FUNCTION cut()`,
    )
    const cut = withKey('k-4', 'f', () => vault.store(handle))
    await expect(cut).rejects.toMatchObject({ kind: 'unavailable' })
    await world.database.pool.query('DROP FUNCTION cut CASCADE')

    expect(await countCards()).toBe(before)
    await expect(withKey('k-4', 'f', () => vault.store(handle))).resolves.toMatchObject({
      id: expect.any(Number),
    })
    expect(await countCards()).toBe(before + 1)
  })

  test('without a key, is one statement; interrupted within it, leaves no card', async () => {
    const handle = await vault.handleOf(card())
    const statements = await statementsIn(() => vault.store(handle))
    const own = statements.filter(({ text }) => /^(BEGIN|COMMIT|INSERT INTO cards)/.test(text))
    expect(own.map(({ name }) => name)).toEqual(['insert-card'])

    const before = await countCards()
    await world.database.pool.query(
      `CREATE FUNCTION cut_card() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
       CREATE TRIGGER cut_card AFTER INSERT ON cards FOR EACH ROW EXECUTE FUNCTION cut_card()`,
    )
    await expect(vault.store(handle)).rejects.toMatchObject({ kind: 'unavailable' })
    await world.database.pool.query('DROP FUNCTION cut_card CASCADE')
    expect(await countCards()).toBe(before)
  })

  test('a stored card is not stored again', async () => {
    const { token } = await vault.storeNew(card())
    const handle = await vault.handleOf({ cardToken: { token } })

    await expect(vault.store(handle)).rejects.toMatchObject({ kind: 'failed_precondition' })
  })
})

describe('a handle', () => {
  test('is good for 15 minutes', async () => {
    const handle = await vault.handleOf(card())
    const sealedAt = Date.now()
    world.clock.now = () => sealedAt + 14 * 60_000
    await expect(vault.store(handle)).resolves.toMatchObject({ id: expect.any(Number) })
    world.clock.now = () => sealedAt + 15 * 60_000 + 1
    await expect(vault.store(handle)).rejects.toMatchObject(REFUSED)
  })

  test('is good for its seller only', async () => {
    const handle = await vault.handleOf(card())

    await expect(vault.store(handle, SELLER + 1)).rejects.toMatchObject(REFUSED)
  })

  test('is good only unaltered', async () => {
    const handle = await vault.handleOf(card())
    const [keyId, sealed = ''] = handle.split('.')
    const altered = Buffer.from(sealed, 'base64url')
    altered[20] = (altered[20] ?? 0) ^ 1
    const bad = [
      `${keyId}.${altered.toString('base64url')}`,
      `${'0'.repeat(36)}.${sealed}`,
      `${vault.deps.keys.current('card').id}.${sealed}`,
      sealed,
      '',
    ]

    for (const handle_ of bad) await expect(vault.store(handle_)).rejects.toMatchObject(REFUSED)
  })

  test('of one vault is opened by another over the same database', async () => {
    const other = await world.startVault()

    await expect(other.store(await vault.handleOf(card()))).resolves.toMatchObject({ id: expect.any(Number) })
  })
})

describe('a stored card', () => {
  test('is described by id and by token, to its seller alone', async () => {
    const stored = await vault.storeNew(card())

    expect(await vault.describe({ id: stored.id })).toEqual(stored)
    expect(await vault.describe({ token: stored.token })).toEqual(stored)
    for (const ref of [{ id: stored.id }, { token: stored.token }]) {
      await expect(vault.describe(ref, SELLER + 1)).rejects.toMatchObject({ kind: 'not_found' })
      await expect(vault.remove(ref, SELLER + 1)).rejects.toMatchObject({ kind: 'not_found' })
    }
    await expect(vault.describe({ id: 0 })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(vault.describe({ token: 'x' })).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('is deleted once: the number is gone, and so is the use of its token', async () => {
    const byId = await vault.storeNew(card())
    const byToken = await vault.storeNew(card())
    await vault.remove({ id: byId.id })
    await vault.remove({ token: byToken.token })

    await expect(vault.remove({ id: byId.id })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(vault.describe({ token: byToken.token })).rejects.toMatchObject({ kind: 'not_found' })
    const { cards } = await vault.seal({ cardToken: { token: byId.token } })
    expect(cards).toMatchObject([{ usable: false }])
    const { rows } = await world.database.pool.query('SELECT FROM cards WHERE id = ANY($1)', [
      [byId.id, byToken.id],
    ])
    expect(rows).toEqual([])
  })

  test('deleted by two at once, is deleted by one', async () => {
    const { id } = await vault.storeNew(card())
    const results = await Promise.allSettled([vault.remove({ id }), vault.remove({ id })])

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('stored twice, makes two rows that share only the data that may be shown', async () => {
    const ids = [(await vault.storeNew(card())).id, (await vault.storeNew(card())).id]
    const { rows } = await world.database.pool.query('SELECT * FROM cards WHERE id = ANY($1)', [ids])
    const [one, other] = rows.map((row) => Object.entries(row).map(([name, value]) => [name, String(value)]))
    const shared = one?.flatMap(([name, value], at) => (other?.[at]?.[1] === value ? [name] : []))

    expect(shared?.filter((name) => name !== 'created_at').sort()).toEqual(
      [
        'seller_id',
        'data_key_id',
        'bin',
        'last_four',
        'brand',
        'expiration_year',
        'expiration_month',
        'holder_name',
        'kind',
        'kept_until',
      ].sort(),
    )
  })

  test("does not open in another seller's row", async () => {
    const mine = await vault.storeNew(card())
    const theirs = await vault.storeNew(card({ cardNumber: '5555555555554444' }), SELLER + 1)
    await world.database.pool.query(
      'UPDATE cards SET sealed_number = (SELECT sealed_number FROM cards WHERE id = $2) WHERE id = $1',
      [mine.id, theirs.id],
    )
    const handle = await vault.handleOf({ cardToken: { token: mine.token } })

    await expect(vault.forward(handle)).rejects.toMatchObject({ code: 13 })
    expect(world.partner.received).toEqual([])
    await vault.remove({ id: mine.id })
  })
})

async function countCards(): Promise<number> {
  const { rows } = await world.database.pool.query('SELECT count(*) FROM cards')
  return rows[0].count
}
