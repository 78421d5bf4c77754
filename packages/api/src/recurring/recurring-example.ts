/** A recurring invoice, as the reference shows it. */
export const RECURRING_EXAMPLE = {
  id: 12,
  status: 'ACTIVE',
  kind: 'RECURRING',
  customerId: 5,
  customerDocument: '12345678909',
  customerName: 'Ana Souza',
  amountInCents: 9_900,
  billingFrequency: 'MONTHLY',
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  orderReference: 'PLAN-77',
  daysUntilDue: 5,
  billingCycleStartDate: 1_801_364_400_000,
  isBillingCycleStartDateOverridden: false,
  nextCycleDate: 1_803_783_600_000,
  nextCycleDueDate: 1_804_215_600_000,
  cyclesBilled: 1,
  chargesByBooklet: null,
  cardId: null,
  onPaymentFailure: 'PAST_DUE',
  cardPaysFineAndInterest: false,
  language: 'pt-BR',
  partialPayments: false,
  acceptedPaymentMethods: [
    {
      method: 'CREDIT_CARD',
      cardSettings: { maxInstallments: 12, feePassThrough: false, threeDSecure: false },
    },
    { method: 'BOLETO', boletoSettings: { instructions: [] } },
  ],
  splits: [],
  fine: { percentageBps: 200, startsAfterDays: 1 },
  interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
  discounts: [{ daysBeforeDueDate: 10, percentage: 5 }],
  notificationUrl: 'https://shop.example.com/hooks/invoices',
  warnings: [],
  createdAt: 1_801_360_800_000,
  updatedAt: 1_801_364_400_000,
  recurringItems: [{ id: 1, productId: 1, description: 'Consultoria', quantity: 1, unitPriceInCents: 9_900 }],
  extraItems: [
    { id: 2, productId: 2, description: 'Instalação', quantity: 1, unitPriceInCents: 5_000, cycle: 1 },
  ],
  recurringItem: null,
} as const

const { recurringItems: _items, extraItems: _extra, recurringItem: _one, ...entry } = RECURRING_EXAMPLE

/** The same recurring invoice, as an entry of a list. */
export const RECURRING_ENTRY_EXAMPLE = entry
