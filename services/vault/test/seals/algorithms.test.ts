import { callRpc } from '@cofre/platform/grpc/client'
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { card, startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
let jwk: JWK
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  jwk = JSON.parse((await callRpc(vault.gateway, vault.gateway.getEncryptionKey, {})).jwk)
})
afterAll(() => world.stop())

const EXPECTED =
  'cannot be decrypted: send a compact JWE of alg RSA-OAEP-256 and enc A256GCM, without zip, made with the key of GET /api/v2/cards/encryption-key'

async function encrypt(header: Record<string, string>, key = jwk): Promise<string> {
  const iat = Math.floor(world.clock.now() / 1_000)
  const all = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid, iat, ...header }
  return new CompactEncrypt(Buffer.from(JSON.stringify(card({ cvv: '987' }))))
    .setProtectedHeader(all)
    .encrypt(await importJWK(key, all.alg))
}

async function otherKey(): Promise<JWK> {
  return exportJWK((await generateKeyPair('RSA-OAEP-256', { extractable: true })).publicKey)
}

test.each([
  ['the key encryption RSA-OAEP', () => encrypt({ alg: 'RSA-OAEP' })],
  ['the content encryption A128GCM', () => encrypt({ enc: 'A128GCM' })],
  ['compression', () => encrypt({ zip: 'DEF' })],
  ['a key of another', async () => encrypt({}, await otherKey())],
  ['what is no JWE', async () => 'abc'],
])('with %s the fault names what is expected, and not the step that failed', async (_, seal) => {
  const { errors } = await vault.seal({ card: { encryptedCard: await seal() } })

  expect(errors).toEqual([{ pointer: '#/card/encryptedCard', code: 'UNDECRYPTABLE', detail: EXPECTED }])
})

test('with the expected algorithms the same card is opened', async () => {
  const { cards } = await vault.seal({ card: { encryptedCard: await encrypt({}) } })

  expect(cards).toMatchObject([{ usable: true, hasCvv: true }])
})
