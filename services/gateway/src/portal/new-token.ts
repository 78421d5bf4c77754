import { SCOPE_AREAS, scopesOf, type ScopeArea } from '@cofre/api/scopes'
import { DomainError } from '@cofre/platform/errors'
import type { Request } from 'express'
import { firstInstantOf } from '../sellers/api-tokens/token'
import { choices, line } from '../pages/form'
import type { Word } from './words/portuguese'

/** The form of a new token, as typed. */
export type NewTokenForm = { title: string; expiresOn: string; allScopes: boolean; scopes: string[] }

export type NewTokenFaults = { [Name in keyof NewTokenForm | 'currentPassword']?: Word }

export function readNewToken(req: Request): NewTokenForm {
  const allScopes = line(req, 'access') === 'all'
  return {
    title: line(req, 'title'),
    expiresOn: line(req, 'expiresOn'),
    allScopes,
    // With access to everything, the page hides the single scopes: ticks on them do not count.
    scopes: allScopes ? [] : choices(req, 'scope'),
  }
}

/** Only the portal asks for a future date: a token that has expired already helps nobody who fills in a form. */
export function expiryFault({ expiresOn }: NewTokenForm, now: number): NewTokenFaults | undefined {
  const at = expiresOn ? firstInstantOf(expiresOn) : undefined
  return at !== undefined && at <= now
    ? { expiresOn: 'Choose a future date, or leave this empty.' }
    : undefined
}

const WORDS: Record<string, Partial<Record<string, Word>>> = {
  title: {
    REQUIRED: 'Give the token a title.',
    LENGTH: 'A title has at most 255 characters.',
    CARD_DATA_MISPLACED: 'A title must not contain a card number.',
  },
  expiresOn: { FORMAT: 'Enter a date as YYYY-MM-DD.' },
  scopes: {
    REQUIRED: 'Select at least one scope, or choose “Everything”.',
    ENUM: 'Choose from the scopes listed.',
  },
}

/** Returns the refused fields of a new token; undefined when the error is another one. */
export function refusedFields(error: unknown): NewTokenFaults | undefined {
  if (!(error instanceof DomainError) || error.reason !== 'VALIDATION_FAILED') return undefined
  const faults: NewTokenFaults = {}
  for (const { pointer, code } of error.extra.errors ?? []) {
    const name = pointer.slice('#/'.length)
    if (name === 'title' || name === 'expiresOn' || name === 'scopes') {
      faults[name] = WORDS[name]?.[code] ?? 'Enter a valid value.'
    }
  }
  return faults
}

const AREA_WORDS: Record<ScopeArea, Word> = {
  customers: 'Customers',
  products: 'Products',
  cards: 'Cards',
  orders: 'Orders and charges',
  disputes: 'Disputes',
  vouchers: 'Vouchers',
  invoices: 'Invoices',
  webhooks: 'Webhooks',
}

/** Returns the scopes as rows of checkboxes: one row for each area, with its rights side by side. */
export function scopeRows(chosen: readonly string[]) {
  return SCOPE_AREAS.map((area) => ({
    area: AREA_WORDS[area],
    scopes: scopesOf(area).map((scope) => ({
      scope,
      right: scope.endsWith(':read') ? 'Read' : 'Write',
      checked: chosen.includes(scope),
    })),
  }))
}
