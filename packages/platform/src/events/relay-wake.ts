import { currentCall } from '../grpc/call-context'
import { afterCommits, type Pool } from '../postgres/postgres'
import { wakeOfLoop } from '../service/lifecycle'

const APPENDING_MAX = 1_000

/** Requests that made events and are not known to have committed; '' stands for work outside of a request. */
const appending = new Set<string>()

const requestId = () => currentCall()?.requestId ?? ''

/** Notes that the current request is about to commit events. */
export function noteAppending(): void {
  // Requests that never commit stay here. A relay that misses a wake looks by itself.
  if (appending.size >= APPENDING_MAX) appending.clear()
  appending.add(requestId())
}

/**
 * `isBusy`: commits do not end its rest. `isIdle`: its last look found nothing. `isWoken`: events were committed since it
 * last looked.
 */
export type Relay = { isBusy: boolean; isIdle: boolean; isWoken: boolean; wake(): void }

const relays = new WeakMap<Pool, Relay>()

/** The relay of a pool. When it runs in a loop, a commit of events in this process wakes it. */
export function relayOf(pool: Pool): Relay {
  const known = relays.get(pool)
  if (known) {
    known.wake = wakeOfLoop() ?? known.wake
    return known
  }
  const relay: Relay = { isBusy: false, isIdle: false, isWoken: false, wake: wakeOfLoop() ?? (() => {}) }
  relays.set(pool, relay)
  afterCommits(pool, () => {
    if (!appending.delete(requestId()) || relay.isBusy) return
    relay.isWoken = true
    relay.wake()
  })
  return relay
}
