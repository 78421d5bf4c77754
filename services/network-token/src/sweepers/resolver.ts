import { databaseNow } from '@cofre/platform/service/database-clock'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { Lease } from '@cofre/platform/postgres/lease'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Deps } from '../deps'
import { holdUnasked, leaseTokens, type TokenKey } from '../token/network-token-store'
import { resolveToken } from '../token/resolve-token'

export type Resolver = Loop & {
  /** Asks for a new token at once, with its card while that is in memory. When too many are in hand, the token waits. */
  begin(key: TokenKey, handle: string): void
}

/** How many new tokens wait in memory with their cards. The sweeper asks for any others, without the CVV. */
const WAITING_MAX = 2_000

/** A token whose turn has come. `handle`: its card with the CVV, if its request has just come; otherwise empty. */
type Due = { key: TokenKey; handle: string }

/** Resolves due tokens until stopped, many at once; any number of replicas may run. */
export function startResolver(deps: Deps): Resolver {
  const { pool, log, rules } = deps
  const waiting: Due[] = []
  const take = async (batch: number, inHand: Lease['inHand']) => {
    const { resolveFirstMs: firstMs, resolveMaxMs: maxMs } = rules
    const keys = await leaseTokens(pool, { at: databaseNow(), firstMs, maxMs, batch, inHand })
    return keys.map((key) => ({ key, handle: '' }))
  }
  const fill = () => {
    while (waiting[0] && resolving.begin(waiting[0])) waiting.shift()
  }
  const resolving = manyAtOnce<Due>(
    {
      atOnce: rules.resolveConcurrency,
      nameOf: ({ key }) => key.token,
      take,
      work: ({ key, handle }) => resolveInCall(deps, key, handle),
      onFree: fill,
    },
    rules.resolveEveryMs,
    (err) => log.error({ err }, 'resolving failed'),
  )
  const hold = async () => {
    const tokens = waiting.map(({ key }) => key.token)
    if (tokens.length > 0) await holdUnasked(pool, tokens, databaseNow() + rules.ownMs)
    return 0
  }
  const holding = repeat(hold, rules.holdEveryMs, (err) => log.error({ err }, 'holding failed'))
  const stop = async () => {
    waiting.length = 0
    await Promise.all([resolving.stop(), holding.stop()])
  }
  const begin = (key: TokenKey, handle: string) => {
    if (waiting.length < WAITING_MAX) waiting.push({ key, handle })
    fill()
  }
  return { stop, wake: resolving.wake, begin }
}

function resolveInCall(deps: Deps, key: TokenKey, handle: string): Promise<void> {
  const timeoutMs = 2 * deps.rules.tokenServiceTimeoutMs
  const what = 'network token not resolved'
  return workInCall({ log: deps.log, timeoutMs, what, facts: { sellerId: key.sellerId } }, () =>
    resolveToken(deps, key, handle),
  )
}
