import { callRpc } from '@cofre/platform/grpc/client'
import { AuthorizeOrderRequest, type Charge, type PaymentRequest } from '@cofre/proto/orders/v1/orders'
import { CardSource, SealedCard } from '@cofre/proto/vault/v1/vault'
import type { TestOrders } from './start-orders'

export const VISA = '4111111111111111'
export const DECLINED = '4111111111110002'
export const ALSO_GOOD = '4111111111114444'

/** A card as the vault seals it. In these tests its handle is its number. */
export function sealedCard(number: string, changes: Partial<SealedCard> = {}): SealedCard {
  return SealedCard.fromPartial({
    pointer: '#/payments/0/cardToken',
    handle: number,
    source: CardSource.CARD_TOKEN,
    usable: true,
    hasCvv: false,
    card: {
      bin: number.slice(0, 6),
      lastFour: number.slice(-4),
      brand: 'VISA',
      expirationYear: 2049,
      expirationMonth: 12,
      holderName: 'Ana Conceição de Souza',
    },
    ...changes,
  })
}

/** An order of 10000 on one card, or on the given `cards`: each card then pays 10000 / cards. */
export function order(
  sellerId: number,
  changes: Omit<Partial<AuthorizeOrderRequest>, 'payments'> & { cards?: (string | SealedCard)[] } = {},
): AuthorizeOrderRequest {
  const { cards = [VISA], amount = 10_000, ...rest } = changes
  return AuthorizeOrderRequest.fromPartial({
    sellerId,
    orderReference: 'A-1',
    amount,
    customer: { name: 'Ana Souza', document: '12345678909' },
    payments: cards.map((card) => ({
      amount: amount / cards.length,
      installments: 1,
      card: typeof card === 'string' ? sealedCard(card) : card,
    })),
    ...rest,
  })
}

/** The order with its payments changed. */
export function withPayment(
  request: AuthorizeOrderRequest,
  changes: Partial<PaymentRequest>,
): AuthorizeOrderRequest {
  return { ...request, payments: request.payments.map((payment) => ({ ...payment, ...changes })) }
}

export function authorize(
  { client }: Pick<TestOrders, 'client'>,
  request: AuthorizeOrderRequest,
): Promise<Charge> {
  return callRpc(client, client.authorizeOrder, request)
}

export function capture(
  { client }: Pick<TestOrders, 'client'>,
  charge: Charge,
  amount?: number,
): Promise<Charge> {
  return callRpc(client, client.captureCharge, { sellerId: charge.sellerId, chargeId: charge.id, amount })
}

export function refund(
  { client }: Pick<TestOrders, 'client'>,
  charge: Charge,
  amount?: number,
  reason?: string,
): Promise<Charge> {
  const { sellerId, id: chargeId } = charge
  return callRpc(client, client.refundCharge, { sellerId, chargeId, amount, reason })
}
