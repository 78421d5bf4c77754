import type { Role } from '../../sellers/roles'
import type { Word } from '../words/portuguese'
import { link, reais, word, type Value } from '../words/value'
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

const SUMS: readonly string[] = ['amount', 'amountInCents']

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
  if (action === 'replaceInvoiceTheme') return '/settings/theme'
  if (action === 'replaceBillingSettings') return '/settings/contact'
  if (action === 'advanceBillingClock') return '/sandbox'
  if (action.startsWith('TOKEN_')) return '/settings/integrations/api'
  if (action.startsWith('PERSON_') || action === 'ROLE_CHANGED') return '/settings/people'
  return /^[a-z-]+\/[\w-]+$/.test(subject) ? `/${subject}` : undefined
}
