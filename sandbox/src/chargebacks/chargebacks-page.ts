import { brazilTime } from '../acquirer/brazil-time'
import { mayBecome, type Status } from './chargeback'
import { current, paymentOf, type Chargebacks } from './chargebacks'

const SHOWN = 12

const KINDS: Record<Status, string> = {
  PENDING: 'waiting',
  REFUSED: 'waiting',
  ACCEPTED: 'declined',
  EXPIRED: 'declined',
  LOST: 'declined',
  WON: 'approved',
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns the data about chargebacks for the page. */
export function chargebacksView(chargebacks: Chargebacks) {
  const all = current(chargebacks, chargebacks.book.list())
  return {
    count: all.length,
    rows: all.slice(0, SHOWN).map((each) => ({
      id: each.idChargeback,
      time: brazilTime(each.receivedAt),
      order: paymentOf(chargebacks, each)?.sale.merchantOrderId ?? '',
      stage: each.stage,
      status: each.status,
      kind: KINDS[each.status],
      deadline: each.deadline,
      amount: reais.format(each.amount / 100),
      moves: (
        [
          ['win', 'WON'],
          ['lose', 'LOST'],
          ['expire', 'EXPIRED'],
        ] as const
      )
        .filter(([, status]) => mayBecome(each, status))
        .map(([name]) => name),
    })),
  }
}
