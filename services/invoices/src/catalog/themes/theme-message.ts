import type { Theme as Message, ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { warningsOf } from './contrast'
import { DEFAULT_THEME, type Theme } from './theme'

export function toMessage(theme: Theme): Message {
  return { fields: { ...theme, logoUrl: theme.logoUrl ?? '' }, warnings: warningsOf(theme) }
}

/** Reads a theme. An empty field has its default. */
export function themeOf(fields: ThemeFields): Theme {
  const given = Object.entries(fields).filter(([, value]) => value !== '')
  return { ...DEFAULT_THEME, ...(Object.fromEntries(given) as Partial<Theme>) }
}
