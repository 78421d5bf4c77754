import type { VoucherPaymentJson } from '@cofre/api/vouchers/voucher-payment'
import { thing } from '../desk/thing'
import { reais, time, word, type Badge } from '../words/value'
import { ADVICE } from '../words/charge-words'

const STATUSES: Record<VoucherPaymentJson['status'], Badge> = {
  PENDING: { text: 'Pending', mood: 'waiting' },
  PAID: { text: 'Settled', mood: 'good' },
  DENIED: { text: 'Denied', mood: 'bad' },
  CANCELED: { text: 'Undone', mood: 'quiet' },
}

const cardOf = ({ card }: VoucherPaymentJson) => `${card.cardBrand} •••• ${card.lastFour}`

export const vouchers = thing<VoucherPaymentJson, VoucherPaymentJson>({
  name: 'vouchers',
  many: 'Vouchers',
  none: 'No voucher has paid yet.',
  list: 'listVoucherPayments',
  read: 'getVoucherPayment',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(STATUSES).map(([name, { text }]) => [name, text]),
    },
    { name: 'referenceId', label: 'Reference', kind: 'text' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  searched: ['referenceId'],
  columns: [
    { name: 'Date', of: ({ createdAt }) => time(createdAt) },
    { name: 'Voucher payment', of: ({ id }) => String(id), leads: true },
    { name: 'Reference', of: ({ referenceId }) => referenceId },
    { name: 'Card', of: cardOf },
    { name: 'Status', of: ({ status }) => ({ badge: STATUSES[status] }) },
    { name: 'Amount', of: ({ amount }) => reais(amount), number: true },
  ],
  heading: ({ id }) => word('Voucher payment {id}', { id: String(id) }),
  page: (payment) => ({
    badge: payment.cancellationPending
      ? { text: 'Being cancelled', mood: 'waiting' }
      : STATUSES[payment.status],
    total: reais(payment.amount),
    blocks: [
      {
        ...(payment.decline && {
          alert: {
            title: payment.decline.message,
            ...(payment.decline.issuerCode !== null && { code: payment.decline.issuerCode }),
            text: word(ADVICE[payment.decline.advice as keyof typeof ADVICE]),
          },
        }),
        facts: [
          ['Card', cardOf(payment)],
          ['Reference', payment.referenceId],
          ['Authorization code', payment.authorizationCode],
          ['Order number', payment.orderNumber],
          ['Cancellation failed', time(payment.cancelFailedAt)],
          ['Created', time(payment.createdAt)],
          ['Last change', time(payment.updatedAt)],
        ],
      },
    ],
  }),
  actions: [
    {
      operation: 'cancelVoucherPayment',
      name: 'cancel',
      label: 'Cancel the payment',
      danger: true,
      applies: ({ status, cancellationPending }) => status === 'PAID' && !cancellationPending,
      says: ({ amount }) =>
        word('{sum} goes back to the voucher. That is possible on the day of the payment only.', {
          sum: reais(amount),
        }),
      done: 'The cancellation was sent to the issuer.',
    },
  ],
})
