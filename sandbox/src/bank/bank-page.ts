import { brazilTime } from '../acquirer/brazil-time'
import type { Bank } from './bank'
import { statusOf, type SlipStatus } from './slip'

const SLIPS_SHOWN = 12

const WORDS: Record<SlipStatus, { status: string; kind: string }> = {
  REGISTRADO: { status: 'registered', kind: 'waiting' },
  LIQUIDADO: { status: 'paid', kind: 'approved' },
  BAIXADO: { status: 'cancelled', kind: 'declined' },
  VENCIDO: { status: 'expired', kind: 'declined' },
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns the data about the bank for the page. */
export function bankView({ book }: Bank) {
  const at = Date.now()
  return {
    count: book.count,
    slips: book.newest(SLIPS_SHOWN).map((slip) => ({
      ...WORDS[statusOf(slip, at)],
      time: brazilTime(slip.registeredAt),
      line: slip.line,
      dueDate: slip.dueDate,
      amount: reais.format(slip.amount / 100),
      paid: slip.receipts.map(({ amount }) => reais.format(amount / 100)).join(' + '),
    })),
  }
}
