import { randomBytes } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { CardKind, type VaultClient } from '@cofre/proto/vault/v1/vault'
import { SELLER, type Vault, type World } from './vault'

type Change = Partial<Parameters<VaultClient['forward']>[0]>

export const newToken = () => randomBytes(32).toString('hex')
export const jsonBytes = (body: unknown) => Buffer.from(JSON.stringify(body))

/** A payment as the issuer of a card number takes it. */
export const PAYMENT = jsonBytes({
  amount: 3500,
  card: {
    number: '{{cardNumber}}',
    holder: '{{holderName}}',
    expiration: '{{expiration:MM/YYYY}}',
    validity: '{{expiration:YYYYMM}}',
    securityCode: '{{cvv}}',
  },
})

/** A test may hold a call open until others have caught up, even on a busy machine. */
const PATIENT = { timeoutMs: 60_000 }

const CALL = {
  sellerId: SELLER,
  partner: 'issuer',
  account: '',
  method: 'POST',
  path: '/v1/payments',
  headers: {},
  body: PAYMENT,
  handle: '',
  cardToken: '',
  networkToken: '',
  voucherToken: '',
  ...PATIENT,
}

/** Short forms of the calls of the vouchers service. */
export async function voucherCalls(vault: Vault) {
  const client = await vault.clientAs('vouchers')
  const call = (change: Change) => callRpc(client, client.forward, { ...CALL, ...change }, PATIENT)
  const token = (voucherToken: string, body: object, change: Change = {}) =>
    call({ partner: 'identity', path: '/connect/token', voucherToken, body: jsonBytes(body), ...change })
  return {
    client,
    handleOf: (body: unknown) => vault.handleOf(body, SELLER, CardKind.VOUCHER),
    keep: (voucherToken: string, handle: string, sellerId = SELLER) =>
      callRpc(client, client.keepVoucher, { sellerId, handle, voucherToken }, PATIENT),
    keepCode: (voucherToken: string, code: string, sellerId = SELLER) =>
      callRpc(client, client.keepAuthorizationCode, { sellerId, voucherToken, code }, PATIENT),
    destroy: (voucherToken: string, sellerId = SELLER) =>
      callRpc(client, client.destroyVoucher, { sellerId, voucherToken }, PATIENT),
    pay: (voucherToken: string, change: Change = {}) => call({ voucherToken, ...change }),
    exchange: (voucherToken: string, change: Change = {}) =>
      token(
        voucherToken,
        { grant_type: 'authorization_code', client_id: 'shop', code: '{{authorizationCode}}' },
        change,
      ),
    refresh: (voucherToken: string, change: Change = {}) =>
      token(
        voucherToken,
        { grant_type: 'refresh_token', client_id: 'shop', refresh_token: '{{refreshToken}}' },
        change,
      ),
    /** Pays with the access token of the voucher token. */
    payAsHolder: (voucherToken: string, change: Change = {}) =>
      call({
        partner: 'signed-in',
        path: '/v2/transactions',
        body: jsonBytes({ amount: 1 }),
        voucherToken,
        ...change,
      }),
  }
}

export type VoucherCalls = Awaited<ReturnType<typeof voucherCalls>>

/** Sets the answer that the partner gives from this moment on. */
export function answerWith({ partner }: World, body: unknown, status = 200): void {
  partner.respond = (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

export function lastCall({ partner }: World) {
  const call = partner.received.at(-1)
  if (!call) throw new Error('the partner was not called')
  return call
}

/** The last form that the partner was sent. */
export function lastForm(world: World): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(lastCall(world).body))
}

/** The secret of every client at the identity provider. */
export const CLIENT_SECRET = 'client-secret-of-the-shop'
const ID_TOKEN = 'eyJhbGciOiJSUzI1NiJ9.123456789012.c2lnbmF0dXJl'

/** A client of the identity provider: the seller's account there. */
export async function putClient({ admin }: Vault): Promise<void> {
  const account = { sellerId: SELLER, partner: 'identity', name: 'shop', preference: 1 }
  await callRpc(admin, admin.putAccount, { ...account, credentials: { clientSecret: CLIENT_SECRET } })
}

/** The answer of the identity provider. */
export function given(accessToken: string, refreshToken?: string) {
  return {
    access_token: accessToken,
    ...(refreshToken ? { refresh_token: refreshToken } : {}),
    id_token: ID_TOKEN,
    expires_in: 300,
  }
}

export function bodyOf({ answer }: { answer?: { body: Buffer } | undefined }) {
  return JSON.parse(answer?.body.toString() ?? 'null')
}
