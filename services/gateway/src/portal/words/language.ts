import { startOf, TIME_ZONE } from '@cofre/platform/calendar-day'
import type { RequestHandler, Response } from 'express'
import { LANGUAGES, type Language } from '../../http/route'
import { readCookie } from '../../pages/cookies'
import { parameter } from '../../pages/form'
import { PORTUGUESE, type Word } from './portuguese'
import type { Mood, Value } from './value'

/** A value as a page shows it. */
export type Shown = {
  text: string
  href?: string
  /** A number, a day or a time: a line breaks before the time of day, and nowhere else. */
  whole?: true
  /** Of a badge. */
  mood?: Mood
}

/** A language's words and formats. */
export type Words = {
  language: Language
  /** Returns a text of ours in the language. `{name}` stands for a value. */
  t(text: string, values?: Readonly<Record<string, Value>>): string
  show(value: Value): Shown
}

const COOKIE = 'portal_language'

/**
 * Reads the language of a browser: the one that its user chose, else the one that it prefers. `?language=` chooses, and
 * leads to the same page.
 */
export function readLanguage({ root, isSecure }: { root: string; isSecure: boolean }): RequestHandler {
  const words = { en: wordsIn('en', root), 'pt-BR': wordsIn('pt-BR', root) }
  return (req, res, next) => {
    const chosen = LANGUAGES.find((each) => each === parameter(req, 'language'))
    if (chosen && req.method === 'GET') {
      res.cookie(COOKIE, chosen, { sameSite: 'lax', secure: isSecure, path: root, maxAge: 31_536_000_000 })
      return res.redirect(303, `${root}${withoutLanguage(req.url)}`)
    }
    const kept = LANGUAGES.find((each) => each === readCookie(req, COOKIE))
    res.locals.words = words[kept ?? ((req.acceptsLanguages([...LANGUAGES]) || 'en') as Language)]
    next()
  }
}

/** The words of the page that a response holds. */
export function wordsOf(res: Response): Words {
  return res.locals.words as Words
}

/** Returns the text of an option: a word, or a text of the seller’s own. */
export function textOf(text: Word | { own: string }, t: Words['t']): string {
  return typeof text === 'string' ? t(text) : text.own
}

/** Of a day and a time of day, the space between them alone lets a line break. */
function unbroken(text: string): string {
  return text.replaceAll(/ (?!\d\d:)/g, '\u00a0')
}

function withoutLanguage(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const search = new URLSearchParams(query)
  search.delete('language')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  return `${path === '/' ? '' : path}${rest}`
}

function wordsIn(language: Language, root: string): Words {
  const locale = language === 'en' ? 'en-GB' : 'pt-BR'
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: TIME_ZONE, ...options })
  const minutes = format({ dateStyle: 'medium', timeStyle: 'short' })
  const seconds = format({ dateStyle: 'medium', timeStyle: 'medium' })
  const days = format({ dateStyle: 'medium' })
  const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
  const numbers = new Intl.NumberFormat(locale)
  const t: Words['t'] = (text, values = {}) => {
    const own = language === 'en' ? text : (PORTUGUESE[text as Word] ?? text)
    return own.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
      Object.hasOwn(values, name) ? show(values[name] ?? null).text : all,
    )
  }
  const show = (value: Value): Shown => {
    if (value === null) return { text: '' }
    if (typeof value === 'string') return { text: value }
    if (typeof value === 'number') return { text: numbers.format(value) }
    if (Array.isArray(value)) return { text: value.map((each: Value) => show(each).text).join(', ') }
    if ('word' in value) return { text: t(value.word, value.with) }
    if ('reais' in value) return { text: money.format(value.reais / 100) }
    if ('time' in value) return { text: unbroken(minutes.format(value.time)), whole: true }
    if ('exactTime' in value) return { text: unbroken(seconds.format(value.exactTime)), whole: true }
    if ('day' in value) {
      const at = typeof value.day === 'string' ? startOf(value.day) : value.day
      return { text: unbroken(days.format(at)), whole: true }
    }
    if ('whole' in value) return { text: value.whole, whole: true }
    if ('badge' in value) return { text: t(value.badge.text), mood: value.badge.mood }
    if ('address' in value) return { text: show(value.text ?? value.address).text, href: value.address }
    if ('to' in value) return { ...show(value.text), href: `${root}${value.to}` }
    return { text: '' }
  }
  return { language, t, show }
}
