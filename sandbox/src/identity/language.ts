import type { Response } from 'express'

export type Language = 'pt-BR' | 'en'

const COOKIE = 'language'

/** Returns the first language that the pages have: of the client's (`ui_locales`), then of the browser's. */
export function languageOf(uiLocales: unknown, acceptLanguage = ''): Language {
  const asked = typeof uiLocales === 'string' ? uiLocales.split(' ') : []
  for (const locale of [...asked, ...acceptLanguage.split(',')]) {
    const language = locale.trim().slice(0, 2).toLowerCase()
    if (language === 'pt') return 'pt-BR'
    if (language === 'en') return 'en'
  }
  return 'pt-BR'
}

/** Keeps the language of a page for later pages, which no longer know the client's request. */
export function keepLanguage(response: Response, language: Language): void {
  response.cookie(COOKIE, language, { path: '/identity', httpOnly: true, sameSite: 'lax' })
}

/** Returns the language of the previous page, from the browser's cookies. */
export function keptLanguage(cookies = ''): string | undefined {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies)?.[1]
}
