import {
  ChargeAction,
  ChargeStatus,
  DeclineAdvice,
  Transaction,
  TransactionStatus,
  TransactionType,
  type Charge,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'

export const CREATED_AT = Date.parse('2026-03-05T17:05:09Z')

/** An authorized and captured charge of R$ 1.234,56 in three instalments. */
export function captured(charge: Partial<Charge> & Pick<Charge, 'id' | 'sellerId'>): Charge {
  return {
    orderReference: 'A-1',
    status: ChargeStatus.CAPTURED,
    amount: 123_456,
    authorizedAmount: 123_456,
    capturedAmount: 123_456,
    refundedAmount: 0,
    disputedAmount: 0,
    payments: [
      {
        amount: 123_456,
        installments: 3,
        installmentAmounts: [41_152, 41_152, 41_152],
        status: ChargeStatus.CAPTURED,
        card: {
          bin: '411111',
          lastFour: '1111',
          brand: 'VISA',
          expirationYear: 2049,
          expirationMonth: 12,
          holderName: 'ANA SOUZA',
        },
        source: CardSource.CARD_TOKEN,
        pix: undefined,
        acquirer: {
          paymentId: '24bc8366-fc31-4d6c-8555-17049a836a07',
          tid: '1006993069207C5D1A3A',
          nsu: '674532',
          authorizationCode: '123456',
          returnCode: '4',
          eci: '',
          orderNumber: 'c0ffee0123456789',
        },
        authentication: undefined,
        decline: undefined,
        capturedAmount: 123_456,
        refundedAmount: 0,
      },
    ],
    metadata: { cart: '77', weight: 2.5 },
    transactions: [
      transaction(1, TransactionType.AUTHORIZATION, CREATED_AT + 400),
      transaction(2, TransactionType.CAPTURE, CREATED_AT + 60_000),
    ],
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT + 60_000,
    allowedActions: [ChargeAction.REFUND, ChargeAction.METADATA],
    ...charge,
  }
}

/** The same, declined by the issuer for lack of funds. */
export function denied(charge: Partial<Charge> & Pick<Charge, 'id' | 'sellerId'>): Charge {
  const sample = captured(charge)
  const [payment] = sample.payments
  if (!payment) throw new Error('the sample has a payment')
  return {
    ...sample,
    status: ChargeStatus.DENIED,
    authorizedAmount: 0,
    capturedAmount: 0,
    payments: [
      {
        ...payment,
        status: ChargeStatus.DENIED,
        decline: {
          code: 'INSUFFICIENT_FUNDS',
          acquirerCode: '51',
          message: 'Insufficient funds',
          retryable: true,
          advice: DeclineAdvice.TRY_LATER,
          adviceCode: '',
        },
      },
    ],
    transactions: [
      { ...transaction(1, TransactionType.AUTHORIZATION, CREATED_AT), status: TransactionStatus.FAILED },
    ],
    ...charge,
  }
}

function transaction(id: number, type: TransactionType, createdAt: number) {
  const status = TransactionStatus.SUCCEEDED
  return Transaction.fromPartial({ id, type, status, amount: 123_456, createdAt })
}
