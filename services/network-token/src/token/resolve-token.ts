import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../deps'
import { callAbout } from './call-about'
import type { NetworkToken } from './network-token'
import { askSoon, readToken, saveToken, updateToken, type TokenKey } from './network-token-store'
import {
  adopt,
  cleaned,
  dispatch,
  isGone,
  isOverdue,
  recordClose,
  recordRequest,
  timeOut,
  type Times,
} from './resolution'

/**
 * Does the next step for a token: requests it, asks about it, or cleans up after it. `handle`: its card with the CVV,
 * when its request has just come; otherwise empty.
 */
export async function resolveToken(deps: Deps, key: TokenKey, handle = ''): Promise<void> {
  const { token } = await readToken(deps.pool, key)
  if (token.cleanup) return cleanUp(deps, token)
  if (token.status === 'FAILED' || token.status === 'INACTIVE') return
  if (token.dispatchDeadline !== null) await ask(deps, token)
  else if (!isOverdue(token, timesOf(deps))) await request(deps, token, handle)
  await failOverdue(deps, key)
}

/** Saves the intention first, which only one caller can, then sends the request and saves its outcome. */
async function request(deps: Deps, token: NetworkToken, handle: string): Promise<void> {
  const call = callAbout(deps, token)
  const intention = dispatch(token, call.deadline, databaseNow())
  if (!(await saveToken(deps.pool, intention))) return
  const { reference, card } = token
  const outcome = await deps.tokenService.request({ reference, card, handle }, call)
  log(deps, token, outcome.result, 'token requested')
  await updateToken(deps.pool, token, (current) =>
    recordRequest(current, outcome, timesOf(deps), handle !== ''),
  )
}

async function ask(deps: Deps, token: NetworkToken): Promise<void> {
  const found = await deps.tokenService.find(token, callAbout(deps, token))
  log(deps, token, found.result === 'found' ? found.state : found.result, 'token queried')
  const decision = adopt(token, found, timesOf(deps))
  // The token has changed since the question, and that change may be older than the answer: so it is asked about again.
  if (decision && !(await saveToken(deps.pool, decision))) await askSoon(deps.pool, token)
}

async function failOverdue(deps: Deps, key: TokenKey): Promise<void> {
  const times = timesOf(deps)
  const { token: current } = await readToken(deps.pool, key)
  if (!isOverdue(current, times)) return
  await updateToken(deps.pool, key, (token) =>
    isOverdue(token, times) ? timeOut(token, times.at) : undefined,
  )
}

/** Closes a token at the network, if it may exist there, and then destroys its numbers. */
async function cleanUp(deps: Deps, token: NetworkToken): Promise<void> {
  const open = token.cleanup === 'NETWORK' ? await close(deps, token) : token
  if (open?.cleanup !== 'NUMBERS') return
  await deps.numbers.destroy(open)
  await updateToken(deps.pool, open, (current) =>
    current.cleanup === 'NUMBERS' ? cleaned(current, databaseNow()) : undefined,
  )
}

async function close(deps: Deps, token: NetworkToken): Promise<NetworkToken> {
  const partnerId = token.partnerId ?? (await findLost(deps, token))
  if (partnerId === undefined) return token
  const outcome =
    partnerId === null
      ? ({ result: 'over' } as const)
      : await deps.tokenService.close(partnerId, callAbout(deps, token))
  log(deps, token, outcome.result, 'token closed at the network')
  const saved = await updateToken(deps.pool, token, (current) => recordClose(current, outcome, databaseNow()))
  return saved.token
}

/** The id of a token that timed out before we learned it. Null: there is no token. Undefined: not known yet. */
async function findLost(deps: Deps, token: NetworkToken): Promise<string | null | undefined> {
  const found = await deps.tokenService.find(token, callAbout(deps, token))
  if (found.result === 'found') return found.partnerId
  if (isGone(found)) return null
  const over = (token.dispatchDeadline ?? 0) + deps.rules.absenceGraceMs < databaseNow()
  return found.result === 'absent' && over ? null : undefined
}

/** Logs a token by our reference: the token itself stands for a card in its seller's systems. */
function log(deps: Deps, { sellerId, reference }: NetworkToken, result: string, what: string): void {
  deps.log.info({ sellerId, reference, result }, what)
}

function timesOf({ rules }: Deps): Times {
  return {
    at: databaseNow(),
    pendingMaxMs: rules.pendingMaxMs,
    graceMs: rules.absenceGraceMs,
    firstAskMs: rules.resolveFirstMs,
    watchMs: rules.watchEveryMs,
  }
}
