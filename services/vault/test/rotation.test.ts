import { withTransaction } from '@cofre/platform/postgres/postgres'
import { insertCard } from '../src/cards/card-store'
import { Pan } from '../src/cards/pan'
import { newStoredCard, revealCard } from '../src/cards/stored-number'
import { card, FIRST_KEK, SELLER, startWorld, voucher, type Vault, type World } from './support/vault'
import { answerWith, lastCall, lastForm, newToken, putClient, voucherCalls } from './support/vouchers'

// Keys are state of a whole vault: each test has a database and vaults of its own.
let world: World
let vault: Vault
/** Another replica: it learns of a rotation only when it finds a key gone. */
let other: Vault
beforeEach(async () => {
  world = await startWorld()
  vault = await world.startVault()
  other = await world.startVault()
})
afterEach(() => world.stop())

const NUMBER = '4111111111111111'

/** Stores cards: 450 fill more than two batches of a rotation. */
async function storeMany(count: number) {
  const one = { number: new Pan(NUMBER), holderName: 'ANA', expiration: { year: 2090, month: 1 } }
  await withTransaction(world.database.pool, async (tx) => {
    for (let i = 0; i < count; i++) {
      const token =
        i.toString(16).padStart(8, '0') +
        vault.deps.keys.current('card').id.replaceAll('-', '').padEnd(56, '0')
      await insertCard(tx, newStoredCard(vault.deps.keys, SELLER, token, one))
    }
  })
}

async function keysOf(purpose: string): Promise<{ id: string; retired: boolean }[]> {
  const { rows } = await world.database.pool.query(
    'SELECT id, retired_at IS NOT NULL AS retired FROM data_keys WHERE purpose = $1',
    [purpose],
  )
  return rows
}

async function expectEveryNumberReadable() {
  const { rows } = await world.database.pool.query('SELECT id FROM cards')
  for (const { id } of rows) {
    const revealed = await revealCard(vault.deps.pool, vault.deps.keys, SELLER, { id })
    expect(revealed?.number.reveal()).toBe(NUMBER)
  }
  return rows.length
}

test('a rotation seals every number again and destroys the old key', async () => {
  await storeMany(450)
  const before = await world.database.pool.query('SELECT id, sealed_number FROM cards ORDER BY id')
  const [oldKey] = await keysOf('card')
  const rotated = await vault.rotateDataKey()

  expect(rotated).toMatchObject({ dataKeyId: expect.any(String), cardsEncrypted: 450, keysDestroyed: 1 })
  expect(rotated.dataKeyId).not.toBe(oldKey?.id)
  expect(await keysOf('card')).toEqual([{ id: rotated.dataKeyId, retired: false }])
  const after = await world.database.pool.query('SELECT id, sealed_number FROM cards ORDER BY id')
  const same = after.rows.filter((row, index) => row.sealed_number.equals(before.rows[index].sealed_number))
  expect(same).toEqual([])
  expect(await expectEveryNumberReadable()).toBe(450)
})

test('a replica that knows only the destroyed key still stores and forwards', async () => {
  const { token } = await vault.storeNew(card())
  await vault.rotateDataKey()

  await expect(other.storeNew(card())).resolves.toMatchObject({ token: expect.any(String) })
  const { rows } = await world.database.pool.query('SELECT DISTINCT data_key_id AS id FROM cards')
  expect(rows).toEqual([{ id: (await keysOf('card'))[0]?.id }])
  await vault.rotateDataKey()
  const outcome = await other.forward(await other.handleOf({ cardToken: { token } }))
  expect(outcome.answer?.status).toBe(201)
})

test('a replica with few connections stores many cards at once from handles of an unknown key', async () => {
  const small = await world.startVault({ connections: 2 })
  await vault.rotateDataKey()
  const handles = await Promise.all(Array.from({ length: 8 }, () => vault.handleOf(card())))

  const stored = await Promise.all(handles.map((handle) => small.store(handle)))
  expect(new Set(stored.map(({ token }) => token)).size).toBe(8)
})

