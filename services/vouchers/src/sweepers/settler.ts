import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { Deps } from '../deps'
import { settlePayments } from './settle-payments'

const AT_ONCE = 20

/** Settles payments whose time has come until stopped, many at once: one whose answer is slow keeps its own place only. */
export function startSettler(deps: Deps): Loop {
  const running = new Set<Promise<void>>()
  const take = async () => {
    const room = AT_ONCE - running.size
    if (room === 0) return 0
    const taken = await settlePayments(deps, room)
    for (const settling of taken) {
      running.add(settling)
      void settling.finally(() => {
        if (running.size === AT_ONCE) loop.wake()
        running.delete(settling)
      })
    }
    return taken.length
  }
  const loop = repeat(take, deps.rules.settleEveryMs, (err) => deps.log.error({ err }, 'settling failed'))
  const stop = async () => {
    await loop.stop()
    await Promise.all(running)
  }
  return { stop, wake: loop.wake }
}
