import { dayOf } from '@cofre/platform/calendar-day'
import type { Item, WholeInvoice } from '../../src/invoice/rules/invoice'
import { lateDayOf } from '../../src/invoice/rules/lateness'
import { ALL_METHODS } from '../../src/methods/methods'
import type { LetterFacts } from '../../src/letters/letter'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'

/** Noon in São Paulo. */
export const noon = (day: string) => Date.parse(`${day}T15:00:00Z`)

export const item = (description: string, quantity = 1, unitPrice = 100): Item => ({
  id: 1,
  productId: 1,
  description,
  quantity,
  unitPrice,
})

/** R$ 1.234,56, due on Tuesday 10 March 2026, with the customary fine and interest. */
export function invoiceWith(changes: Partial<WholeInvoice> = {}): WholeInvoice {
  const dueDate = changes.dueDate ?? noon('2026-03-10')
  return {
    id: 77,
    sellerId: 9,
    publicId: '4fJz1Qm8Tn2bYw0c7Rk5Xg',
    status: 'CLOSED',
    invoiceNumber: '000077',
    customer: { id: 5, name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
    dueDate,
    lateFrom: null,
    lateOn: lateDayOf(dayOf(dueDate)),
    closeDate: noon('2026-03-01'),
    paymentDate: null,
    paymentLimitDate: null,
    pastDueNotified: false,
    amount: 123_456,
    paidAmount: 0,
    refundedAmount: 0,
    disputedAmount: 0,
    writtenOffAmount: 0,
    open: { principal: changes.amount ?? 123_456, fine: 0, interest: 0, countedTo: null },
    partialPayments: false,
    acceptedMethods: ALL_METHODS,
    splits: [],
    fine: { amountInCents: null, percentageBps: 200, startsAfterDays: 1 },
    interest: { dailyAmountInCents: null, monthlyPercentageBps: 100, startsAfterDays: 1 },
    discounts: [],
    notificationUrl: null,
    transactions: [],
    successUrl: null,
    recurringInvoiceId: null,
    cycle: null,
    paymentLinkProductId: null,
    softDescriptor: null,
    affiliateId: null,
    sellerName: null,
    automaticCharge: null,
    sequence: 2,
    createdAt: noon('2026-03-01'),
    updatedAt: noon('2026-03-01'),
    items: [item('Consultoria', 2, 50_000), item('Caneca esmaltada', 1, 23_456)],
    charge: null,
    ...changes,
  }
}

/** An invoice that was issued on 1 March 2026. */
export function factsWith(changes: Partial<LetterFacts> = {}): LetterFacts {
  return {
    kind: 'ISSUED',
    language: 'pt-BR',
    invoice: invoiceWith(),
    theme: DEFAULT_THEME,
    sellerName: 'Padaria Sol',
    contact: null,
    paymentUrl: 'https://pay.example.com/checkout/4fJz1Qm8Tn2bYw0c7Rk5Xg',
    waiting: 0,
    slip: undefined,
    pix: undefined,
    cards: undefined,
    payments: [],
    attempted: 0,
    refund: null,
    pagesUrl: 'https://pay.example.com/checkout/',
    booklet: undefined,
    at: noon('2026-03-01'),
    ...changes,
  }
}

/** Paid late, with late charges. */
export const PAID = invoiceWith({
  status: 'PAID',
  paymentDate: noon('2026-03-12'),
  paidAmount: 126_007,
})