test('under load, on two replicas, no call fails and no number is lost', async () => {
  await storeMany(450)
  const { token } = await vault.storeNew(card())
  let rotating = true
  let calls = 0
  const keepCalling = async (replica: Vault) => {
    while (rotating) {
      const stored = await replica.storeNew(card())
      await replica.describe({ id: stored.id })
      const { answer } = await replica.forward(await replica.handleOf({ cardToken: { token, cvv: '123' } }))
      expect(answer?.status).toBe(201)
      calls += 1
    }
  }
  const load = [vault, other, vault, other].map(keepCalling)
  for (let i = 0; i < 3; i++) await vault.rotateDataKey()
  rotating = false
  await Promise.all(load)

  expect(calls).toBeGreaterThan(10)
  expect(await keysOf('card')).toHaveLength(1)
  expect(await expectEveryNumberReadable()).toBeGreaterThan(450 + calls)
})

describe('a voucher', () => {
  /** Keeps a voucher token with a card and one with a grant. `deaf`: a replica that hears of no rotation. */
  const keepBoth = async () => {
    await putClient(vault)
    const vouchers = await voucherCalls(vault)
    const [withCard, withGrant] = [newToken(), newToken()]
    await vouchers.keep(withCard, await vouchers.handleOf(voucher()))
    await vouchers.keepCode(withGrant, 'code')
    return { vouchers, deaf: await voucherCalls(other), withCard, withGrant }
  }
  const rest = async () => {
    const { rows } = await world.database.pool.query(
      `SELECT sealed_number AS sealed, data_key_id AS key FROM cards WHERE kind = 'voucher'
       UNION ALL SELECT sealed, data_key_id FROM grants`,
    )
    return rows as { sealed: Buffer; key: string }[]
  }

  test('and an identity provider’s grant outlive rotations, even on a replica that hears of none', async () => {
    const { vouchers, deaf, withCard, withGrant } = await keepBoth()
    const before = await rest()
    expect(await vault.rotateDataKey()).toMatchObject({ cardsEncrypted: 1, grantsEncrypted: 1 })
    const after = await rest()
    const [key] = await keysOf('card')
    expect(after.map((row) => row.key)).toEqual([key?.id, key?.id])
    expect(after.filter(({ sealed }) => before.some((row) => row.sealed.equals(sealed)))).toEqual([])

    answerWith(world, { access_token: 'access-1', refresh_token: 'refresh-1' })
    expect(await deaf.exchange(withGrant)).toMatchObject({ grantKept: true })
    expect(lastForm(world).code).toBe('code')
    await vault.rotateDataKey()
    for (const calls of [vouchers, deaf]) {
      answerWith(world, {})
      await calls.pay(withCard)
      expect(JSON.parse(lastCall(world).body).card.number).toBe('6370360000000001')
      await calls.payAsHolder(withGrant)
      expect(lastCall(world).headers.authorization).toBe('Bearer access-1')
      await calls.refresh(withGrant)
      expect(lastForm(world).refresh_token).toBe('refresh-1')
    }
  })
})

test('of two concurrent rotations, one completes and the other is refused as unavailable', async () => {
  await storeMany(450)
  const results = await Promise.allSettled([vault.rotateDataKey(), other.rotateDataKey()])

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { kind: 'unavailable' },
  })
  await vault.deps.keys.reload()
  await expectEveryNumberReadable()
})

test('a finished rotation holds no lock: the next one begins at once, on any replica', async () => {
  for (let i = 0; i < 5; i++) {
    await vault.rotateDataKey()
    await other.rotateDataKey()
    await other.rotateKeyEncryptionKey()
  }
  expect(await keysOf('card')).toHaveLength(1)
})

test('a handle outlives the rotation, and a later one destroys its key', async () => {
  const handle = await vault.handleOf(card())
  await vault.rotateDataKey()
  await expect(vault.store(handle)).resolves.toMatchObject({ token: expect.any(String) })

  await world.database.pool.query(`UPDATE data_keys SET retired_at = retired_at - interval '31 min'
    WHERE purpose = 'handle' AND retired_at IS NOT NULL`)
  const { keysDestroyed } = await vault.rotateDataKey()
  expect(keysDestroyed).toBeGreaterThan(1)
  await expect(vault.store(handle)).rejects.toMatchObject({ kind: 'invalid_argument' })
  expect(await keysOf('handle')).toHaveLength(2)
})

test('fingerprints stay the same through a rotation', async () => {
  const before = await vault.seal(card())
  await vault.rotateDataKey()

  expect((await vault.seal(card())).fingerprint).toEqual(before.fingerprint)
})

