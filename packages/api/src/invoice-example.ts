/** An attempt to pay that an issuer has declined. */
const DECLINED = {
  id: 9,
  type: 'CREDIT_CARD',
  status: 'FAILED',
  amountInCents: 10_000,
  chargeId: 981,
  decline: {
    code: 'INSUFFICIENT_FUNDS',
    acquirerCode: '51',
    message: 'The card does not have enough limit or balance for this amount.',
    retryable: true,
    advice: 'TRY_LATER',
  },
  failure: null,
  authentication: null,
  givingBack: false,
  createdAt: 1_767_225_600_398,
} as const

/** An invoice that was finalized, as the reference shows it. */
export const INVOICE_EXAMPLE = {
  id: 77,
  status: 'CLOSED',
  invoiceNumber: '000001',
  customer: { id: 5, name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
  dueDate: 1_772_463_600_000,
  closeDate: 1_767_225_600_412,
  paymentDate: null,
  paymentLimitDate: null,
  pastDue: false,
  amountInCents: 10_000,
  fineInCents: 0,
  interestInCents: 0,
  discountInCents: 0,
  discountUntil: null,
  payableInCents: 10_000,
  paidInCents: 0,
  refundedInCents: 0,
  disputedInCents: 0,
  writtenOffInCents: 0,
  balanceInCents: 10_000,
  partialPayments: false,
  acceptedPaymentMethods: [
    {
      method: 'CREDIT_CARD',
      cardSettings: { maxInstallments: 12, feePassThrough: false, threeDSecure: false },
    },
    { method: 'BOLETO', boletoSettings: { daysAfterDueDate: 30, instructions: ['Não receber em cheque.'] } },
  ],
  splits: [{ recipientId: 12, amountInCents: 1_500, liable: false, chargeProcessingFee: false }],
  fine: { percentageBps: 200, startsAfterDays: 1 },
  interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
  discounts: [],
  notificationUrl: 'https://shop.example.com/hooks/invoices',
  successUrl: null,
  paymentUrl: 'https://pay.example.com/checkout/4fJz1Qm8Tn2bYw0c7Rk5Xg',
  recurringInvoiceId: null,
  cycle: null,
  paymentLinkProductId: null,
  warnings: [],
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_412,
  items: [
    {
      id: 1,
      productId: 1,
      description: 'Consultoria',
      quantity: 2,
      unitPriceInCents: 5_000,
      totalInCents: 10_000,
    },
  ],
  charge: {
    id: 31,
    invoiceId: 77,
    status: 'PENDING',
    amountInCents: 10_000,
    method: null,
    transactions: [DECLINED],
  },
  transactions: [DECLINED],
  automaticCharge: {
    status: 'WAITING',
    attempts: 1,
    nextAttemptAt: 1_772_697_600_000,
    reason: 'INSUFFICIENT_FUNDS',
    message:
      'The card does not have enough limit or balance for this amount. The card is charged on 2026-03-05.',
  },
} as const

const {
  items: _items,
  charge: _charge,
  transactions: _attempts,
  automaticCharge: _ours,
  ...entry
} = INVOICE_EXAMPLE

/** The same invoice, as an entry of a list. */
export const ENTRY_EXAMPLE = entry
