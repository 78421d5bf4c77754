import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { createLog } from '@cofre/platform/telemetry/log'
import { openPartner } from '@cofre/platform/outbound/partner-call'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, eventually, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NetworkTokensClient, NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { CardSource, VaultClient, type SealedCard } from '@cofre/proto/vault/v1/vault'
import { openAccounts } from '../../src/token-service/accounts'
import { openTokenService } from '../../src/token-service/acquirer-token-service'
import type { Deps, Rules } from '../../src/deps'
import { openNumbers } from '../../src/token/numbers'
import { networkTokenServices } from '../../src/server'
import { startResolver } from '../../src/sweepers/resolver'
import { Webhook } from 'standardwebhooks'
import { SmallTokenService } from './small-token-service'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const URL_OF_SELLER = 'https://shop.example/hooks'

const RULES: Rules = {
  tokenServiceSecret: SECRET,
  // Longer than our own work takes on a busy machine, so that every call has time to arrive.
  tokenServiceTimeoutMs: 10_000,
  resolveConcurrency: 32,
  resolveEveryMs: 10,
  resolveFirstMs: 20,
  resolveMaxMs: 50,
  absenceGraceMs: 50,
  pendingMaxMs: 300_000,
  declinesPerMinute: 10,
  watchEveryMs: 20_000,
  ownMs: 5_000,
  holdEveryMs: 2_000,
}

export type TestTokens = Awaited<ReturnType<typeof startNetworkTokens>>

/** The service with a real database, and a vault and a token service over real connections. */
export async function startNetworkTokens(rules: Partial<Rules> = {}) {
  const lines: string[] = []
  const log = createLog('network-token', 'info', { write: (line) => void lines.push(line) })
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const network = await openTestNetwork()
  const { authority } = network
  const service = new SmallTokenService(await authority.issue('token-service'))
  await service.start()
  const partner = openPartner(service.url, { ca: authority.cert })
  const vaultBehind = createVault({ partner })
  const { kept, accounts } = vaultBehind
  const { enabled } = accounts
  network.onClose(() => partner.close())
  const vaultServer = await network.serve('vault', vaultBehind.services(log))

  /** Another replica of the service on the same database; its rules may differ. */
  const startReplica = async (
    pool: Pool = createPool({ url: database.url, max: 10, name: 'network-token', ...PATIENT }, () => {}),
    ownRules: Partial<Rules> = {},
  ) => {
    network.onClose(() => (pool.ended ? undefined : pool.end()))
    const vault = await network.clientOf(VaultClient, vaultServer.address, 'network-token')
    const deps: Deps = {
      pool,
      log,
      accounts: openAccounts(vault),
      numbers: openNumbers(vault),
      tokenService: openTokenService(vault, 'https://pay.example/partners/token-service/events'),
      rules: { ...RULES, ...rules, ...ownRules },
    }
    const resolver = startResolver(deps)
    network.onClose(() => resolver.stop())
    const { address } = await network.serve('network-token', networkTokenServices({ ...deps, resolver }))
    const clientAs = (name: string) => network.clientOf(NetworkTokensClient, address, name)
    const client = await clientAs('gateway')
    return { deps, client, orders: await clientAs('orders'), clientAs, address, resolver }
  }

  const main = await startReplica()
  const marks = await network.clientOf(IdempotencyClient, main.address, 'gateway')
  const stop = async () => {
    service.release()
    await network.close()
    await service.stop()
    await database.drop()
  }
  /** A seller whose establishment is enabled for network tokens. */
  const newSeller = () => {
    const sellerId = 1 + randomBytes(4).readUInt32BE()
    enabled.set(sellerId, randomUUID())
    return sellerId
  }
  const pool = database.pool
  return {
    ...main,
    marks,
    pool,
    url: database.url,
    service,
    kept,
    lines,
    enabled,
    newSeller,
    startReplica,
    stop,
  }
}

let cards = 0
/** A card that no other test of the file uses; its last four digits identify it. */
export function newCard(change: Partial<SealedCard> = {}): SealedCard & { lastFour: string } {
  const lastFour = String((cards += 1)).padStart(4, '0')
  const card = {
    bin: '411111',
    lastFour,
    brand: 'VISA',
    expirationYear: 2049,
    expirationMonth: 12,
    holderName: 'ANA SOUZA',
  }
  const handle = `411111000000${lastFour}/987`
  const sealed = { pointer: '#', handle, source: CardSource.CARD, card, usable: true, hasCvv: true }
  return { ...sealed, ...change, lastFour }
}

export function request(
  { client }: Pick<TestTokens, 'client'>,
  sellerId: number,
  card: SealedCard = newCard(),
  cardToken = '',
) {
  const notificationUrl = URL_OF_SELLER
  return callRpc(client, client.requestToken, { sellerId, card, notificationUrl, cardToken })
}

export function get({ client }: Pick<TestTokens, 'client'>, key: { sellerId: number; token: string }) {
  return callRpc(client, client.getToken, { sellerId: key.sellerId, token: key.token })
}

/** Pushes a change, as the token service does. */
export function push(
  { client }: Pick<TestTokens, 'client'>,
  reference: string,
  secret = SECRET,
  sign = true,
) {
  const body = JSON.stringify({ id: randomUUID(), reference, status: 'SUSPENDED', occurredAt: Date.now() })
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': sign ? new Webhook(secret).sign('msg_1', at, body) : 'v1,AAAA',
  }
  return callRpc(client, client.takePush, { body: Buffer.from(body), headers })
}

/** Waits until the token has this status, and returns it. */
export function until(
  tokens: Pick<TestTokens, 'client'>,
  key: { sellerId: number; token: string },
  status: NetworkTokenStatus,
) {
  return eventually(async () => {
    const token = await get(tokens, key)
    expect(token.status).toBe(status)
    return token
  })
}

/** An ACTIVE token with a card of its own. */
export async function activeToken(tokens: TestTokens, sellerId = tokens.newSeller(), cardToken = '') {
  const card = newCard()
  const { token } = await request(tokens, sellerId, card, cardToken)
  const issued = await eventually(() => tokens.service.tokenOf(card.lastFour))
  issued.status = 'ACTIVE'
  await until(tokens, { sellerId, token }, NetworkTokenStatus.ACTIVE)
  return { sellerId, token, issued, card }
}

/** Runs a call as the gateway does for a request with an Idempotency-Key. */
export function withKey<T>(key: string, work: () => Promise<T>, body = 'body'): Promise<T> {
  const idempotency: IdempotencyKey = { key, method: 'POST', path: '/tokens', fingerprint: body }
  return runCall({ ...newCall({ timeoutMs: 20_000 }), idempotency }, work)
}

/** The events published about a token, in their order. */
export async function eventsOf({ pool }: Pick<TestTokens, 'pool'>, token: string) {
  const { rows } = await pool.query('SELECT type, value FROM outbox WHERE key = $1 ORDER BY id', [token])
  return rows.map((row) => ({ type: row.type as string, ...JSON.parse(row.value) }))
}
