import { setTimeout as pause } from 'node:timers/promises'
import type { ChargeJson } from '@cofre/api/charge'
import { APPROVED, cardEndingIn } from '../cards'
import { INVOICES } from '../invoices/invoice-story'
import type { Entry } from '../ledger'
import { ask, request, type Teller } from '../teller'

const DAY_MS = 86_400_000
const SEEN_TRIES = 120
const SEEN_POLL_MS = 250
const EVIDENCE = '%PDF-1.4\n'.padEnd(150_000, 'signed ')

type Step = 'accept' | 'contest' | 'win' | 'lose'

/** What becomes of a dispute, one after the other; the steps of an inner list are taken at once. */
const WAYS: readonly (readonly (Step | readonly Step[])[])[] = [
  [],
  ['accept'],
  ['contest'],
  [['contest', 'contest']],
  [['accept', 'contest']],
  [['accept', 'accept']],
  ['contest', 'win'],
  ['contest', 'lose'],
  [['contest', 'contest'], 'win'],
]

/** The name of a customer by which the invoices of this story are found. */
export const disputerOf = (story: string) => `disputing-${story}`

/** Sells something, whose card holder takes the money back; the seller answers, twice or not at all; the issuer decides. */
export async function tellDisputeStory(teller: Teller, story: string): Promise<void> {
  const { client, random, ledger } = teller
  const paid = random.chance(0.5) ? await payInvoice(teller, story) : await sell(teller, story)
  if (!paid) return
  const { body } = await client({ method: 'GET', path: `/api/v2/charges/${paid.chargeId}` })
  const tid = (body as ChargeJson).payments[0]?.acquirer?.tid ?? ''
  const opened = await atAcquirer(teller, '', { tid, webhook: random.chance(0.5) ? 'lost' : 'sent' })
  ledger.disputed.push({ ...paid, tid })
  const id = await untilSeen(teller, paid.chargeId, 'NEEDS_RESPONSE')
  if (id === undefined) return
  for (const step of random.pick(WAYS)) {
    if (teller.stopped()) return
    const steps = typeof step === 'string' ? [step] : step
    await Promise.all(steps.map((each) => take(teller, story, { id, chargeId: paid.chargeId, opened }, each)))
  }
}

type Paid = { chargeId: number; invoiceId: number | null }

async function sell(teller: Teller, story: string): Promise<Paid | undefined> {
  const { random, system } = teller
  const body = {
    customer: { name: 'Ana Souza', document: '12345678909' },
    notificationUrl: `${system.inbox}/${teller.name}`,
    amount: random.int(100, 50_000),
    installments: 1,
    card: card(teller),
  }
  const path = `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`
  const charge = await request<ChargeJson>(teller, { story, operation: 'charge', method: 'POST', path, body })
  return charge?.status === 'CAPTURED' ? { chargeId: charge.id, invoiceId: null } : undefined
}

async function payInvoice(teller: Teller, story: string): Promise<Paid | undefined> {
  const { random, system } = teller
  const create = (operation: Entry['operation'], path: string, body: object) =>
    request<{ id: number }>(teller, { story, operation, method: 'POST', path, body })
  const name = disputerOf(story)
  const customer = await create('payer', '/api/v2/customers', { name, document: '12345678909' })
  const product = await create('paid-product', '/api/v2/products', {
    productType: 'ONETIME',
    name,
    value: 4_990,
  })
  if (!customer || !product) return undefined
  const invoice = await create('paid-invoice', `/api/v2/sellers/${system.ready.sellerId}/invoices`, {
    customerId: customer.id,
    dueDate: Date.now() + 10 * DAY_MS,
    finalize: true,
    items: [{ productId: product.id, quantity: 1, unitPriceInCents: random.int(500, 50_000) }],
  })
  if (!invoice) return undefined
  const path = `${INVOICES}/${invoice.id}/credit-card/pay`
  const wanted = { story, operation: 'pay' as const, method: 'POST' as const, path }
  const body = { card: card(teller), installments: 1 }
  const answer = await ask<{ status: string; transactions: { chargeId: number | null }[] }>(
    teller,
    { ...wanted, body },
    [201],
  )
  const chargeId = answer?.body.transactions[0]?.chargeId
  return answer?.body.status === 'PAID' && chargeId ? { chargeId, invoiceId: invoice.id } : undefined
}

function card({ random }: Teller): object {
  return {
    cardNumber: cardEndingIn(random.pick(APPROVED), random),
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    expiration: { year: 2049, month: 12 },
    cvv: '123',
  }
}

/** Opens or decides a case; returns its name. */
async function atAcquirer({ system }: Teller, path: string, body: object): Promise<string> {
  const response = await fetch(`${system.ready.sandboxUrl}/acquirer/chargebacks${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { idChargeback } = (await response.json()) as { idChargeback: string }
  return idChargeback
}

/** The id of a charge's dispute once it has this status. Undefined: the run is over. */
async function untilSeen(
  { client, stopped }: Teller,
  chargeId: number,
  status: string,
): Promise<number | undefined> {
  for (let tries = 0; tries < SEEN_TRIES && !stopped(); tries++) {
    const { body } = await client({ method: 'GET', path: `/api/v2/disputes?chargeId=${chargeId}` })
    const [found] = (body as { content: { id: number; status: string }[] }).content
    if (found?.status === status) return found.id
    await pause(SEEN_POLL_MS)
  }
  return undefined
}

type Open = { id: number; chargeId: number; opened: string }

async function take(
  teller: Teller,
  story: string,
  { id, chargeId, opened }: Open,
  step: Step,
): Promise<void> {
  if (step === 'win' || step === 'lose') {
    if ((await untilSeen(teller, chargeId, 'UNDER_REVIEW')) === undefined) return
    await atAcquirer(teller, `/${opened}/${step}`, { webhook: teller.random.chance(0.5) ? 'lost' : 'sent' })
    return
  }
  const path = `/api/v2/disputes/${id}/${step === 'accept' ? 'accept' : 'evidence'}`
  const body = step === 'accept' ? {} : evidence()
  // Another answer may be on its way; then this one is refused.
  await ask(teller, { story, operation: `dispute-${step}`, method: 'POST', path, body }, [201, 422])
}

function evidence(): FormData {
  const form = new FormData()
  form.append('reason', 'Entregue e assinado.')
  form.append('file', new Blob([EVIDENCE], { type: 'application/pdf' }), 'entrega.pdf')
  return form
}
