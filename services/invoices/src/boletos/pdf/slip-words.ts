import { fineOf, interestOfDay } from '../../invoice/rules/late-charges'
import { addDays, dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { AskStatus } from '../../methods/rules/registered-ask'
import type { Terms } from '../rules/boleto'
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
 * The instructions to the cashier: discounts, fine, interest, the last day, and then the seller's own text. Amounts are in reais,
 * and times are dates, as banks ask for (Itaú, Cobrança manual).
 */
export function instructionsOf(boleto: Terms): string[] {
  const { payableUntil, instructions, discounts } = boleto
  return [
    ...discounts.map(
      ({ until, amount }) => `Até ${dayWritten(until)}, conceder desconto de R$ ${reais(amount)}.`,
    ),
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
  const ofDay = interestOfDay(amount, interest)
  if (ofDay === 0) return []
  const { monthlyPercentageBps: bps, startsAfterDays } = interest
  const firstDay = addDays(dueDay, startsAfterDays)
  const perDay = `R$ ${reais(ofDay)} por dia após ${dayWritten(addDays(firstDay, -1))}`
  const share = bps === null ? '' : ` (${reais(bps)}% ao mês)`
  return [`Após ${dayBefore(lateOn, firstDay)}, cobrar juros de ${perDay}${share}.`]
}

/** The day before the later of two days. */
function dayBefore(one: CalendarDay, other: CalendarDay): string {
  return dayWritten(addDays(one > other ? one : other, -1))
}

const MARKS: Partial<Record<AskStatus, string>> = {
  PAID: 'PAGO',
  EXPIRED: 'VENCIDO',
  CANCELLED: 'CANCELADO',
}

/** The word across a slip that nobody should pay. Undefined when the slip can be paid. */
export function markOf({ status }: { status: AskStatus }, isPayable: boolean): string | undefined {
  return MARKS[status] ?? (isPayable ? undefined : 'NÃO PAGÁVEL')
}

export const SANDBOX_LINE = 'AMBIENTE DE TESTES: ESTE BOLETO NÃO PODE SER PAGO.'
