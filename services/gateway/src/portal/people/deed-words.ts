import type { Role } from '../../sellers/roles'
import type { Word } from '../words/portuguese'
import { day, link, reais, word, type Value } from '../words/value'
import type { AuditRow } from './audit-store'
import { OPERATIONS, PORTAL_DEEDS, type Sentence } from './deed-sentences'

const SENTENCES: Readonly<Record<string, Sentence | undefined>> = { ...OPERATIONS, ...PORTAL_DEEDS }

const ROLES: Record<Role, Word> = {
  OWNER: 'owner',
  OPERATOR: 'operator',
  SUPPORT: 'support',
  SALES: 'sales',
  BOOKKEEPER: 'bookkeeper',
  READ_ONLY: 'reader',
}

/** What people type, by the API's names. */
const LABELS: Readonly<Record<string, Word>> = {
  description: 'Description',
  email: 'E-mail',
  events: 'Events',
  kind: 'How',
  language: 'Language',
  name: 'Name',
  note: 'Note',
  paidAt: 'Paid on',
  phone: 'Phone',
  reason: 'Reason',
  reference: 'Reference',
  returnedAt: 'Given back on',
  type: 'Event',
  url: 'URL',
  value: 'Price',
}
const SUMS: readonly string[] = ['amount', 'amountInCents']
const MONEY: readonly string[] = [...SUMS, 'value']
/** They stand in the sentence. */
const SAID: readonly string[] = [...SUMS, 'before', 'after', 'role', 'steps']

type Detail = Readonly<Record<string, unknown>>
type Told = Pick<AuditRow, 'email' | 'action' | 'subject' | 'detail'>

/** A deed as a sentence: who did what to what. */
export function sentenceOf({ email, action, subject, detail }: Told): Value {
  const given = detail as Detail
  const sentence = SENTENCES[action]
  const [, id = subject] = /^[a-z-]+\/(.+)$/.exec(subject) ?? []
  if (!sentence) return word('{who} did {action} to {id}', { who: email, action, id })
  const sum = SUMS.map((name) => given[name]).find((value) => typeof value === 'number')
  return word(sum !== undefined && sentence.ofSum ? sentence.ofSum : sentence.whole, {
    who: email,
    id,
    ...(sum !== undefined && { sum: reais(sum) }),
    role: roleIn(given['role']),
    before: roleIn(given['before']),
    after: roleIn(given['after']),
  })
}

function roleIn(value: unknown): Value {
  return typeof value === 'string' && Object.hasOwn(ROLES, value) ? word(ROLES[value as Role]) : null
}

/** Every deed, with an ellipsis for who did it and to what. */
export function allDeeds(): { action: string; text: Value }[] {
  const gaps = { who: '…', id: '…', role: '…', before: '…', after: '…' }
  return Object.entries({ ...OPERATIONS, ...PORTAL_DEEDS }).map(([action, { whole }]) => ({
    action,
    text: word(whole, gaps),
  }))
}

/** The same as `sentenceOf`, which leads to what it was done to: a thing, or the people of the account. */
export function linkedSentence(deed: Told): Value {
  const to = placeOf(deed)
  return to === undefined ? sentenceOf(deed) : link(to, sentenceOf(deed))
}

function placeOf({ action, subject }: Told): string | undefined {
  if (action.startsWith('delete')) return undefined
  if (/^[a-z-]+\/\d+$/.test(subject)) return `/${subject}`
  if (action === 'replaceInvoiceTheme') return '/settings/theme'
  if (action === 'replaceBillingSettings') return '/settings/contact'
  if (action.startsWith('TOKEN_')) return '/settings/integrations/api'
  return action.startsWith('PERSON_') || action === 'ROLE_CHANGED' ? '/settings/people' : undefined
}

/** What the sentence leaves out, each with its name: what was typed, and what stood there before. The CSV has the rest. */
export function detailWords({ detail }: Pick<AuditRow, 'detail'>): Value {
  const given = detail as Detail
  const before = given['before']
  const was = typeof before === 'object' && before !== null ? (before as Detail) : {}
  return Object.entries(given)
    .filter(([name, value]) => !SAID.includes(name) && isShown(value))
    .map(([name, value]) => {
      const label = LABELS[name]
      const named = {
        name: label ? word(label) : name,
        value: valueIn(name, value),
        after: valueIn(name, value),
      }
      return Object.hasOwn(was, name)
        ? word('{name}: {after}, before {before}', { ...named, before: valueIn(name, was[name]) })
        : word('{name}: {value}', named)
    })
}

function isShown(value: unknown): boolean {
  return value !== null && value !== '' && (typeof value !== 'object' || Array.isArray(value))
}

function valueIn(name: string, value: unknown): Value {
  if (typeof value === 'boolean') return word(value ? 'Yes' : 'No')
  if (typeof value === 'number') {
    if (MONEY.includes(name)) return reais(value)
    return name.endsWith('At') ? day(value) : value
  }
  if (value === null || value === '') return word('nothing')
  if (typeof value === 'string') return word('“{value}”', { value })
  return Array.isArray(value) ? value.map(String) : null
}
