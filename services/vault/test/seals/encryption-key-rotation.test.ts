import { callRpc } from '@cofre/platform/grpc/client'
import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { card, startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

const OPEN = card({ cvv: '987' })

const rotate = (by = vault) =>
  // A busy machine takes a while to make a pair.
  callRpc(by.admin, by.admin.rotateEncryptionKey, {}, { timeoutMs: 120_000 })
const publicJwk = async (by = vault) =>
  JSON.parse((await callRpc(by.gateway, by.gateway.getEncryptionKey, {})).jwk)
const errorsOf = async (by: typeof vault, jwe: string) => (await by.seal({ encryptedCard: jwe })).errors
/** Seals to a key; the header names the key only when `kid` is given. */
const sealTo = async (key: JWK, kid?: string) =>
  new CompactEncrypt(Buffer.from(JSON.stringify(OPEN)))
    .setProtectedHeader({
      alg: 'RSA-OAEP-256',
      enc: 'A256GCM',
      iat: Math.floor(Date.now() / 1_000),
      ...(kid ? { kid } : {}),
    })
    .encrypt(await importJWK(key, 'RSA-OAEP-256'))

test('a new pair is published at once, and every replica opens seals to both pairs, named or not', async () => {
  const other = await world.startVault()
  const old = await publicJwk()
  const { kid } = await rotate()
  const made = await publicJwk()
  expect([made.kid, made.n === old.n]).toEqual([kid, false])
  for (const replica of [vault, other]) {
    for (const key of [old, made]) {
      expect(await errorsOf(replica, await sealTo(key))).toEqual([])
      expect(await errorsOf(replica, await sealTo(key, key.kid))).toEqual([])
    }
  }
  expect(await publicJwk(other)).toEqual(made)
})

test('cards sealed to a new pair that reach another replica at once are all opened', async () => {
  const other = await world.startVault()
  await rotate()
  const made = await publicJwk()
  const seals = await Promise.all(Array.from({ length: 10 }, () => sealTo(made, made.kid)))
  const errors = await Promise.all(seals.map((jwe) => errorsOf(other, jwe)))
  expect(errors.flat()).toEqual([])
})

test('the old pair opens for a day and is then destroyed', async () => {
  const old = await publicJwk()
  await rotate()
  const age = (interval: string) =>
    vault.deps.pool.query(
      `UPDATE data_keys SET retired_at = now() - $1::interval WHERE purpose = 'jwe' AND retired_at IS NOT NULL`,
      [interval],
    )
  await age('23 hours')
  expect((await rotate()).keysDestroyed).toBe(0)
  expect(await errorsOf(vault, await sealTo(old, old.kid))).toEqual([])
  await age('25 hours')
  expect((await rotate()).keysDestroyed).toBeGreaterThan(0)
  expect(await errorsOf(vault, await sealTo(old, old.kid))).toMatchObject([{ code: 'UNDECRYPTABLE' }])
})

test('raced rotations leave one current pair', async () => {
  const answers = await Promise.allSettled([rotate(), rotate(), rotate()])
  const done = answers.filter(({ status }) => status === 'fulfilled')
  expect(done.length).toBeGreaterThan(0)
  const { rows } = await vault.deps.pool.query(
    `SELECT 1 FROM data_keys WHERE purpose = 'jwe' AND retired_at IS NULL`,
  )
  expect(rows).toHaveLength(1)
})

test('a rotation is refused after ten of them within a day', async () => {
  const untilRefused = async () => {
    for (let nth = 0; nth < 12; nth++) await rotate()
  }
  await expect(untilRefused()).rejects.toMatchObject({ kind: 'unavailable' })
  const made = await publicJwk()
  expect(await errorsOf(vault, await sealTo(made))).toEqual([])
})
