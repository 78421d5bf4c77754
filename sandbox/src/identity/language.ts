export type Language = 'pt-BR' | 'en'

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
