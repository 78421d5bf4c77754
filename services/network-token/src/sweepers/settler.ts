import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Deps } from '../deps'
import { holdUnasked, leaseTokens, type TokenKey } from '../token/network-token-store'
import { settleToken } from '../token/settle-token'

export type Settler = Loop & {
  /** Asks for a new token at once, with its card while that is in memory. Without room, the token waits its turn. */
  begin(key: TokenKey, handle: string): void
}

/** How many new tokens wait in memory with their cards. The sweeper asks for any others, without the CVV. */
const WAITING_MAX = 2_000

/** A token whose turn has come. `handle`: its card with the CVV, if its request has just come; otherwise empty. */
type Due = { key: TokenKey; handle: string }

/** Settles due tokens until stopped, many at once; any number of replicas may run. */
export function startSettler(deps: Deps): Settler {
  const { pool, log, rules } = deps
  const waiting: Due[] = []
  const take = async (batch: number, inHand: Lease['inHand']) => {
    const { settleFirstMs: firstMs, settleMaxMs: maxMs } = rules
    const keys = await leaseTokens(pool, { at: Date.now(), firstMs, maxMs, batch, inHand })
    return keys.map((key) => ({ key, handle: '' }))
  }
  const fill = () => {
    while (waiting[0] && settling.begin(waiting[0])) waiting.shift()
  }
  const settling = manyAtOnce<Due>(
    {
      atOnce: rules.settleConcurrency,
      nameOf: ({ key }) => key.token,
      take,
      work: ({ key, handle }) => settleInCall(deps, key, handle),
      onRoom: fill,
    },
    rules.settleEveryMs,
    (err) => log.error({ err }, 'settling failed'),
  )
  const hold = async () => {
    const tokens = waiting.map(({ key }) => key.token)
    if (tokens.length > 0) await holdUnasked(pool, tokens, Date.now() + rules.ownMs)
    return 0
  }
  const holding = repeat(hold, rules.holdEveryMs, (err) => log.error({ err }, 'holding failed'))
  const stop = async () => {
    waiting.length = 0
    await Promise.all([settling.stop(), holding.stop()])
  }
  const begin = (key: TokenKey, handle: string) => {
    if (waiting.length < WAITING_MAX) waiting.push({ key, handle })
    fill()
  }
  return { stop, wake: settling.wake, begin }
}

async function settleInCall(deps: Deps, key: TokenKey, handle: string): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.tokenServiceTimeoutMs })
  await runCall(call, async () => {
    try {
      await settleToken(deps, key, handle)
    } catch (err) {
      // One token that can't be settled must not keep the others waiting; it is looked at again.
      deps.log.error({ sellerId: key.sellerId, err }, 'network token not resolved')
    }
  })
}