test('only cofrectl may rotate', async () => {
  const client = await vault.clientAs('gateway')
  const path = '/vault.v1.VaultAdmin/RotateDataKey'
  const call = new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      path,
      () => Buffer.alloc(0),
      (it) => it,
      {},
      (error, answer) => (error ? reject(error) : resolve(answer)),
    ),
  )
  await expect(call).rejects.toMatchObject({ code: 7 })
})

describe('the key-encryption key', () => {
  const wrappedBy = async (): Promise<string[]> => {
    const { rows } = await world.database.pool.query(
      'SELECT DISTINCT kek_id AS id FROM data_keys ORDER BY id',
    )
    return rows.map(({ id }) => id)
  }
  const SECOND_KEK = `kek-2:${Buffer.alloc(32, 2).toString('base64')}`

  test('is replaced under load: new key first, both known, rewrap, old one gone', async () => {
    const { token } = await vault.storeNew(card())
    const both = await world.startVault({ kek: `${SECOND_KEK}\n\n${FIRST_KEK}\n` })
    const { rows } = await world.database.pool.query('SELECT count(*) FROM data_keys')
    const results = await Promise.all([
      both.rotateKeyEncryptionKey(),
      ...Array.from({ length: 10 }, () => vault.storeNew(card())),
    ])

    expect(results[0]).toEqual({ keyEncryptionKeyId: 'kek-2', keysWrapped: rows[0].count })
    const onlyNew = await world.startVault({ kek: SECOND_KEK })
    const { answer } = await onlyNew.forward(await onlyNew.handleOf({ cardToken: { token } }))
    expect(answer?.status).toBe(201)
    expect((await both.rotateKeyEncryptionKey()).keysWrapped).toBe(rows[0].count)
  })

  test('is replaced without a restart: settings are read again, also when a replica meets the new key', async () => {
    const settings = { text: FIRST_KEK }
    const [one, replica] = [
      await world.startVault({ kek: settings }),
      await world.startVault({ kek: settings }),
    ]
    const { token } = await one.storeNew(card())
    settings.text = `${SECOND_KEK}\n${FIRST_KEK}`
    expect(await one.rotateKeyEncryptionKey()).toMatchObject({ keyEncryptionKeyId: 'kek-2' })

    await one.rotateDataKey()
    const { answer } = await replica.forward(await replica.handleOf({ cardToken: { token } }))
    expect(answer?.status).toBe(201)

    settings.text = SECOND_KEK
    expect(await one.rotateKeyEncryptionKey()).toMatchObject({ keyEncryptionKeyId: 'kek-2' })
  })

  test('that is new to a replica wraps the keys that this replica makes', async () => {
    const settings = { text: FIRST_KEK }
    const [one, replica] = [
      await world.startVault({ kek: settings }),
      await world.startVault({ kek: settings }),
    ]
    settings.text = `${SECOND_KEK}\n${FIRST_KEK}`
    await one.rotateKeyEncryptionKey()
    await replica.rotateDataKey()

    expect(await wrappedBy()).toEqual(['kek-2'])
  })

  test.each([
    ['that is still needed', SECOND_KEK, 'key-encryption key "kek-1" is not in the settings'],
    ['that is no key', `${FIRST_KEK}\nhunter2`, 'a key-encryption key is a line id:base64-of-32-bytes'],
  ])('%s: the rotation is refused, says why, and changes nothing', async (_, text, fault) => {
    const settings = { text: FIRST_KEK }
    const one = await world.startVault({ kek: settings })
    settings.text = text

    await expect(one.rotateKeyEncryptionKey()).rejects.toMatchObject({
      kind: 'failed_precondition',
      message: `Key-encryption keys: ${fault}.`,
    })
    expect(await wrappedBy()).toEqual(['kek-1'])
    await expect(one.storeNew(card())).resolves.toMatchObject({ token: expect.any(String) })
  })

  test('that is not in the settings is named at the start', async () => {
    const started = world.startVault({ kek: SECOND_KEK })
    await expect(started).rejects.toThrow('key-encryption key "kek-1" is not in the settings')
  })

  test('with the same id but other bytes opens nothing', async () => {
    const wrong = `kek-1:${Buffer.alloc(32, 3).toString('base64')}`
    await expect(world.startVault({ kek: wrong })).rejects.toThrow(/authenticate/)
  })
})
