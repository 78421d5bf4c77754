import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 50

/** Waits until `check` returns a value; the signal ends the wait with its reason. */
export async function waitUntil<T>(check: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    const answer = await check()
    if (answer !== undefined) return answer
    await pause(POLL_MS)
  }
}
