import { dayOf, TIME_ZONE } from './calendar-day'

/** The languages of messages to people who pay. */
export type Language = 'pt-BR' | 'en'

const REAIS: Record<Language, Intl.NumberFormat> = {
  'pt-BR': new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
}
const ENGLISH_DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const MINUTE = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit' })

/** Cents of BRL: R$ 1.234,56 in Portuguese, R$ 1,234.56 in English. */
export function moneyIn(language: Language, cents: number): string {
  return `R$ ${REAIS[language].format(cents / 100)}`
}

/** A day (YYYY-MM-DD) as dd/mm/yyyy in Portuguese, and as 5 March 2027 in English, where 05/03 would be ambiguous. */
export function dayIn(language: Language, day: string): string {
  return language === 'en' ? ENGLISH_DAY.format(Date.parse(day)) : day.split('-').reverse().join('/')
}

/** The day of a moment (epoch milliseconds) in America/Sao_Paulo. */
export function momentIn(language: Language, moment: number): string {
  return dayIn(language, dayOf(moment))
}

/** Hours and minutes of a moment (epoch milliseconds) in America/Sao_Paulo. */
export function clockIn(moment: number): string {
  return MINUTE.format(moment)
}
