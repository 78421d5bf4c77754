import type { Response } from 'express'

export type Language = 'pt-BR' | 'en'

const COOKIE = 'language'

/** The first language that the pages speak, of what the client asked for (`ui_locales`) and then of the browser's. */
export function languageOf(uiLocales: unknown, acceptLanguage = ''): Language {
  const asked = typeof uiLocales === 'string' ? uiLocales.split(' ') : []
  for (const locale of [...asked, ...acceptLanguage.split(',')]) {
    const language = locale.trim().slice(0, 2).toLowerCase()
    if (language === 'pt') return 'pt-BR'
    if (language === 'en') return 'en'
  }
  return 'pt-BR'
}

/** The language of a page is that of the pages after it, where nobody knows any more what the client asked for. */
export function keepLanguage(response: Response, language: Language): void {
  response.cookie(COOKIE, language, { path: '/identity', httpOnly: true, sameSite: 'lax' })
}

/** What a browser's cookies say of the page before. */
export function keptLanguage(cookies = ''): string | undefined {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies)?.[1]
}
