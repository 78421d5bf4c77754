import type { Finished } from '../deliveries/verdict-store'
import { PROMPT_MS } from '../sweepers/attempt'
import type { Sending } from '../sweepers/running-attempts'

/** What was sent; `delivered` once it was, in time. */
export type Sent = { sending: Sending; delivered: Finished | undefined }

const LOOK_AGAIN_MS = 5
/** With nothing under way, room that others have is waited for so long. */
const IDLE_MS = 10

/**
 * Sends to one receiver, one after another in each lane, while each is delivered and as `begin` finds room. Ends when all is
 * sent, when others have the room, when nothing has come of it for `PROMPT_MS`, or at `endAt` (of `performance.now()`): what
 * is under way then goes on, and the rest has to be stored first. `onDelivered` is called of each that was delivered in time.
 */
export async function sendInLanes<Message extends { lane: string }>(
  messages: readonly Message[],
  begin: (next: Message) => Sent | undefined,
  onDelivered: (message: Message) => void,
  endAt: number,
): Promise<void> {
  const ofLane = new Map<string, Message[]>()
  for (const each of messages) ofLane.set(each.lane, [...(ofLane.get(each.lane) ?? []), each])
  const queue = [...ofLane.values()]
  let [running, isOver] = [0, false]
  let lastAt = performance.now()
  const sendFirst = ([first, ...rest]: Message[]): boolean => {
    const sent = first && begin(first)
    if (!sent) return false
    running += 1
    void sent.sending.then((finished) => ended(first, sent, finished, rest))
    return true
  }
  let step = () => {}
  const ended = (message: Message, sent: Sent, finished: Finished | undefined, rest: Message[]) => {
    running -= 1
    lastAt = performance.now()
    if (isOver) return
    if (finished?.verdict.status === 'DELIVERED') {
      sent.delivered = finished
      onDelivered(message)
      if (rest.length > 0) queue.push(rest)
    }
    step()
  }
  const mayGoOn = () => {
    const at = performance.now()
    if (at >= Math.min(endAt, lastAt + PROMPT_MS)) return false
    while (queue[0] && sendFirst(queue[0])) queue.shift()
    return running > 0 || (queue.length > 0 && at < lastAt + IDLE_MS)
  }
  await new Promise<void>((resolve) => {
    step = () => {
      if (mayGoOn()) return
      isOver = true
      clearInterval(looking)
      resolve()
    }
    const looking = setInterval(step, LOOK_AGAIN_MS)
    step()
  })
}
