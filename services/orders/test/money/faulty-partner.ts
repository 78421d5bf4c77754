import { openPartner, type Partner, type PartnerCall } from '@cofre/platform/outbound/partner-call'
import type { Fault, Reply, SmallAcquirer } from '../support/small-acquirer'
import type { CallFault, CallKind, Faults } from './story'

/** One call to the acquirer, and the fault that it met. `requestId`: the operation that it belongs to. */
export type SentCall = { kind: CallKind; orderNumber: string; requestId: string; fault: CallFault }

export type FaultyPartner = ReturnType<typeof createFaultyPartner>

const door = (status: number): Reply => ({ status, body: '' })
const refusals: Record<CallKind, Reply> = {
  sale: { status: 400, body: [{ Code: 114 }] },
  capture: { status: 200, body: { Status: 1, ReturnCode: '842' } },
  void: { status: 200, body: { Status: 2, ReturnCode: '51' } },
  query: { status: 500, body: {} },
}

/** Stands in front of the small acquirer. Each call meets the fault planned for its payment and its kind. */
export function createFaultyPartner(partner: Partner, acquirer: SmallAcquirer) {
  // Nothing listens on this port.
  const closed = openPartner('https://127.0.0.1:1')
  const sent: SentCall[] = []
  const running = new Set<Promise<unknown>>()
  let plan: readonly Faults[] = []
  let orderNumbers: string[] = []
  let counts = new Map<string, number>()

  const nextFault = (kind: CallKind, orderNumber: string): CallFault => {
    if (!orderNumbers.includes(orderNumber)) orderNumbers.push(orderNumber)
    const position = orderNumbers.indexOf(orderNumber)
    const nth = counts.get(`${kind} ${position}`) ?? 0
    counts.set(`${kind} ${position}`, nth + 1)
    return plan[position]?.[kind][nth] ?? 'none'
  }
  const make = (asked: PartnerCall) => {
    const { kind, orderNumber } = callOf(acquirer, asked)
    const fault = nextFault(kind, orderNumber)
    sent.push({ kind, orderNumber, requestId: asked.headers?.['RequestId'] ?? '', fault })
    if (fault === 'not_sent') return closed.call(asked)
    const headers = { ...asked.headers, fault: JSON.stringify(faultAt(kind, fault)) }
    return partner.call({ ...asked, headers })
  }
  return {
    sent,
    call: (asked: PartnerCall) => {
      const made = make(asked)
      running.add(made)
      return made.finally(() => running.delete(made))
    },
    close: () => closed.close(),
    /** Starts again with these faults. */
    follow: (faults: readonly Faults[]) => {
      plan = faults
      orderNumbers = []
      counts = new Map()
      sent.length = 0
    },
    /** From then on every call is answered. */
    calm: () => void (plan = []),
    /** Resolves when no call is on its way. */
    idle: () => Promise.allSettled(running),
  } satisfies Partner & Record<string, unknown>
}

function faultAt(kind: CallKind, fault: Exclude<CallFault, 'not_sent'>): Fault {
  if (fault === 'refused') return refusals[kind]
  if (fault === 'busy') return { status: 400, body: [{ Code: 223 }] }
  if (fault === 'http_401') return door(401)
  if (fault === 'http_403') return door(403)
  if (fault === 'http_429') return door(429)
  return fault
}

function callOf({ payments }: SmallAcquirer, { method, path, body }: PartnerCall) {
  if (method === 'POST') {
    const sale = JSON.parse(body as string) as { MerchantOrderId: string }
    return { kind: 'sale' as const, orderNumber: sale.MerchantOrderId }
  }
  const byOrder = /merchantOrderId=(.+)$/.exec(path)?.[1]
  if (byOrder) return { kind: 'query' as const, orderNumber: byOrder }
  const orderNumber = payments.find(({ paymentId }) => path.includes(paymentId))?.orderNumber ?? ''
  if (method === 'GET') return { kind: 'query' as const, orderNumber }
  return { kind: path.includes('/capture') ? ('capture' as const) : ('void' as const), orderNumber }
}
