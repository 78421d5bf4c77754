import { randomUUID } from 'node:crypto'
import type { Claimed } from '../deliveries/claim-store'
import type { Finished, HandedOn } from '../deliveries/verdict-store'
import type { Deps } from '../deps'
import { openLimiter, type Asker, type Limiter } from '../receivers/attempt-limiter'
import { attempt, endingOf, finish, openTools, tell } from './attempt'

/** The result of sending; undefined: nothing was sent. */
export type Sending = Promise<Finished | undefined>

export type RunningAttempts = {
  limiter: Limiter
  /** How many attempts run at a receiver. */
  at(receiverId: number): number
  /** A lease for a first attempt, to be begun, sent or released; undefined when no slot is free. */
  admit(asker: Asker): string | undefined
  release(asker: Asker): void
  /** Begins an attempt whose lane is leased, and that is counted there; `sending`: it was sent already. */
  begin(claimed: Claimed, asker: Asker, sending?: Sending): void
  /** Sends an admitted message that is not stored yet. It is then begun, ended with `endAhead`, or given up. */
  send(claimed: Claimed, asker: Asker): Sending
  /** Frees the place of a delivered message, which needs none while it is stored with its outcome. */
  endAhead(asker: Asker): void
  /** Records and logs a message that was sent ahead, once it is stored. */
  tellOf(finished: Finished): void
  /** Gives up a sent message that could not be stored: it will be sent again. */
  giveUp(sending: Sending, asker: Asker): void
  allEnded(): Promise<void>
}

/** The attempts that run in this process. `onEnd` gets the receiver of each, and the state of its lane. */
export function openRunningAttempts(
  deps: Deps,
  onEnd: (receiverId: number, handedOn: HandedOn | undefined) => void,
): RunningAttempts {
  const limiter = openLimiter(deps.delivery.concurrency)
  const tools = openTools(deps)
  const running = new Set<Promise<void>>()
  const atReceivers = new Map<number, number>()
  const at = (receiverId: number) => atReceivers.get(receiverId) ?? 0
  const count = (receiverId: number, change: number) => {
    const left = at(receiverId) + change
    if (left > 0) atReceivers.set(receiverId, left)
    else atReceivers.delete(receiverId)
  }
  const keepTrack = (work: Promise<void>) => {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }
  /** Frees the receiver's slot before the verdict is written. Never rejects: an attempt that fails is made again. */
  const send = async (claimed: Claimed, asker: Asker): Sending => {
    const isShort = limiter.isDistrusted(asker)
    const finished = await attempt(tools, claimed, isShort).catch((err: unknown) => notFinished(claimed, err))
    limiter.leave(asker, finished ? endingOf(finished.attempt, isShort) : 'not made')
    return finished
  }
  const notFinished = ({ delivery }: Claimed, err: unknown) => {
    const { id, webhookId } = delivery
    deps.log.error({ err, deliveryId: id, webhookId }, 'attempt not finished, will be made again')
    return undefined
  }
  const run = async (claimed: Claimed, asker: Asker, sending: Sending) => {
    const finished = await sending
    const handedOn = finished
      ? await finish(tools, { ...finished, claimed }).catch((err: unknown) => notFinished(claimed, err))
      : undefined
    limiter.end(asker, claimed.retried)
    count(claimed.receiverId, -1)
    onEnd(claimed.receiverId, handedOn)
  }
  return {
    limiter,
    at,
    admit: (asker) => {
      if (!limiter.mayBegin(asker)) return undefined
      limiter.begin(asker, false)
      return randomUUID()
    },
    release: (asker) => {
      limiter.leave(asker, 'not made')
      limiter.end(asker, false)
    },
    begin: (claimed, asker, sending = send(claimed, asker)) => {
      count(claimed.receiverId, 1)
      keepTrack(run(claimed, asker, sending))
    },
    send,
    endAhead: (asker) => limiter.end(asker, false),
    tellOf: (finished) => tell(tools, finished),
    giveUp: (sending, asker) => keepTrack(sending.then(() => limiter.end(asker, false))),
    allEnded: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
