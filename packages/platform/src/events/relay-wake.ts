import { currentCall } from '../grpc/call-context'
import { afterCommits, type Pool } from '../postgres/postgres'
import { wakeOfLoop } from '../service/lifecycle'

const APPENDING_MAX = 1_000

/** Requests that made events of which no commit is known yet; '' is whatever runs outside of one. */
const appending = new Set<string>()

const requestId = () => currentCall()?.requestId ?? ''

/** The present request is about to commit events. */
export function noteAppending(): void {
  // What was never committed stays here; a relay whose wake is lost looks by itself.
  if (appending.size >= APPENDING_MAX) appending.clear()
  appending.add(requestId())
}

/** `isBusy`: it rests whatever is committed. `isWoken`: events were committed since it last looked. */
export type Relay = { isBusy: boolean; isWoken: boolean; wake(): void }

const relays = new WeakMap<Pool, Relay>()

/** The relay of a pool: where it runs in a loop, a commit of events in this process wakes it. */
export function relayOf(pool: Pool): Relay {
  const known = relays.get(pool)
  if (known) {
    known.wake = wakeOfLoop() ?? known.wake
    return known
  }
  const relay: Relay = { isBusy: false, isWoken: false, wake: wakeOfLoop() ?? (() => {}) }
  relays.set(pool, relay)
  afterCommits(pool, () => {
    if (!appending.delete(requestId()) || relay.isBusy) return
    relay.isWoken = true
    relay.wake()
  })
  return relay
}
