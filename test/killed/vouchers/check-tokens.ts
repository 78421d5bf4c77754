import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Ledger, type Return } from '../ledger'
import { readProvider, type ProviderBooks } from './provider-journal'
import { checkPages, readTold } from './redirects-seen'
import type { Heard } from './redirect-story'
import { readKept, readNoted, rowOf, type BookedToken } from './voucher-books'

/**
 * Checks that each request made one token; that the vault keeps the number or grant of each ACTIVE token, and no other;
 * that the identity provider has a live grant for each ACTIVE token by redirect, and no other; that the outcome of each
 * was notified once. `before`: the tokens that existed before the run.
 */
export async function checkVoucherTokens(
  system: DoomedSystem,
  ledger: Ledger,
  all: readonly BookedToken[],
  run: { before: readonly BookedToken[]; tellers: readonly string[] },
): Promise<string[]> {
  const old = new Set(run.before.map(({ token }) => token))
  const made = all.filter(({ token }) => !old.has(token))
  const deletions = entriesOf(ledger, 'voucher-deletion')
  const deleted = new Set(deletions.map(({ path }) => path.split('/').at(-1) ?? ''))
  const told = await readTold(system, run.tellers)
  const provider = readProvider(system.runDir, Date.now())
  return [
    ...deletions.flatMap(({ key, status, tries }) =>
      status === 404 && tries === 1 ? [`${key}: the voucher token was gone before`] : [],
    ),
    ...checkRefusals(ledger, made),
    ...checkNumbered(ledger, made, deleted),
    ...checkRedirects(ledger, made, deleted, told),
    ...(await checkKept(system, all)),
    ...checkGrants(ledger, all, made, provider),
    ...(await checkPages(ledger, made)),
  ]
}

/** Checks that a payment is refused only because its token has ended. */
function checkRefusals(ledger: Ledger, made: readonly BookedToken[]): string[] {
  return entriesOf(ledger, 'voucher-payment').flatMap(({ key, status, body, answer }) => {
    if (status !== 422) return []
    const { card } = body as { card: { token: string } }
    const { code } = answer as { code: string }
    const one = made.find(({ token }) => token === card.token)
    const isOver = code === 'CARD_TOKEN_UNUSABLE' && one?.status !== 'ACTIVE'
    return isOver ? [] : [`${key} was refused with ${code}, its token is ${one?.status}`]
  })
}

function checkNumbered(ledger: Ledger, made: readonly BookedToken[], deleted: ReadonlySet<string>): string[] {
  const answers = entriesOf(ledger, 'voucher').filter(({ status }) => status === 201)
  const answered = answers.map(({ answer }) => (answer as { token: string }).token)
  const due = new Set(answered.filter((token) => !deleted.has(token)))
  const there = made.filter(({ clientId }) => clientId === null)
  const surplus = there.filter(({ token }) => !due.has(token))
  const isWhole = there.every(({ status }) => status === 'ACTIVE') && surplus.length === 0
  if (isWhole && there.length === due.size && new Set(answered).size === answered.length) return []
  return [
    `${due.size} voucher tokens are due; ${there.length} are there, ${surplus.length} of them of nobody`,
  ]
}

const ENDS: Record<Return['wanted'], readonly string[]> = {
  ACTIVE: ['ACTIVE', 'FAILED PROVIDER_ERROR', 'EXPIRED GRANT_REVOKED'],
  DENIED: ['DENIED ACCESS_DENIED'],
  FAILED: ['FAILED CARD_NOT_ELIGIBLE', 'FAILED PROVIDER_ERROR'],
}

function checkRedirects(
  ledger: Ledger,
  made: readonly BookedToken[],
  deleted: ReadonlySet<string>,
  told: ReadonlyMap<string, Heard[]>,
): string[] {
  const begun = new Set(entriesOf(ledger, 'redirect').map(({ story }) => story))
  const redirects = made.filter(({ clientId }) => clientId !== null)
  const strangers = redirects.filter(({ story }) => !begun.has(story ?? ''))
  return [
    ...strangers.map(({ story }) => `nobody asked for the redirect of ${story}`),
    ...ledger.returns.flatMap(({ story, wanted }) => {
      const heard = (told.get(story) ?? []).map(({ status }) => status).join(' ')
      const [one, ...more] = redirects.filter((token) => token.story === story)
      const isDeleted = (told.get(story) ?? []).some(({ token }) => deleted.has(token))
      const name = `the token of ${story} (${one?.status} ${one?.reason}), deleted: ${isDeleted}`
      if (isDeleted) return !one && /^ACTIVE( EXPIRED)?$/.test(heard) ? [] : [`${name}, told ${heard}`]
      const end = [one?.status, one?.reason].filter(Boolean).join(' ')
      const due = one?.status === 'EXPIRED' ? 'ACTIVE EXPIRED' : one?.status
      return more.length === 0 && ENDS[wanted].includes(end) && heard === due
        ? []
        : [`${name}, wanted ${wanted}, told ${heard}, ${more.length} more`]
    }),
  ]
}

async function checkKept(system: DoomedSystem, all: readonly BookedToken[]): Promise<string[]> {
  const kept = await readKept(system)
  const isRedirect = ({ clientId }: BookedToken) => clientId !== null
  const due = all.filter((token) => !isRedirect(token)).map(rowOf)
  const allowed = new Set([...due, ...(await readNoted(system)).map(rowOf)])
  const granted = all.filter((token) => isRedirect(token) && token.status === 'ACTIVE')
  const missing = due.filter((row) => !kept.numbers.includes(row))
  const surplus = kept.numbers.filter((row) => !allowed.has(row))
  const ungranted = granted.filter(({ token }) => !kept.grants.includes(token))
  const dangling = kept.grants.filter((token) => !granted.some((one) => one.token === token))
  const counts = { missing, surplus, ungranted, dangling }
  if (Object.values(counts).every((list) => list.length === 0)) return []
  const shown = Object.entries(counts).map(([name, list]) => `${name} ${list.length}`)
  return [`the vault's vouchers: ${shown.join(', ')}`]
}

function checkGrants(
  ledger: Ledger,
  all: readonly BookedToken[],
  made: readonly BookedToken[],
  { live, grantOf }: ProviderBooks,
): string[] {
  const active = all.filter(({ clientId, status }) => clientId !== null && status === 'ACTIVE')
  return [
    ...(live.size === active.length ? [] : [`${live.size} grants are live, ${active.length} tokens ACTIVE`]),
    ...ledger.returns.flatMap(({ story, url }) => {
      const code = new URL(url).searchParams.get('code')
      const grant = code === null ? undefined : grantOf(code)
      const isLive = grant !== undefined && live.has(grant)
      const one = made.find((token) => token.story === story)
      if (isLive === (one?.status === 'ACTIVE')) return []
      return [
        `the token of ${story} is ${one?.status ?? 'deleted'} ${one?.reason}, its grant live: ${isLive}`,
      ]
    }),
  ]
}
