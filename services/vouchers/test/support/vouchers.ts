import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { SealedCard, CardSource } from '@cofre/proto/vault/v1/vault'
import {
  CreatePaymentRequest,
  CreateTokenRequest,
  VoucherCardType,
  type VoucherPayment,
  type VoucherToken,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { TestVouchers } from './start-vouchers'

type Vouchers = Pick<TestVouchers, 'client'>
export type Brand = 'ALELO' | 'VR'

/** A good card of each brand, and one that its issuer declines. */
export const CARDS: Record<Brand, string> = { ALELO: '5067111422223333', VR: '6370361122223333' }
export const DECLINED: Record<Brand, string> = { ALELO: '5067111122220002', VR: '6370361122220002' }

/** A card as the vault seals it; in these tests its handle is its number. */
export function sealedCard(number: string, changes: Partial<SealedCard> = {}): SealedCard {
  return SealedCard.fromPartial({
    pointer: '#',
    handle: number,
    source: CardSource.CARD,
    usable: true,
    numberLength: number.length,
    card: { bin: number.slice(0, 6), lastFour: number.slice(-4), expirationYear: 2049, expirationMonth: 12 },
    ...changes,
  })
}

/** A request for a token of a meal card. */
export function tokenOf(sellerId: number, brand: Brand, changes: Partial<CreateTokenRequest> = {}) {
  return CreateTokenRequest.fromPartial({
    sellerId,
    cardType: VoucherCardType.MEAL,
    cardBrand: brand,
    card: sealedCard(CARDS[brand]),
    holderDocument: '12345678909',
    ...changes,
  })
}

/** A request to pay 35.00 with a token. */
export function paymentWith(
  { sellerId, token, cardType, cardBrand }: VoucherToken,
  changes: Partial<CreatePaymentRequest> = {},
): CreatePaymentRequest {
  const customer = { document: '12345678909', name: 'Ana Souza' }
  const payment = { sellerId, amount: 3_500, referenceId: 'R-1', cardType, cardBrand, token, customer }
  return CreatePaymentRequest.fromPartial({ ...payment, ...changes })
}

export function createToken({ client }: Vouchers, request: CreateTokenRequest): Promise<VoucherToken> {
  return callRpc(client, client.createToken, request)
}

/** Makes a token of a seller, with the brand's good card or with `number`. */
export function newToken(
  vouchers: Vouchers,
  sellerId: number,
  brand: Brand = 'ALELO',
  number = CARDS[brand],
): Promise<VoucherToken> {
  return createToken(vouchers, tokenOf(sellerId, brand, { card: sealedCard(number) }))
}

export function pay({ client }: Vouchers, request: CreatePaymentRequest): Promise<VoucherPayment> {
  return callRpc(client, client.createPayment, request)
}

export function payAgain(
  { client }: Vouchers,
  request: CreatePaymentRequest,
): Promise<Replayable<VoucherPayment>> {
  return callRepeatable(client, client.createPayment, request)
}

export function cancel({ client }: Vouchers, { sellerId, id }: VoucherPayment): Promise<VoucherPayment> {
  return callRpc(client, client.cancelPayment, { sellerId, paymentId: id })
}

/** The payment as it is now. */
export function get(
  { client }: Vouchers,
  { sellerId, id }: Pick<VoucherPayment, 'sellerId' | 'id'>,
): Promise<VoucherPayment> {
  return callRpc(client, client.getPayment, { sellerId, paymentId: id })
}

/** Runs a call as the gateway does for a request with an Idempotency-Key. */
export function withKey<T>(key: string, work: () => Promise<T>, body = 'body'): Promise<T> {
  const idempotency: IdempotencyKey = { key, method: 'POST', path: '/vouchers/payments', fingerprint: body }
  return runCall({ ...newCall({ timeoutMs: 20_000 }), idempotency }, work)
}
