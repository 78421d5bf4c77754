import { brazilTime } from '../acquirer/brazil-time'
import { groupedNumber } from '../test-cards'
import { VOUCHER_CARDS, type VoucherCard, VR_WITHOUT_CHECK_DIGIT } from './voucher-cards'
import type { VoucherIssuers } from './voucher-issuers'
import type { VoucherPayment, VoucherStatus } from './voucher-payment'

const PAYMENTS_SHOWN = 12

const KINDS: Record<VoucherStatus, string> = {
  APPROVED: 'approved',
  DECLINED: 'declined',
  CANCELED: 'waiting',
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns the data about the voucher issuers for the page. */
export function voucherView({ book }: VoucherIssuers) {
  return {
    count: book.count,
    payments: book.newest(PAYMENTS_SHOWN).map(paymentRow),
    cards: VOUCHER_CARDS.map(cardRow),
    withoutCheckDigit: groupedNumber(VR_WITHOUT_CHECK_DIGIT),
  }
}

function paymentRow(payment: VoucherPayment) {
  const { brand, status, product, cardLastFour, orderNumber, returnCode } = payment
  return {
    time: brazilTime(payment.receivedAt),
    orderNumber,
    card: `${brand} ${cardLastFour}`,
    product: product.toLowerCase(),
    status: status.toLowerCase(),
    kind: KINDS[status],
    returnCode,
    amount: reais.format(payment.amount / 100),
  }
}

function cardRow({ alelo, vr, outcome }: VoucherCard) {
  const kind = outcome.startsWith('declined') ? 'declined' : outcome.includes('lost') ? 'lost' : 'approved'
  return { numbers: [alelo, vr].map(lastDigitApart), outcome, kind }
}

/** Splits off the last digit, which decides the outcome. */
function lastDigitApart(number: string) {
  const grouped = groupedNumber(number)
  return { start: grouped.slice(0, -1), lastDigit: grouped.slice(-1) }
}
