import { eventually, restAfter } from '@cofre/testing/testing'
import { cardToken, customer, type System } from '../journeys/system'

/** A charge and the least number of its events: an operation that was answered 503 may have been done. */
export type Made = { id: number; inbox: string; events: number }
export type Busy = {
  made: readonly Made[]
  /** Requests that were not answered 201: the path, then the status and its reason, or the error. */
  failures: readonly string[]
  stop(): Promise<void>
}

const INBOXES = 500
/** The pause between two charges of a seller: other tests run on the same two cores. */
const REST_MS = 100
const FAILURES_MAX = 20
const DELIVERED_WITHIN_MS = 240_000

/** Starts sellers who charge a card and refund it twice, over and over until stopped. Each charge has three events. */
export async function startBusySellers(system: System, sellers: number, name: string): Promise<Busy> {
  const token = await cardToken(system, 0)
  const made: Made[] = []
  const failures: string[] = []
  let stopping = false
  let count = 0
  const ask = async (path: string, body: unknown) => {
    const answer = await system.api('POST', path, { body }).catch((error: Error) => {
      failures.push(`${path} ${error.message}`)
      return undefined
    })
    if (answer && answer.status !== 201)
      failures.push(`${path} ${answer.status} ${answer.body?.detail ?? answer.body?.code}`)
    return answer?.status === 201 ? answer.body : undefined
  }
  const sell = async () => {
    for (let began = Date.now(); !stopping && failures.length < FAILURES_MAX; began = Date.now()) {
      const inbox = `${name}-${count++ % INBOXES}`
      const notificationUrl = `${system.ready.sandboxInboxUrl}/${inbox}`
      const order = { amount: 300, installments: 1, customer, cardToken: { token }, notificationUrl }
      const charge = await ask(`/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`, order)
      if (charge) {
        const one: Made = { id: charge.id, inbox, events: 1 }
        made.push(one)
        for (const amount of [100, 200]) {
          if (await ask(`/api/v2/charges/${charge.id}/refund`, { amount })) one.events += 1
        }
      }
      await restAfter(began, REST_MS)
    }
  }
  const selling = Promise.all(Array.from({ length: sellers }, sell))
  const stop = async () => {
    stopping = true
    await selling
  }
  return { made, failures, stop }
}

/**
 * Waits until every event of every charge has arrived; returns the charges whose events came out of order. It reads one
 * inbox after the other: polling all of them at once would keep the receiver from receiving.
 */
export async function untilDelivered(system: System, made: readonly Made[]): Promise<number[]> {
  const told = new Map<number, number[]>()
  const isMissing = ({ id, events }: Made) => new Set(told.get(id)).size < events
  const until = Date.now() + DELIVERED_WITHIN_MS
  for (const name of new Set(made.map(({ inbox }) => inbox))) {
    await eventually(async () => {
      for (const [id, sequences] of await readInbox(system, name)) told.set(id, sequences)
      expect(made.filter((one) => one.inbox === name && isMissing(one))).toEqual([])
    }, until - Date.now())
  }
  return made
    .filter(({ id }) => [...new Set(told.get(id))].some((sequence, at) => sequence !== at + 1))
    .map(({ id }) => id)
}

/** The sequence numbers that arrived for each charge, in the order of their arrival. */
async function readInbox(system: System, name: string): Promise<Map<number, number[]>> {
  const told = new Map<number, number[]>()
  const messages: { body: string }[] = await system.sandbox('GET', `/inbox/${name}`)
  for (const { body } of messages) {
    const { sequence, resource } = JSON.parse(body)
    told.set(resource.id, [...(told.get(resource.id) ?? []), sequence])
  }
  return told
}
