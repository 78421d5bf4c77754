import { callRpc, streamRpc } from '@cofre/platform/grpc/client'
import { Outcome, type ForwardFileHead } from '@cofre/proto/vault/v1/vault'
import type { Pair } from '@cofre/testing/certificates'
import { randomBytes } from 'node:crypto'
import type { Vault, World } from './vault'

export const CLIENT_SECRET = 'canary-secret/with+what=forms&escape'
export const newSeller = () => 1 + randomBytes(4).readUInt32BE()

/** Keeps an account with a client certificate. */
export function putOauthAccount(
  { admin }: Vault,
  sellerId: number,
  pair: Pair,
  { partner = 'disputes', name = 'shop', clientSecret = CLIENT_SECRET } = {},
) {
  const credentials = { clientId: 'cofre', clientSecret, certificate: pair.cert, privateKey: pair.key }
  return callRpc(admin, admin.putAccount, { sellerId, partner, name, credentials, preference: 0 })
}

/**
 * Plays a partner that gives tokens `canary-token-1`, `canary-token-2` and admits only the newest, once `admits` says
 * so. `asked`: how many were asked for.
 */
export function giveTokens(world: World, { expiresIn = 300 as number | string, tokenStatus = 200 } = {}) {
  const given = {
    asked: 0,
    expiresIn,
    tokenStatus,
    admits: (_token: string) => true,
    answer: { status: 200, body: '{"ok":true}' },
  }
  world.partner.forget()
  world.partner.respond = (response) => {
    const call = world.partner.received.at(-1)
    const isToken = call?.path === '/oauth/token'
    if (isToken) given.asked += 1
    const token = {
      access_token: `canary-token-${given.asked}`,
      token_type: 'Bearer',
      expires_in: given.expiresIn,
    }
    const isAdmitted = given.admits(call?.headers.authorization?.replace('Bearer ', '') ?? '')
    const [status, body] = isToken
      ? [given.tokenStatus, JSON.stringify(token)]
      : isAdmitted
        ? [given.answer.status, given.answer.body]
        : [401, '{"fault":"token"}']
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }
  return given
}

/** The calls that reached the partner's API, and not its token endpoint. */
export const apiCalls = ({ partner }: World) => partner.received.filter(({ path }) => path !== '/oauth/token')

/** Asks for a case at the partner. */
export const askCase = (
  vault: Vault,
  sellerId: number,
  change: Partial<Parameters<Vault['forward']>[1]> = {},
) =>
  vault.forward('', {
    sellerId,
    partner: 'disputes',
    method: 'GET',
    path: '/cases/7',
    body: Buffer.alloc(0),
    ...change,
  })

/** Sends a file to the partner. */
export function sendFile(
  { orders }: Vault,
  sellerId: number,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  change: Partial<ForwardFileHead> = {},
) {
  const head: ForwardFileHead = {
    sellerId,
    partner: 'disputes',
    method: 'PUT',
    path: '/refuse',
    fields: Buffer.from(JSON.stringify({ idCase: '77', reason: 'Entregue "ontem"' })),
    fileName: '77.pdf',
    contentType: 'application/pdf',
    timeoutMs: 5_000,
    account: '',
    ...change,
  }
  async function* messages() {
    yield { head }
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      yield { chunk }
    }
    yield { size }
  }
  return streamRpc(orders, orders.forwardFile, messages(), { timeoutMs: 10_000 })
}

export const OUTCOME = { answered: { outcome: Outcome.ANSWERED }, notSent: { outcome: Outcome.NOT_SENT } }
