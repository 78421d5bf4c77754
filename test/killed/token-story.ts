import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import { APPROVED, cardEndingIn } from './cards'
import { isPending, request, untilResolved, type Teller } from './teller'

const POLL_MS = 200
const ISSUED_WITHIN_MS = 120_000
const customer = { name: 'Ana Souza', document: '12345678909' }

type Told = { token: string; status: string }

/** The inbox for the tokens of one teller. Its URL must be https, so it does not lead through the proxy. */
export function tokenInbox(name: string): string {
  return `${name}-tokens`
}

/** One network token from its request to its end, charged in between. */
export async function tellTokenStory(teller: Teller, story: string): Promise<void> {
  const { random, system } = teller
  const path = '/api/v2/cards/tokens/network'
  const body = {
    cardNumber: cardEndingIn(random.pick(APPROVED), random),
    holder: { name: 'ANA SOUZA' },
    expiration: { year: 2049, month: 12 },
    cvv: '123',
    notificationUrl: `${system.ready.sandboxInboxUrl}/${tokenInbox(teller.name)}`,
  }
  const asked = await request<Told>(teller, { story, operation: 'network-token', method: 'POST', path, body })
  if (!asked || teller.stopped()) return
  const status = await untilIssued(teller, `${path}/${asked.token}`)
  if (status !== 'ACTIVE') {
    if (!teller.stopped()) teller.ledger.breaches.push(`${story}: the network token is ${status}`)
    return
  }
  for (let turn = random.int(0, 2); turn > 0 && !teller.stopped(); turn--) {
    await chargeToken(teller, `${story}-${turn}`, asked.token)
  }
  if (teller.stopped() || random.chance(0.4)) return
  const deactivation = { story, operation: 'deactivation' as const, method: 'POST' as const, body: {} }
  await request(teller, { ...deactivation, path: `${path}/${asked.token}/deactivate` })
}

async function chargeToken(teller: Teller, story: string, token: string): Promise<void> {
  const { random, system } = teller
  const notificationUrl = `${system.inbox}/${teller.name}`
  const amount = random.int(100, 50_000)
  const body = { customer, notificationUrl, amount, installments: 1, networkToken: { token } }
  const path = '/api/v2/orders/credit-card/charge'
  const charge = await request<ChargeJson>(teller, { story, operation: 'charge', method: 'POST', path, body })
  if (charge && !teller.stopped() && isPending(charge)) await untilResolved(teller, charge.id)
}

async function untilIssued({ client, stopped }: Teller, path: string): Promise<string> {
  const until = Date.now() + ISSUED_WITHIN_MS
  for (;;) {
    const { body } = await client({ method: 'GET', path })
    const { status } = body as Told
    if (status !== 'PENDING' || stopped() || Date.now() > until) return status
    await pause(POLL_MS)
  }
}
