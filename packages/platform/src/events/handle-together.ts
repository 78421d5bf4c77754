import type { LogEvent } from './event-log'

export type Handlers = {
  handle: (event: LogEvent) => Promise<void>
  handleAll?: ((events: readonly LogEvent[]) => Promise<void>) | undefined
}

/** The most events handled together. A stop waits for the events in hand. */
export const AT_ONCE = 200

/**
 * Handles events in order, some at once where the consumer can. Calls `done` with the last event of each part. When a
 * group fails, each of its events is handled alone, so that only the faulty one stops. Ends when `mayGoOn` is false.
 */
export async function inGroups<Read extends { event: LogEvent }>(
  read: readonly Read[],
  { handleAll }: Handlers,
  handleOne: (read: Read) => Promise<void>,
  done: (last: Read) => Promise<void> | void,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let from = 0; from < read.length && mayGoOn(); from += AT_ONCE) {
    const group = read.slice(from, from + AT_ONCE)
    const last = group.at(-1)
    if (
      handleAll &&
      last &&
      group.length > 1 &&
      (await succeeds(() => handleAll(group.map(({ event }) => event))))
    ) {
      await done(last)
      continue
    }
    for (const each of group) {
      if (!mayGoOn()) return
      await handleOne(each)
      await done(each)
    }
  }
}

/** Hides a failure: the events are handled again one by one, and their failures are logged there. */
async function succeeds(work: () => Promise<void>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  )
}
