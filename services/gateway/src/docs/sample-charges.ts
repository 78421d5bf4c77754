import { chargeSchema, type ChargeJson } from '@cofre/api/charge'
import type { ChargeEventType } from '@cofre/api/events'

type Payment = ChargeJson['payments'][number]
type Transaction = ChargeJson['transactions'][number]

const [AUTHORIZED] = (chargeSchema.meta()?.examples ?? []) as [ChargeJson]
const [PAYMENT] = AUTHORIZED.payments as [Payment]
const [AUTHORIZATION] = AUTHORIZED.transactions as [Transaction]
const { amount: AMOUNT } = AUTHORIZED
const LATER = AUTHORIZATION.createdAt + 60_000
const UNANSWERED = { paymentId: null, tid: null, nsu: null, authorizationCode: null, returnCode: null }

const DECLINE = {
  code: 'INSUFFICIENT_FUNDS',
  acquirerCode: '51',
  message: 'The card does not have enough limit or balance for this amount.',
  retryable: true,
  advice: 'TRY_LATER',
} as const

/** States in which there is something to void or to refund. */
const HOLDS_MONEY: ReadonlySet<ChargeJson['status']> = new Set([
  'AUTHORIZED',
  'PARTIALLY_CAPTURED',
  'CAPTURED',
  'PARTIALLY_REFUNDED',
])

type Change = Partial<Omit<ChargeJson, 'payments'>> & { payment?: Partial<Payment> }

function changed({ payment, ...change }: Change): ChargeJson {
  const status = change.status ?? AUTHORIZED.status
  const { links } = AUTHORIZED
  const offered = {
    ...links,
    capture: status === 'AUTHORIZED' ? links.capture : null,
    refund: HOLDS_MONEY.has(status) ? links.refund : null,
  }
  return { ...AUTHORIZED, ...change, links: offered, payments: [{ ...PAYMENT, status, ...payment }] }
}

function operation(type: Transaction['type'], amount: number, more: Partial<Transaction> = {}): Transaction {
  return { ...AUTHORIZATION, type, amount, createdAt: LATER, ...more }
}

const CAPTURE = operation('CAPTURE', AMOUNT, { id: 2 })
const NOT_DONE = {
  code: 'NOT_DONE',
  message: 'The acquirer did not answer. Asked later, it had not done the operation.',
  acquirerCode: null,
}
const FAILED = { status: 'FAILED', failure: NOT_DONE } as const

/** An approved direct charge. */
export const CAPTURED = changed({
  status: 'CAPTURED',
  capturedAmount: AMOUNT,
  payment: { capturedAmount: AMOUNT },
  transactions: [AUTHORIZATION, CAPTURE],
})

/** An order with 60.00 captured. */
export const PARTIALLY_CAPTURED = changed({
  status: 'PARTIALLY_CAPTURED',
  capturedAmount: 6_000,
  payment: { capturedAmount: 6_000, installmentAmounts: [2_000, 2_000, 2_000] },
  transactions: [AUTHORIZATION, operation('CAPTURE', 6_000, { id: 2 })],
})

/** A charge with 25.00 refunded. */
export const PARTIALLY_REFUNDED = changed({
  status: 'PARTIALLY_REFUNDED',
  capturedAmount: AMOUNT,
  refundedAmount: 2_500,
  payment: { capturedAmount: AMOUNT, refundedAmount: 2_500 },
  transactions: [AUTHORIZATION, CAPTURE, operation('REFUND', 2_500, { id: 3, reason: 'one item returned' })],
})

const WAITING = changed({
  status: 'PENDING',
  authorizedAmount: 0,
  payment: {
    paymentMethod: 'PIX',
    installments: 1,
    installmentAmounts: [AMOUNT],
    card: null,
    pix: {
      txid: 'ORDERK3J9QZT5VXW8A7M2R1CH4NB6',
      endToEndId: null,
      copyAndPaste:
        '00020101021226700014br.gov.bcb.pix2548pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93b05204000053039865802BR5911Padaria Sol6009SAO PAULO62070503***6304A1B2',
      qrCodeUrl: 'https://pay.example.com/pix/orders/ORDERK3J9QZT5VXW8A7M2R1CH4NB6.svg',
      qrCodePngUrl: 'https://pay.example.com/pix/orders/ORDERK3J9QZT5VXW8A7M2R1CH4NB6.png',
      expiresAt: AUTHORIZATION.createdAt + 900_000,
      payer: null,
    },
    acquirer: { ...UNANSWERED, orderNumber: 'ORDERK3J9QZT5VXW8A7M2R1CH4NB6' },
  },
  transactions: [{ ...AUTHORIZATION, status: 'PENDING' }],
  pendingOperations: [
    { transactionId: 1, type: 'AUTHORIZATION', amount: AMOUNT, payment: 0, since: AUTHORIZATION.createdAt },
  ],
})

