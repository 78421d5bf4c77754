import { fineOf } from '../invoice/late-charges'
import { addDays, dayOf, type CalendarDay } from '../invoice/calendar-day'
import type { BoletoStatus, Terms } from '../boleto/boleto'
import type { PrintedBoleto } from './printed-boleto'

const REAIS = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 })

/** Cents as reais: 1.234,56. */
export function reais(cents: number): string {
  return REAIS.format(cents / 100)
}

/** A day as it is printed: 31/12/2026. */
export function dayWritten(day: CalendarDay): string {
  return day.split('-').toReversed().join('/')
}

export function momentWritten(moment: number): string {
  return dayWritten(dayOf(moment))
}

/** A CPF or CNPJ as it is printed: 123.456.789-09, 12.ABC.345/01DE-35. */
export function documentWritten(document: string): string {
  return document.length === 11
    ? `CPF ${document.replace(/^(.{3})(.{3})(.{3})/, '$1.$2.$3-')}`
    : `CNPJ ${document.replace(/^(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-')}`
}

/** The beneficiary as the bank writes it: branch and account. */
export function codeOf({ beneficiary: { agency, account } }: PrintedBoleto): string {
  return `${agency} / ${account}`
}

/**
 * The instructions to the cashier: fine, interest, the last day, and then the seller's own text. Amounts are in reais,
 * and times are dates, as banks ask for (Itaú, Cobrança manual).
 */
export function instructionsOf(boleto: Terms): string[] {
  const { payableUntil, instructions } = boleto
  return [
    ...fineWritten(boleto),
    ...interestWritten(boleto),
    `Não receber após ${dayWritten(payableUntil)}.`,
    ...instructions,
  ]
}

function fineWritten({ amount, fine, dueDay, lateOn }: Terms): string[] {
  if (!fine) return []
  const cents = fineOf(amount, fine, fine.startsAfterDays)
  const last = dayBefore(lateOn, addDays(dueDay, fine.startsAfterDays))
  return cents > 0 ? [`Após ${last}, cobrar multa de R$ ${reais(cents)}.`] : []
}

function interestWritten({ amount, interest, dueDay, lateOn }: Terms): string[] {
  if (!interest) return []
  const { dailyAmountInCents, monthlyPercentageBps, startsAfterDays } = interest
  const after = `Após ${dayBefore(lateOn, addDays(dueDay, startsAfterDays))}`
  const since = `por dia desde ${dayWritten(dueDay)}`
  if (dailyAmountInCents !== null) {
    return dailyAmountInCents > 0
      ? [`${after}, cobrar juros de R$ ${reais(dailyAmountInCents)} ${since}.`]
      : []
  }
  const bps = monthlyPercentageBps ?? 0
  if (bps === 0) return []
  const ofDay = Math.round((amount * bps) / 300_000)
  const share = `${reais(bps)}% ao mês`
  // The daily interest of a small amount is less than half a cent, so the percentage is printed instead.
  return ofDay > 0
    ? [`${after}, cobrar juros de R$ ${reais(ofDay)} ${since} (${share}).`]
    : [`${after}, cobrar juros de ${share}, ${since}.`]
}

/** The day before the later of two days. */
function dayBefore(one: CalendarDay, other: CalendarDay): string {
  return dayWritten(addDays(one > other ? one : other, -1))
}

const MARKS: Partial<Record<BoletoStatus, string>> = {
  PAID: 'PAGO',
  EXPIRED: 'VENCIDO',
  CANCELLED: 'CANCELADO',
}

/** The word across a slip that nobody should pay. Undefined when the slip can be paid. */
export function markOf({ status }: { status: BoletoStatus }, isPayable: boolean): string | undefined {
  return MARKS[status] ?? (isPayable ? undefined : 'NÃO PAGÁVEL')
}

export const SANDBOX_LINE = 'AMBIENTE DE TESTES: ESTE BOLETO NÃO PODE SER PAGO.'
