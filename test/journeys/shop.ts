import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { INVOICE_EVENTS } from '@cofre/api/events'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { Answer, System } from './system'

/** A customer and a product of a seller. */
export type Shop = { customerId: number; productId: number }

export const INVOICES = '/api/v2/invoices'
const DAY_MS = 86_400_000
const REPEATED_AFTER_MS = 200
const TRIES_MAX = 100
/** The answers of a busy machine. A repeat with the same key is safe. */
const BUSY = ['503', '409 IDEMPOTENCY_KEY_IN_USE']

/** A request; without a token, the demo seller sends it. */
export type Asking = { body?: unknown; token?: string; key?: string }

/** Repeats a request while the machine is busy; returns the first other answer, or the last one. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    const { status, body } = answer
    const isBusy = BUSY.includes(`${status}`) || BUSY.includes(`${status} ${body?.code}`)
    if (!isBusy || tries === TRIES_MAX) return answer
    await pause(REPEATED_AFTER_MS)
  }
}

/** Sends a write with an Idempotency-Key. */
export function write(
  system: System,
  method: 'POST' | 'PUT',
  path: string,
  { key = randomUUID(), ...asking }: Asking = {},
): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  return untilAnswered(() => system.api(method, path, { ...asking, headers }))
}

export function read(system: System, path: string): Promise<Answer> {
  return untilAnswered(() => system.api('GET', path))
}

/** Deletes a resource. The answer is also 404 when an earlier try did it and was not answered. */
export function remove(system: System, path: string): Promise<Answer> {
  return untilAnswered(() => system.api('DELETE', path))
}

/** Returns the resource that the request made. Throws when it made none. */
async function make(system: System, path: string, asking: Asking): Promise<any> {
  const { status, body } = await write(system, 'POST', path, asking)
  if (status !== 201) throw new Error(`POST ${path} was answered ${status} ${body?.code}`)
  return body
}

export async function newCustomer(system: System, fields: object = {}, asking: Asking = {}): Promise<number> {
  const body = { name: 'Ana Souza', document: '12345678909', email: 'ana@example.com', ...fields }
  return (await make(system, '/api/v2/customers', { ...asking, body })).id
}

export async function newShop(system: System, asking: Asking = {}): Promise<Shop> {
  const product = { productType: 'ONETIME', name: 'Caneca', value: 4_990 }
  const { id: productId } = await make(system, '/api/v2/products', { ...asking, body: product })
  return { customerId: await newCustomer(system, {}, asking), productId }
}

/** Two mugs, 99.80 in all, due in ten days. */
export function invoiceOf({ customerId, productId }: Shop, changes: object = {}) {
  const items = [{ productId, quantity: 2, unitPriceInCents: 4_990 }]
  return { customerId, dueDate: Date.now() + 10 * DAY_MS, items, ...changes }
}

export function askForInvoice(system: System, body: object, asking: Asking = {}): Promise<Answer> {
  const path = `/api/v2/sellers/${system.ready.sellerId}/invoices`
  return write(system, 'POST', path, { ...asking, body })
}

export async function newInvoice(system: System, body: object): Promise<InvoiceJson> {
  const { status, body: invoice } = await askForInvoice(system, body)
  if (status !== 201) throw new Error(`an invoice was answered ${status} ${invoice?.code}`)
  return invoice
}

export type Move = 'finalize' | 'void' | 'uncollectible'

export function move(system: System, id: number, action: Move, asking: Asking = {}): Promise<Answer> {
  return write(system, 'POST', `${INVOICES}/${id}/${action}`, asking)
}

export async function readInvoice(system: System, id: number): Promise<InvoiceJson> {
  const { status, body } = await read(system, `${INVOICES}/${id}`)
  if (status !== 200) throw new Error(`invoice ${id} was answered ${status}`)
  return body
}

/** Registers a URL for all events of invoices. Returns the endpoint's secret, and a function that deletes it. */
export async function listenAt(
  system: System,
  url: string,
): Promise<{ secret: string; end: () => Promise<void> }> {
  const { id, secret } = await make(system, '/api/v2/webhooks/endpoints', {
    body: { url, events: INVOICE_EVENTS },
  })
  const end = async () => void (await remove(system, `/api/v2/webhooks/endpoints/${id}`))
  return { secret, end }
}

/** Registers an inbox of the sandbox in the same way. An inbox keeps 1,000 messages. */
export function listen(system: System, inbox: string) {
  return listenAt(system, `${system.ready.sandboxInboxUrl}/${inbox}`)
}

export type Told = { type: string; sequence: number; webhookId: string; data: InvoiceJson }

/** The events that a receiver got of each invoice, in order and without repeats. Throws when a repeat differs. */
export function toldOf(posts: readonly { webhookId: string; body: string }[]): Map<number, Told[]> {
  const bodies = new Map<string, string>()
  const told = new Map<number, Told[]>()
  for (const { webhookId, body } of posts) {
    const before = bodies.get(webhookId)
    if (before !== undefined && before !== body) throw new Error(`${webhookId} was told in two ways`)
    bodies.set(webhookId, body)
    if (before !== undefined) continue
    const { type, sequence, resource, data } = JSON.parse(body)
    const ofInvoice = told.get(resource.id) ?? []
    told.set(resource.id, [...ofInvoice, { type, sequence, webhookId, data }])
  }
  return told
}

type Message = { body: string; headers: Record<string, string> }

export async function toldIn(system: System, inbox: string): Promise<Map<number, Told[]>> {
  const messages = (await system.sandbox('GET', `/inbox/${inbox}`)) as Message[]
  return toldOf(messages.map(({ body, headers }) => ({ webhookId: headers['webhook-id'] ?? '', body })))
}
