import type { Finished } from '../deliveries/verdict-store'
import { PROMPT_MS } from '../sweepers/attempt'
import type { Sending } from '../sweepers/running-attempts'

type InLane = { lane: string; asker: { sellerId: number; host: string } }

/** What was sent; `delivered` once it was, in time. */
export type Sent = { sending: Sending; delivered: Finished | undefined }

const LOOK_AGAIN_MS = 5
/** What waits for others for so long has to be stored first. */
const PATIENCE_MS = 250

/**
 * Sends one after another in each lane, while each is delivered, as `begin` finds room. Ends when all is sent, when nothing
 * has come of it for `PROMPT_MS`, or after `PATIENCE_MS`: what is under way then goes on, and the rest has to be stored first.
 * `onDelivered` is called of each that was delivered in time.
 */
export async function sendInLanes<Message extends InLane>(
  messages: readonly Message[],
  begin: (next: Message) => Sent | undefined,
  onDelivered: (message: Message) => void,
): Promise<void> {
  const ofLane = new Map<string, Message[]>()
  for (const each of messages) ofLane.set(each.lane, [...(ofLane.get(each.lane) ?? []), each])
  let queue = [...ofLane.values()]
  let [running, isOver] = [0, false]
  let endAt = performance.now() + PROMPT_MS
  const mustEndAt = performance.now() + PATIENCE_MS
  const sendFirst = ([first, ...rest]: Message[]): boolean => {
    const sent = first && begin(first)
    if (!sent) return false
    running += 1
    void sent.sending.then((finished) => ended(first, sent, finished, rest))
    return true
  }
  /** Goes through the lanes; one without room holds up those of its receiver. */
  const sendSome = () => {
    const full = new Set<string>()
    queue = queue.filter((lane) => {
      const { sellerId = 0, host = '' } = lane[0]?.asker ?? {}
      const receiver = `${sellerId} ${host}`
      if (full.has(receiver)) return true
      if (sendFirst(lane)) return false
      full.add(receiver)
      return true
    })
  }
  let step = () => {}
  const ended = (message: Message, sent: Sent, finished: Finished | undefined, rest: Message[]) => {
    running -= 1
    if (isOver) return
    endAt = performance.now() + PROMPT_MS
    if (finished?.verdict.status === 'DELIVERED') {
      sent.delivered = finished
      onDelivered(message)
      if (rest.length > 0) queue.push(rest)
    }
    step()
  }
  await new Promise<void>((resolve) => {
    step = () => {
      sendSome()
      const isLate = performance.now() > Math.min(endAt, mustEndAt)
      if (!isLate && (running > 0 || queue.length > 0)) return
      isOver = true
      clearInterval(looking)
      resolve()
    }
    const looking = setInterval(step, LOOK_AGAIN_MS)
    step()
  })
}
