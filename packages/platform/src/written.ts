import { dayOf, TIME_ZONE } from './calendar-day'
import { BRAND_NAMES } from './card/card-brand'

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

/** What a payer may read of a stored card. `brand`: of the contract, empty when none is known. */
export type CardName = { brand: string; lastFour: string }

/** A card by its brand and last four digits: Visa final 1111, Visa ending in 1111. */
export function cardIn(language: Language, { brand, lastFour }: CardName): string {
  const name = BRAND_NAMES[brand] ?? (language === 'en' ? 'card' : '')
  return `${name} ${language === 'en' ? 'ending in' : 'final'} ${lastFour}`.trim()
}

const LISTS: Record<Language, Intl.ListFormat> = {
  'pt-BR': new Intl.ListFormat('pt-BR'),
  en: new Intl.ListFormat('en'),
}

/** Names as a sentence lists them: one, two e three. */
export function listIn(language: Language, names: readonly string[]): string {
  return LISTS[language].format(names)
}

/** Hours and minutes of a moment (epoch milliseconds) in America/Sao_Paulo. */
export function clockIn(moment: number): string {
  return MINUTE.format(moment)
}
