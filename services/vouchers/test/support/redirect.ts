import { callRpc } from '@cofre/platform/grpc/client'
import {
  CreatePaymentRequest,
  RedirectOutcome,
  VoucherCardType,
  type VoucherPayment,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { TokenKey } from '../../src/tokens/token-store'
import { newSeller, type TestVouchers } from './start-vouchers'
import { pay } from './vouchers'

type Vouchers = Pick<TestVouchers, 'client' | 'accounts' | 'issuer' | 'pool'>

/** A request for a redirect of a seller. */
export function redirectOf(sellerId: number) {
  const notificationUrl = 'https://seller.example/hook'
  return {
    sellerId,
    brandSegment: 'ticket',
    cardType: VoucherCardType.MEAL,
    notificationUrl,
    cardReference: '',
  }
}

/** A redirect whose holder agreed and is about to come back. */
export async function redirected(vouchers: Vouchers) {
  const sellerId = newSeller(vouchers)
  const { authUrl } = await callRpc(vouchers.client, vouchers.client.beginRedirect, redirectOf(sellerId))
  const state = new URL(authUrl).searchParams.get('state') ?? ''
  const { rows } = await vouchers.pool.query('SELECT token FROM voucher_tokens WHERE seller_id = $1', [
    sellerId,
  ])
  const key: TokenKey = { sellerId, token: rows[0].token }
  return { key, back: { state, code: vouchers.issuer.provider.authorize(authUrl) } }
}

/** Brings the browser back, and returns the outcome that it is shown. */
export async function finish(
  { client }: Vouchers,
  back: { state: string; code: string; iss?: string },
): Promise<string | undefined> {
  const request = { brandSegment: 'ticket', error: '', iss: '', ...back }
  const { outcome } = await callRpc(client, client.finishRedirect, request)
  return Object.entries(RedirectOutcome).find(([, value]) => value === outcome)?.[0]
}

/** An ACTIVE token of a holder who agreed. `accessEndsIn`: the life of its access token, milliseconds. */
export async function authorized(vouchers: Vouchers, accessEndsIn = 300_000): Promise<TokenKey> {
  const { key, back } = await redirected(vouchers)
  await finish(vouchers, back)
  await vouchers.pool.query('UPDATE voucher_tokens SET access_expires_at = $2 WHERE token = $1', [
    key.token,
    new Date(Date.now() + accessEndsIn),
  ])
  return key
}

/** Pays 35.00 with a token by redirect. */
export function payWith(vouchers: Vouchers, key: TokenKey): Promise<VoucherPayment> {
  const customer = { document: '12345678909', name: 'Ana Souza' }
  const what = { ...key, amount: 3_500, cardType: VoucherCardType.MEAL, cardBrand: 'TICKET', customer }
  return pay(vouchers, CreatePaymentRequest.fromPartial(what))
}

/** Status, reason and phase of a token as they are now; undefined when it is deleted. */
export async function stateOf({ pool }: Vouchers, { token }: TokenKey) {
  const { rows } = await pool.query('SELECT status, reason, phase FROM voucher_tokens WHERE token = $1', [
    token,
  ])
  return rows[0]
}

/** Counts the notes by which the data of a token is to be destroyed. */
export async function notesOf({ pool }: Vouchers, { token }: TokenKey): Promise<number> {
  const { rows } = await pool.query('SELECT FROM discarded_vouchers WHERE token = $1', [token])
  return rows.length
}
