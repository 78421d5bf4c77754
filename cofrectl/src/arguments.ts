import { SCOPE_AREAS, SCOPES, scopesOf } from '@cofre/api/scopes'
import { InvalidArgumentError } from 'commander'

export function parseId(text: string): number {
  const id = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Parses the first digits of card numbers. */
export function parsePrefix(text: string): string {
  if (/^\d{2,8}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 2 to 8 digits.')
}

/** A file, and the name of the credential in it. */
export type NamedFile = { name: string; file: string }

/** Collects the values of an option that is repeated for each file. */
export function collectNamedFile(text: string, files: readonly NamedFile[]): NamedFile[] {
  const [, name, file] = /^([A-Za-z]{1,40})=(.+)$/.exec(text) ?? []
  if (name === undefined || file === undefined) throw new InvalidArgumentError('It must be name=file.')
  return [...files, { name, file }]
}

/** Parses a calendar date, YYYY-MM-DD. */
export function parseDate(text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text.length === 10) return text
  throw new InvalidArgumentError('It must be a date, YYYY-MM-DD.')
}

/** Every scope that a token can have, with a line for each area. */
export const SCOPE_LINES = SCOPE_AREAS.map((area) => `  ${scopesOf(area).join(' ')}`).join('\n')

/** Collects the values of an option that is repeated for each scope. */
export function collectScope(text: string, scopes: string[] = []): string[] {
  if (!(SCOPES as readonly string[]).includes(text))
    throw new InvalidArgumentError(`The scopes are:\n${SCOPE_LINES}`)
  return [...scopes, text]
}
