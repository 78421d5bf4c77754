import { dayNumber, dayPlus, lastDayWithoutCharges, openDaysBetween } from '../../bank/bank-calendar'
import type { CobVTerms } from './charge-request'
import { hundredthsOf } from '../money-text'

/** What a payer pays on a day and what it consists of, cents. */
export type Due = {
  original: number
  abatimento: number
  desconto: number
  multa: number
  juros: number
  total: number
}

type Value = CobVTerms['valor']

/** Over how many days the percentage of an interest modality is spread: the Pix manual, equation 11. */
const SPREAD: Record<number, bigint> = { 2: 1n, 3: 30n, 4: 365n, 6: 1n, 7: 21n, 8: 252n }
const PERCENT = 10_000n

/** A due date on which banks are closed moves to their next open day, and all that refers to it moves too. */
function movedDue({ dataDeVencimento }: CobVTerms['calendario']): string {
  return lastDayWithoutCharges(dataDeVencimento)
}

export function lastPayableDay(calendar: CobVTerms['calendario']): string {
  return lastDayWithoutCharges(dayPlus(movedDue(calendar), calendar.validadeAposVencimento))
}

/**
 * Returns what is due on a day, YYYY-MM-DD. Fine, interest and discount are of the amount less the rebate; each is
 * rounded once, half up to the cent.
 */
export function dueOn({ calendario, valor }: CobVTerms, day: string): Due {
  const original = hundredthsOf(valor.original)
  const due = movedDue(calendario)
  const abatimento = amountOf(valor.abatimento, original)
  const base = original - abatimento
  const late = day > due
  const multa = late ? amountOf(valor.multa, base) : 0
  const juros = late ? interestOf(valor.juros, base, due, day) : 0
  const asked = late ? 0 : discountOf(valor.desconto, base, { ...calendario, due, day })
  // A payer who is early enough could owe nothing, but no Pix has that amount.
  const desconto = Math.min(asked, base - 1)
  return { original, abatimento, desconto, multa, juros, total: base - desconto + multa + juros }
}

/** A fixed amount (modality 1) or a percentage (2). */
function amountOf(rate: Value['multa'], base: number): number {
  if (!rate) return 0
  const value = hundredthsOf(rate.valorPerc)
  return rate.modalidade === 1 ? value : halfUp(BigInt(base) * BigInt(value), PERCENT)
}

/** Modalities 1 to 4 count every day after the due date, 5 to 8 only those on which banks are open. */
function interestOf(rate: Value['juros'], base: number, due: string, day: string): number {
  if (!rate) return 0
  const value = hundredthsOf(rate.valorPerc)
  const days = rate.modalidade <= 4 ? dayNumber(day) - dayNumber(due) : openDaysBetween(due, day)
  const spread = SPREAD[rate.modalidade]
  if (spread === undefined) return value * days
  return halfUp(BigInt(base) * BigInt(value) * BigInt(days), PERCENT * spread)
}

type Moment = { dataDeVencimento: string; due: string; day: string }

/** Modalities 1 and 2: until fixed days. 3 to 6: for each day, or open day, by which the payer is early. */
function discountOf(
  discount: Value['desconto'],
  base: number,
  { dataDeVencimento, due, day }: Moment,
): number {
  if (!discount) return 0
  const { modalidade, descontoDataFixa = [], valorPerc = '0.00' } = discount
  if (modalidade <= 2) {
    const dates = descontoDataFixa.map(({ data, valorPerc: value }) => ({
      until: data === dataDeVencimento ? due : data,
      value,
    }))
    const open = dates.filter(({ until }) => day <= until).sort((a, b) => (a.until < b.until ? -1 : 1))
    return open[0] ? amountOf({ modalidade, valorPerc: open[0].value }, base) : 0
  }
  const early = modalidade % 2 === 1 ? dayNumber(due) - dayNumber(day) : openDaysBetween(day, due)
  const value = hundredthsOf(valorPerc)
  return modalidade <= 4 ? value * early : halfUp(BigInt(base) * BigInt(value) * BigInt(early), PERCENT)
}

function halfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}
