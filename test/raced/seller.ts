import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import { customer, type System } from '../journeys/system'
import { cardEndingIn } from '../killed/cards'
import { drawn } from '@cofre/testing/random'

export type Request = { path: string; body: object; key?: string }
export type Answer = {
  status: number
  /** The code of a problem. */
  code: string | null
  body: ChargeJson & { code?: string; currentStatus?: string; allowedActions?: string[] }
  replayed: boolean
  location: string | null
  retryAfter: string | null
  /** From the sending to the answer, milliseconds. */
  tookMs: number
}

const RATE_LIMITED_MAX = 20

/** Sends a request once; repeats it after Retry-After only when the rate limit refused it. */
export async function ask(
  system: System,
  method: 'GET' | 'POST',
  request: Partial<Request>,
): Promise<Answer> {
  const { path = '', body, key } = request
  for (let tries = 1; ; tries++) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const sentAt = Date.now()
    const answer = await system.api(method, path, { body, headers })
    const retryAfter = answer.headers.get('retry-after')
    if (answer.status === 429 && tries < RATE_LIMITED_MAX) {
      await pause(Number(retryAfter) * 1_000)
      continue
    }
    return {
      status: answer.status,
      code: answer.status < 400 ? null : answer.body.code,
      body: answer.body,
      replayed: answer.headers.get('idempotency-replayed') === 'true',
      location: answer.headers.get('location'),
      retryAfter,
      tookMs: Date.now() - sentAt,
    }
  }
}

export const post = (system: System, request: Request) => ask(system, 'POST', request)

export async function readCharge(system: System, id: number): Promise<ChargeJson> {
  const { status, body } = await ask(system, 'GET', { path: `/api/v2/charges/${id}` })
  if (status !== 200) throw new Error(`charge ${id} was answered ${status}`)
  return body
}

const numbers = drawn('cards that are raced')

/** A new card token for a card that ends in `digit`, of a BIN of its own: declines of one BIN are limited. */
export async function newCard(system: System, digit: number): Promise<string> {
  const body = {
    cardNumber: cardEndingIn(digit, numbers),
    expiration: { year: 2049, month: 12 },
    holder: { name: 'ANA SOUZA', document: '12345678909' },
  }
  const { status, body: card } = await ask(system, 'POST', { path: '/api/v2/cards/tokens', body })
  if (status !== 201) throw new Error(`a card was answered ${status}`)
  return (card as unknown as { token: string }).token
}

/** An order that is only authorized, or captured at once (`direct`); each of its cards pays `amount`. */
export function orderOf(
  system: System,
  order: { cards: readonly string[]; amount: number; direct?: boolean; name: string; reference: number },
): Request {
  const { cards, amount, direct, name, reference } = order
  const path = `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/`
  if (direct) {
    const notificationUrl = `${system.ready.sandboxInboxUrl}/${name}`
    const cardToken = { token: cards[0] }
    const body = {
      amount,
      installments: 1,
      customer,
      cardToken,
      notificationUrl,
      externalReference: reference,
    }
    return { path: `${path}charge`, body }
  }
  const payments = cards.map((token) => ({ amount, installments: 1, cardToken: { token, cvv: '123' } }))
  const body = { orderReference: name, amount: amount * cards.length, customer, payments }
  return { path: `${path}authorize`, body }
}

/** All charges of an order, newest first, as the seller finds them. */
export async function findCharges(system: System, name: string, reference: number): Promise<ChargeJson[]> {
  const search = async (filter: string) => {
    const { body } = await ask(system, 'GET', { path: `/api/v2/charges?size=100&${filter}` })
    return (body as unknown as { content: ChargeJson[] }).content
  }
  return [...(await search(`orderReference=${name}`)), ...(await search(`externalReference=${reference}`))]
}
