import { randomBytes } from 'node:crypto'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { eventually } from '@cofre/testing/testing'
import { startSweepers } from '../../src/sweepers/sweepers'
import { card, SELLER, startWorld, type Vault, type World } from '../support/vault'

const HALF_A_MINUTE = 30_000

let world: World
let vault: Vault
let sweepers: Loop[]
let newKey: string

beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  const owner = await vault.clientAs('network-token')
  const networkToken = randomBytes(32).toString('hex')
  const keep = { sellerId: SELLER, handle: await vault.handleOf(card()), networkToken }
  await callRpc(owner, owner.keepNetworkToken, keep)
  const idempotency = { key: 'old', method: 'POST', path: '/cards', fingerprint: 'f' }
  await runCall({ ...newCall({ timeoutMs: 20_000 }), idempotency }, () => vault.storeNew(card()))
  const other = await world.startVault()
  newKey = (await other.rotateDataKey()).dataKeyId
  await callRpc(other.admin, other.admin.rotateEncryptionKey, {})
  const { pool } = world.database
  await pool.query(
    "UPDATE data_keys SET retired_at = now() - interval '30 days' WHERE retired_at IS NOT NULL",
  )
  await pool.query("UPDATE cards SET kept_until = now() - interval '1 hour' WHERE kept_until IS NOT NULL")
  await pool.query("UPDATE idempotency SET created_at = now() - interval '8 days'")
  sweepers = startSweepers(vault.deps)
})
afterAll(async () => {
  await Promise.all(sweepers.map((each) => each.stop()))
  await world.stop()
})

const found = async (sql: string) => (await world.database.pool.query(sql)).rowCount

test.each<[string, () => Promise<void>]>([
  [
    'a card that nobody used is destroyed',
    async () => expect(await found("SELECT FROM cards WHERE kind = 'token_card'")).toBe(0),
  ],
  ['an old request is forgotten', async () => expect(await found('SELECT FROM idempotency')).toBe(0)],
  [
    'an encryption key that was replaced long ago is destroyed',
    async () => {
      const retired = "SELECT FROM data_keys WHERE purpose = 'jwe' AND retired_at IS NOT NULL"
      expect(await found(retired)).toBe(0)
    },
  ],
  [
    'a rotation by another process is known',
    async () => expect(vault.deps.keys.current('card').id).toBe(newKey),
  ],
])('once the sweepers are started, %s', (_, check) => eventually(check, HALF_A_MINUTE))
