import { randomUUID } from 'node:crypto'
import type { Claimed } from '../deliveries/claim-store'
import type { HandedOn } from '../deliveries/verdict-store'
import type { Deps } from '../deps'
import { openRoom, type Asker, type Ending, type Room } from '../receivers/room'
import { attempt, openTools } from './attempt'

export type RunningAttempts = {
  room: Room
  /** How many run at a receiver. */
  at(receiverId: number): number
  /** A lease for a first attempt that is then begun or released; undefined when there is no room. */
  admit(asker: Asker): string | undefined
  release(asker: Asker): void
  /** Begins an attempt whose lane is leased, and which was counted in the room. */
  begin(claimed: Claimed, asker: Asker): void
  allEnded(): Promise<void>
}

/** The attempts that run in this process; `onEnd` is told of each what became of its lane. */
export function openRunningAttempts(
  deps: Deps,
  onEnd: (receiverId: number, handedOn: HandedOn | undefined) => void,
): RunningAttempts {
  const room = openRoom(deps.delivery.concurrency)
  const tools = openTools(deps)
  const running = new Set<Promise<void>>()
  const atReceivers = new Map<number, number>()
  const at = (receiverId: number) => atReceivers.get(receiverId) ?? 0
  const count = (receiverId: number, change: number) => {
    const left = at(receiverId) + change
    if (left > 0) atReceivers.set(receiverId, left)
    else atReceivers.delete(receiverId)
  }
  const run = async (claimed: Claimed, asker: Asker) => {
    const { receiverId, retried } = claimed
    let hasLeft = false
    const leave = (ending: Ending) => {
      if (!hasLeft) room.leave(asker, ending)
      hasLeft = true
    }
    const handedOn = await attempt(tools, claimed, room.isDistrusted(asker), leave).catch((err: unknown) => {
      deps.log.error(
        { err, deliveryId: claimed.delivery.id },
        'attempt not finished, will be made again when its lease has run out',
      )
      return undefined
    })
    leave('failed')
    room.end(asker, retried)
    count(receiverId, -1)
    onEnd(receiverId, handedOn)
  }
  return {
    room,
    at,
    admit: (asker) => {
      if ((room.offer([asker])[0]?.attempts ?? 0) === 0) return undefined
      room.begin(asker, false)
      return randomUUID()
    },
    release: (asker) => {
      room.leave(asker, 'failed')
      room.end(asker, false)
    },
    begin: (claimed, asker) => {
      count(claimed.receiverId, 1)
      const work = run(claimed, asker).finally(() => running.delete(work))
      running.add(work)
    },
    allEnded: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
