import { eventually, restAfter } from '@cofre/testing/testing'
import { INVOICES, invoiceOf, listenAt, newShop, toldOf } from '../journeys/shop'
import type { System } from '../journeys/system'
import { startReceiver } from '../killed/invoices/receiver'

/** An invoice that was made, and the events that it has. */
export type Billed = { id: number; invoiceNumber: string; types: string[] }
export type BusyInvoices = {
  billed: readonly Billed[]
  /** The unexpected answers. */
  failures: readonly string[]
  stop(): Promise<void>
  /** Waits until each event of each invoice was delivered, in order, and no other event. */
  untilTold(): Promise<void>
}

/** So long ago that no weekend or holiday moves the due date up to today. */
const REST_MS = 200
const FAILURES_MAX = 20
const DELIVERED_WITHIN_MS = 240_000

/** Starts a shop that makes invoices, finalizes and ends them, until stopped. It repeats nothing. */
export async function startBusyInvoices(system: System): Promise<BusyInvoices> {
  const shop = await newShop(system)
  const receiver = await startReceiver()
  const { end } = await listenAt(system, `${receiver.url.href}invoices`)
  const billed: Billed[] = []
  const failures: string[] = []
  let stopping = false
  const ask = async (path: string, due: number, body?: object) => {
    const answer = await system.api('POST', path, body ? { body } : {})
    if (answer.status === due) return answer.body
    throw new Error(`${path} ${answer.status} ${answer.body?.detail ?? answer.body?.code}`)
  }
  const make = async (changes: object): Promise<Billed> => {
    const path = `/api/v2/sellers/${system.ready.sellerId}/invoices`
    const { id, invoiceNumber } = await ask(path, 201, invoiceOf(shop, changes))
    const one: Billed = { id, invoiceNumber, types: ['invoice.created'] }
    billed.push(one)
    return one
  }
  const bill = async () => {
    const one = await make({})
    const { id } = one
    await ask(`${INVOICES}/${id}/finalize`, 201)
    one.types.push('invoice.finalized')
    const isVoided = billed.length % 4 === 0
    const [action, type] = isVoided ? ['void', 'invoice.voided'] : ['uncollectible', 'invoice.uncollectible']
    await ask(`${INVOICES}/${id}/${action}`, 200)
    one.types.push(type as string)
  }
  const repeat = async () => {
    while (!stopping && failures.length < FAILURES_MAX) {
      const began = Date.now()
      await bill().catch((error: Error) => failures.push(error.message))
      await restAfter(began, REST_MS)
    }
  }
  const billing = repeat()
  const stop = async () => {
    stopping = true
    await billing
  }
  const untilTold = async () => {
    await eventually(() => {
      const told = toldOf(receiver.posts)
      const heard = billed.map(({ id }) => told.get(id)?.map(({ sequence, type }) => [sequence, type]))
      expect(heard).toEqual(billed.map(({ types }) => types.map((type, at) => [at + 1, type])))
      expect(told.size).toBe(billed.length)
    }, DELIVERED_WITHIN_MS)
    await end()
    await receiver.close()
  }
  return { billed, failures, stop, untilTold }
}
