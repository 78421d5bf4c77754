import { EmailLanguage } from '@cofre/proto/invoices/v1/invoices'
import type { Language } from '../queue/email'

/** Undefined when the request names no language. */
export function languageOf(asked: EmailLanguage): Language | undefined {
  if (asked === EmailLanguage.ENGLISH) return 'en'
  return asked === EmailLanguage.PORTUGUESE ? 'pt-BR' : undefined
}

export function languageMessage(language: Language): EmailLanguage {
  return language === 'en' ? EmailLanguage.ENGLISH : EmailLanguage.PORTUGUESE
}
