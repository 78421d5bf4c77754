import type { ChargeJson } from '@cofre/api/charge'
import type { System } from '../journeys/system'

/** A payment as the acquirer records it. */
export type AtAcquirer = {
  amount: number
  status: number
  authorizedAmount: number
  capturedAmount: number
  voidedAmount: number
}

export type FaultKind = 'ANSWER_LOST' | 'NOT_REACHED' | 'HTTP_500' | 'DONE_500' | 'SLOW'

/** How long orders waits for the acquirer in a run of the model. On a machine that stalls, answers may come later. */
export const ACQUIRER_TIMEOUT_MS = 2_000

/** Long enough for the sweeper to ask about a call that is still to be answered. */
const SLOW_MS = 500

export function paymentsOf(system: System, charge: ChargeJson): Promise<AtAcquirer[][]> {
  return Promise.all(
    charge.payments.map(
      ({ acquirer }) =>
        system.sandbox('GET', `/acquirer/payments?merchantOrderId=${acquirer.orderNumber}`) as Promise<
          AtAcquirer[]
        >,
    ),
  )
}

/** Makes the next `times` calls to the acquirer fail: calls that change something, calls that only query, or both. */
export async function setFault(
  system: System,
  kind: FaultKind,
  times = 1,
  { changes = true, queries = false } = {},
): Promise<void> {
  await system.sandbox('POST', '/faults', {
    partner: 'ACQUIRER',
    kind,
    times,
    changes,
    queries,
    delayMs: kind === 'SLOW' ? SLOW_MS : 0,
  })
}

/** Clears the remaining faults. Returns how many calls they would still have met. */
export async function clearFaults(system: System): Promise<number> {
  const left = (await system.sandbox('GET', '/faults')) as { times: number }[]
  if (left.length > 0) await system.sandbox('DELETE', '/faults')
  return left.reduce((sum, { times }) => sum + times, 0)
}

export type ChargeEvent = { type: string; sequence: number; data: ChargeJson }

/** The events of a charge that came to this inbox, each once. Throws when their order or content is wrong. */
export async function heardOf(system: System, inbox: string, id: number): Promise<ChargeEvent[]> {
  const posts = (await system.sandbox('GET', `/inbox/${inbox}`)) as {
    headers: Record<string, string>
    body: string
  }[]
  const events: ChargeEvent[] = []
  let last = ''
  for (const { headers, body } of posts) {
    const event = JSON.parse(body) as ChargeEvent
    const message = `${headers['webhook-id']} ${body}`
    if (event.data.id !== id || message === last) continue
    last = message
    events.push(event)
  }
  events.forEach((event, index) => checkEvent(event, events[index - 1], index + 1))
  return events
}

const TYPES: Record<string, string> = {
  PENDING: 'pending',
  AUTHORIZED: 'authorized',
  DENIED: 'denied',
  FAILED: 'failed',
  PARTIALLY_CAPTURED: 'captured',
  CAPTURED: 'captured',
  PARTIALLY_REFUNDED: 'refunded',
  REFUNDED: 'refunded',
  VOIDED: 'voided',
}
const OPERATIONS = [
  'charge.capture_failed',
  'charge.refund_failed',
  'charge.void_failed',
  'charge.pix_returned',
]

function checkEvent(
  { type, sequence, data }: ChargeEvent,
  before: ChargeEvent | undefined,
  due: number,
): void {
  const is = `event ${sequence} of charge ${data.id} (${type}, ${data.status}, refunded ${data.refundedAmount})`
  if (sequence !== due) throw new Error(`${is} came as number ${due}`)
  if (before && data.refundedAmount < before.data.refundedAmount) throw new Error(`${is} takes a refund back`)
  // A failed operation, and a Pix that nobody owed, change neither the status nor the refunded amount.
  if (OPERATIONS.includes(type)) return
  if (type !== `charge.${TYPES[data.status]}`) throw new Error(`${is} does not tell its charge's status`)
  if (!before) return
  const newer = data.status !== before.data.status || data.refundedAmount > before.data.refundedAmount
  if (!newer)
    throw new Error(`${is} tells nothing new after ${before.type} (refunded ${before.data.refundedAmount})`)
}
