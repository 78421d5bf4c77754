import { InvalidArgumentError } from 'commander'

export function parseId(text: string): number {
  const id = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id
  throw new InvalidArgumentError('It must be a whole number.')
}

/** A calendar date, YYYY-MM-DD. */
export function parseDate(text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text.length === 10) return text
  throw new InvalidArgumentError('It must be a date, YYYY-MM-DD.')
}

const SCOPE = /^(customers|products|cards|orders|vouchers|invoices|webhooks):(read|write)$/

/** Collects an option that is given once for each scope. */
export function collectScope(text: string, scopes: string[] = []): string[] {
  if (!SCOPE.test(text)) throw new InvalidArgumentError('A scope is like cards:read or orders:write.')
  return [...scopes, text]
}
