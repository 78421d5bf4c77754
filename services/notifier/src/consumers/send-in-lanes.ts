import type { Finished } from '../deliveries/verdict-store'
import { PROMPT_MS } from '../sweepers/attempt'
import type { Sending } from '../sweepers/running-attempts'

type InLane = { lane: string; asker: { host: string } }

/** A message that was sent; `delivered` is set once it is delivered in time. */
export type Sent = { sending: Sending; delivered: Finished | undefined }

/** How soon to look for room again. */
const LOOK_AGAIN_MS = 5

/**
 * Sends each lane's messages in turn, each once the one before is delivered and `begin` finds room. Ends when all are
 * sent, when no answer has come for `PROMPT_MS`, or when `leftMs` allows no more waiting. Attempts under way then go
 * on, and the rest must be stored first. Calls `onDelivered` for each message delivered in time, and returns how many.
 */
export async function sendInLanes<Message extends InLane>(
  messages: readonly Message[],
  begin: (next: Message) => Sent | undefined,
  onDelivered: (message: Message) => void,
  leftMs: (delivered: number) => number,
): Promise<number> {
  const ofLane = new Map<string, Message[]>()
  for (const each of messages) ofLane.set(each.lane, [...(ofLane.get(each.lane) ?? []), each])
  let queue = [...ofLane.values()]
  let [running, delivered, isOver] = [0, 0, false]
  let lastAt = performance.now()
  const sendFirst = ([first, ...rest]: Message[]): boolean => {
    const sent = first && begin(first)
    if (!sent) return false
    running += 1
    void sent.sending.then((finished) => ended(first, sent, finished, rest))
    return true
  }
  /** Goes through the lanes. One without room holds up the other lanes of its receiver. */
  const sendSome = () => {
    const full = new Set<string>()
    queue = queue.filter((lane) => {
      const { host = '' } = lane[0]?.asker ?? {}
      if (!full.has(host) && sendFirst(lane)) return false
      full.add(host)
      return true
    })
  }
  let step = () => {}
  const ended = (message: Message, sent: Sent, finished: Finished | undefined, rest: Message[]) => {
    running -= 1
    lastAt = performance.now()
    if (isOver) return
    if (finished?.verdict.status === 'DELIVERED') {
      delivered += 1
      sent.delivered = finished
      onDelivered(message)
      if (rest.length > 0) queue.push(rest)
    }
    step()
  }
  /** How many milliseconds to wait for the next answer; undefined: no longer. */
  const goOn = (): number | undefined => {
    const waitMs = Math.min(leftMs(delivered), lastAt + PROMPT_MS - performance.now())
    if (waitMs <= 0) return undefined
    sendSome()
    if (queue.length > 0) return LOOK_AGAIN_MS
    return running > 0 ? waitMs : undefined
  }
  await new Promise<void>((resolve) => {
    let looking: NodeJS.Timeout | undefined
    step = () => {
      clearTimeout(looking)
      const waitMs = goOn()
      isOver = waitMs === undefined
      if (isOver) resolve()
      else looking = setTimeout(step, waitMs)
    }
    step()
  })
  return delivered
}
