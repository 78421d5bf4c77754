import type { Language } from '@cofre/platform/written'
import type { Request } from 'express'
import { parameter } from '../../pages/form'
import { ENGLISH } from './english'
import { PORTUGUESE } from './portuguese'
import type { Words } from './words'

const LANGUAGES: Readonly<Record<Language, Words>> = { 'pt-BR': PORTUGUESE, en: ENGLISH }

/** The words of a page, and the query by which its links keep the chosen language. */
export type Spoken = { words: Words; query: string }

/** Returns the language that the reader chose, else the language that the browser prefers. */
export function spokenTo(req: Request): Spoken {
  const chosen = parameter(req, 'lang')
  if (isLanguage(chosen)) return { words: LANGUAGES[chosen], query: `?lang=${chosen}` }
  const preferred = req.acceptsLanguages('pt', 'pt-BR', 'en')
  const isPortuguese = preferred !== false && preferred.startsWith('pt')
  return { words: isPortuguese ? PORTUGUESE : ENGLISH, query: '' }
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text)
}
