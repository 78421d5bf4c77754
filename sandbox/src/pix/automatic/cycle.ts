import { dayNumber } from '../../bank/bank-calendar'
import type { Rec } from './rec'

const MONTHS = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 }

/** Returns in which period of a permission a day lies, counted from its first day. */
export function cycleOf({ terms }: Rec, day: string): number {
  const { dataInicial, periodicidade } = terms.calendario
  if (periodicidade === 'SEMANAL') return Math.floor((dayNumber(day) - dayNumber(dataInicial)) / 7)
  const [first, now] = [partsOf(dataInicial), partsOf(day)]
  // A month without the first day's number begins its period on its last day.
  const begins = Math.min(first.day, lastDayOf(now))
  const months = (now.year - first.year) * 12 + now.month - first.month - (now.day < begins ? 1 : 0)
  return Math.floor(months / MONTHS[periodicidade])
}

function partsOf(text: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}

function lastDayOf({ year, month }: { year: number; month: number }): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
