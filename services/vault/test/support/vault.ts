import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callRpc } from '@cofre/platform/grpc/client'
import { openBoot } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import { createPool } from '@cofre/platform/postgres/postgres'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { CardKind, VaultAdminClient, VaultClient } from '@cofre/proto/vault/v1/vault'
import { openDeps } from '../../src/deps'
import { openKeyEncryption } from '../../src/keys/key-encryption'
import { partnersSetting } from '../../src/partners/partners'
import { vaultServices } from '../../src/server'
import { startPartner } from './partner'
import { partnerSettings } from './partner-settings'

export const SELLER = 9
export const FIRST_KEK = `kek-1:${Buffer.alloc(32, 1).toString('base64')}`

/** A world for one test file: database, certificates, a partner, and as many vaults over them as asked for. */
export async function startWorld() {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const { authority } = network
  const partner = await startPartner(await authority.issue('partner'))
  const dir = mkdtempSync(join(tmpdir(), 'vault-test-'))
  const caFile = join(dir, 'ca.pem')
  writeFileSync(caFile, authority.cert)
  const settings = partnersSetting.parse(JSON.stringify(partnerSettings(partner.url, caFile)))
  const logged: string[] = []
  const clock = { now: Date.now }

  /** `kek`: the keys of its settings, which may change. `connections`: the most that it may hold. */
  const startVault = async ({ kek = FIRST_KEK as string | { text: string }, connections = 10 } = {}) => {
    const pool = createPool({ url: database.url, max: connections, name: 'vault', ...PATIENT }, () => {})
    const log = createLog('vault', 'trace', { write: (line) => void logged.push(line) })
    const keyEncryption = openKeyEncryption(() => (typeof kek === 'string' ? kek : kek.text))
    const tls = await network.tlsFor('vault')
    network.onClose(() => pool.end())
    const { boot, close } = openBoot({ name: 'vault', log, pool, tls, rpcTimeoutMs: PATIENT.timeoutMs })
    const opened = await openDeps({ partners: settings, keyEncryption }, boot)
    const deps = { ...opened, now: () => clock.now() }
    network.onClose(close)
    const { address } = await network.serve('vault', vaultServices(deps))
    const clientAs = (name: string) => network.clientOf(VaultClient, address, name)
    const admin = await network.clientOf(VaultAdminClient, address, 'cofrectl')
    const marks = await network.clientOf(IdempotencyClient, address, 'gateway')
    const gateway = await clientAs('gateway')
    const orders = await clientAs('orders')
    const findRequest = (key: string) => callRpc(marks, marks.findRequest, { sellerId: SELLER, key })
    /** Keeps an account as it was kept before the partner's settings changed: PutAccount may refuse it today. */
    const keepUnchecked = ({ credentials, preference = null, ...key }: UncheckedAccount) =>
      deps.accounts.save(key, credentials, preference)
    const calls = callsOf(gateway, orders, admin)
    return { deps, pool, clientAs, gateway, orders, admin, findRequest, keepUnchecked, ...calls }
  }
  const stop = async () => {
    await network.close()
    await partner.stop()
    await database.drop()
    rmSync(dir, { recursive: true })
  }
  return { database, authority, partner, logged, clock, startVault, stop }
}

type UncheckedAccount = {
  sellerId: number
  partner: string
  name: string
  credentials: Record<string, string>
  preference?: number | null | undefined
}

export type World = Awaited<ReturnType<typeof startWorld>>
export type Vault = Awaited<ReturnType<World['startVault']>>

/** Short forms of the vault's calls. */
function callsOf(gateway: VaultClient, orders: VaultClient, admin: VaultAdminClient) {
  const seal = async (
    body: unknown,
    sellerId = SELLER,
    kind = CardKind.UNSPECIFIED,
    invoiceIds: string[] = [],
  ) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const sealed = await callRpc(gateway, gateway.sealCardData, { sellerId, body: bytes, kind, invoiceIds })
    return { ...sealed, json: JSON.parse(sealed.body.toString()) }
  }
  const handleOf = async (body: unknown, sellerId = SELLER, kind = CardKind.UNSPECIFIED) => {
    const { cards, errors } = await seal(body, sellerId, kind)
    if (!cards[0]?.handle) throw new Error(`no handle: ${JSON.stringify(errors)}`)
    return cards[0].handle
  }
  const store = (handle: string, sellerId = SELLER) =>
    callRpc(gateway, gateway.storeCard, { sellerId, handle })
  const forward = (handle: string, change: Partial<Parameters<VaultClient['forward']>[0]> = {}) =>
    callRpc(orders, orders.forward, {
      sellerId: SELLER,
      partner: 'acquirer',
      method: 'POST',
      path: '/1/sales',
      headers: { RequestId: 'r-1', 'X-Internal': 'secret' },
      body: Buffer.from(JSON.stringify(SALE)),
      handle,
      timeoutMs: 5_000,
      cardToken: '',
      networkToken: '',
      voucherToken: '',
      account: '',
      ...change,
    })
  return {
    seal,
    handleOf,
    store,
    storeNew: async (body: unknown, sellerId = SELLER) => store(await handleOf(body, sellerId), sellerId),
    describe: (ref: { id: number } | { token: string }, sellerId = SELLER) =>
      callRpc(gateway, gateway.describeCard, { sellerId, ...ref }),
    remove: (ref: { id: number } | { token: string }, sellerId = SELLER) =>
      callRpc(gateway, gateway.deleteCard, { sellerId, ...ref }),
    forward,
    rotateDataKey: () => callRpc(admin, admin.rotateDataKey, {}, { timeoutMs: 30_000 }),
    rotateKeyEncryptionKey: () => callRpc(admin, admin.rotateKeyEncryptionKey, {}),
  }
}

/** A card as the API takes it. */
export function card(change: Record<string, unknown> = {}) {
  return {
    cardNumber: '4111111111111111',
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    expiration: { year: 2090, month: 12 },
    ...change,
  }
}

/** A voucher as the API takes it: its check digit is wrong, as a voucher's may be. */
export function voucher(change: Record<string, unknown> = {}) {
  return {
    cardType: 'MEAL',
    cardBrand: 'VR',
    cardNumber: '6370360000000001',
    expires: { month: 12, year: 90 },
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    ...change,
  }
}

/** A sale with a network token's number and cryptogram. */
export const TOKEN_SALE = Buffer.from(
  JSON.stringify({
    Payment: {
      CreditCard: {
        CardNumber: '{{tokenNumber}}',
        ExpirationDate: '{{tokenExpiration:MM/YYYY}}',
        Cryptogram: '{{cryptogram}}',
        Holder: '{{holderName}}',
      },
    },
  }),
)

/** A sale as the orders service sends it. */
export const SALE = {
  MerchantOrderId: 'PED1',
  Payment: {
    Amount: 100,
    CreditCard: {
      CardNumber: '{{cardNumber}}',
      Holder: '{{holderName}}',
      ExpirationDate: '{{expiration:MM/YYYY}}',
      SecurityCode: '{{cvv}}',
    },
  },
}
