import type { LogEvent } from './event-log'

export type Handlers = {
  handle: (event: LogEvent) => Promise<void>
  handleAll?: ((events: readonly LogEvent[]) => Promise<void>) | undefined
}

/** An event in hand holds up whoever stops, and so does a group of them. */
export const AT_ONCE = 200

/**
 * Handles events in their order, some at once where the consumer can; `done` is told of each last one. Each of a group
 * that fails is handled by itself, so that only the one which can't be handled stops there. Ends when `mayGoOn` says no.
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

/** What fails here is handled again by itself, and told of there. */
async function succeeds(work: () => Promise<void>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  )
}