/** A Pix that nobody has paid yet. */
export const AWAITING_PIX: ChargeJson = {
  ...WAITING,
  links: { ...WAITING.links, cancel: `${WAITING.links.self}/cancel` },
}

/** The same, cancelled. */
export const PIX_EXPIRED: ChargeJson = {
  ...WAITING,
  status: 'EXPIRED',
  payments: WAITING.payments.map((payment) => ({ ...payment, status: 'EXPIRED' as const })),
  transactions: [
    {
      ...AUTHORIZATION,
      status: 'FAILED',
      failure: {
        code: 'CANCELLED',
        message: 'You cancelled the charge before it was paid. The bank takes no payment for it any more.',
        acquirerCode: null,
      },
    },
  ],
  pendingOperations: [],
}

/** A charge right after each of its events. */
export const CHARGE_SAMPLES: Readonly<Record<ChargeEventType, ChargeJson>> = {
  'charge.pending': changed({
    status: 'PENDING',
    authorizedAmount: 0,
    payment: { acquirer: { ...PAYMENT.acquirer, ...UNANSWERED } },
    transactions: [{ ...AUTHORIZATION, status: 'PENDING' }],
    pendingOperations: [
      { transactionId: 1, type: 'AUTHORIZATION', amount: AMOUNT, payment: 0, since: AUTHORIZATION.createdAt },
    ],
  }),
  'charge.authorized': AUTHORIZED,
  'charge.denied': changed({
    status: 'DENIED',
    authorizedAmount: 0,
    payment: {
      acquirer: { ...PAYMENT.acquirer, authorizationCode: null, returnCode: '51' },
      decline: DECLINE,
    },
    transactions: [
      {
        ...AUTHORIZATION,
        status: 'FAILED',
        failure: {
          code: 'DECLINED',
          message: 'The payment was declined: see its decline, or the attempt of this transaction.',
          acquirerCode: '51',
        },
      },
    ],
  }),
  'charge.captured': CAPTURED,
  'charge.refunded': changed({
    status: 'REFUNDED',
    capturedAmount: AMOUNT,
    refundedAmount: AMOUNT,
    payment: { capturedAmount: AMOUNT, refundedAmount: AMOUNT },
    transactions: [AUTHORIZATION, CAPTURE, operation('REFUND', AMOUNT, { id: 3 })],
  }),
  'charge.voided': changed({
    status: 'VOIDED',
    transactions: [AUTHORIZATION, operation('VOID', AMOUNT, { id: 2 })],
  }),
  'charge.expired': changed({
    status: 'EXPIRED',
    transactions: [AUTHORIZATION, operation('VOID', AMOUNT, { id: 2 })],
  }),
  'charge.failed': changed({
    status: 'FAILED',
    authorizedAmount: 0,
    payment: { acquirer: { ...PAYMENT.acquirer, ...UNANSWERED } },
    transactions: [
      {
        ...AUTHORIZATION,
        status: 'FAILED',
        failure: {
          code: 'NOT_SENT',
          message: 'The operation did not reach the acquirer. Nothing was done.',
          acquirerCode: null,
        },
      },
    ],
  }),
  'charge.capture_failed': changed({
    transactions: [AUTHORIZATION, { ...CAPTURE, ...FAILED }],
  }),
  'charge.refund_failed': {
    ...CAPTURED,
    transactions: [AUTHORIZATION, CAPTURE, operation('REFUND', 2_500, { id: 3, ...FAILED })],
  },
  'charge.void_failed': changed({
    transactions: [AUTHORIZATION, operation('VOID', AMOUNT, { id: 2, ...FAILED })],
  }),
  'charge.pix_returned': {
    ...CAPTURED,
    payments: PIX_EXPIRED.payments.map((payment) => ({
      ...payment,
      status: 'CAPTURED' as const,
      capturedAmount: AMOUNT,
      pix: payment.pix && { ...payment.pix, endToEndId: 'E9999900820260709121500f3a91c07b' },
    })),
    transactions: [
      AUTHORIZATION,
      operation('VOID', AMOUNT, { id: 2, endToEndId: 'E9999900820260709121603b7d41e92a' }),
    ],
  },
}
