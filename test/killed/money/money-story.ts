import { setTimeout as pause } from 'node:timers/promises'
import { INVOICES } from '../invoices/invoice-story'
import type { Entry } from '../ledger'
import { ask, request, type Teller } from '../teller'

const DAY_MS = 86_400_000
const RECEIPTS = `${INVOICES}/unexpected-receipts`
const FOUND_TRIES = 80
const FOUND_POLL_MS = 250

type Step = 'short' | 'apply' | 'keep' | 'return' | 'whole' | 'part' | 'rest' | 'write-off' | 'void'

/** The steps of an invoice, one after the other; the steps of an inner list are taken at once. */
const WAYS: readonly (readonly (Step | readonly Step[])[])[] = [
  ['short', 'apply'],
  ['short', 'keep'],
  ['short', 'return'],
  ['short', ['apply', 'apply']],
  ['short', ['apply', 'whole']],
  ['short', ['keep', 'return']],
  ['short', ['apply', 'void']],
  ['whole'],
  [['whole', 'whole']],
  [['whole', 'void']],
  ['part', 'write-off'],
  ['part', ['write-off', 'rest']],
  ['part', 'rest'],
  ['short', 'whole', 'return'],
]

/** The name of a customer by which the invoices of this story are found. */
export const owingOf = (story: string) => `owing-${story}`

type Owing = { id: number; amount: number }

/** Makes an invoice whose money does not match, and decides what becomes of it. */
export async function tellMoneyStory(teller: Teller, story: string): Promise<void> {
  const { random, system } = teller
  const create = (operation: 'payer' | 'paid-product' | 'paid-invoice', path: string, body: object) =>
    request<{ id: number }>(teller, { story, operation, method: 'POST', path, body })
  const name = owingOf(story)
  const customer = await create('payer', '/api/v2/customers', { name, document: '12345678909' })
  const product = await create('paid-product', '/api/v2/products', {
    productType: 'ONETIME',
    name,
    value: 4_990,
  })
  if (!customer || !product) return
  const amount = random.int(500, 50_000)
  const invoice = await create('paid-invoice', `/api/v2/sellers/${system.ready.sellerId}/invoices`, {
    customerId: customer.id,
    dueDate: Date.now() + 10 * DAY_MS,
    finalize: true,
    items: [{ productId: product.id, quantity: 1, unitPriceInCents: amount }],
  })
  if (!invoice) return
  for (const step of random.pick(WAYS)) {
    if (teller.stopped()) return
    const steps = typeof step === 'string' ? [step] : step
    await Promise.all(steps.map((each) => take(teller, story, { id: invoice.id, amount }, each)))
  }
}

async function take(teller: Teller, story: string, invoice: Owing, step: Step): Promise<void> {
  const at = `${INVOICES}/${invoice.id}`
  const post = (operation: Entry['operation'], path: string, body?: object) =>
    // Another step may have decided first; then this one is refused.
    ask(teller, { story, operation, method: 'POST', path, body }, [200, 409, 422])
  if (step === 'short') return payShort(teller, story, invoice)
  if (step === 'void') return void (await post('pay-void', `${at}/void`))
  if (step === 'write-off')
    return void (await post('write-off', `${at}/write-off`, { reason: 'We accept it.' }))
  if (step === 'whole' || step === 'part' || step === 'rest') {
    const part = Math.floor(invoice.amount / 2)
    const amountInCents = { whole: invoice.amount, part, rest: invoice.amount - part }[step]
    const body = { amountInCents, paidAt: Date.now() - 1_000, kind: 'CASH' }
    return void (await post('external', `${at}/payments/external`, body))
  }
  const receipt = await waitingReceipt(teller, invoice)
  if (receipt === undefined) return
  const bodies = {
    apply: { writeOffRest: true },
    keep: { note: 'Kept.' },
    return: { returnedAt: Date.now() - 1_000 },
  }
  await post(`receipt-${step}`, `${RECEIPTS}/${receipt}/${step}`, bodies[step])
}

/** Pays the boleto of an invoice with one cent less than it asks. */
async function payShort(teller: Teller, story: string, { id, amount }: Owing): Promise<void> {
  const path = `${INVOICES}/${id}/boleto`
  for (let tries = 0; tries < FOUND_TRIES && !teller.stopped(); tries++) {
    const wanted = { story, operation: 'boleto' as const, method: 'POST' as const, path, body: undefined }
    const answer = await ask<{ digitableLine: string | null }>(teller, wanted, [200, 201, 409, 422])
    if (!answer || answer.status >= 300) return
    const { digitableLine } = answer.body
    if (digitableLine === null) await pause(FOUND_POLL_MS)
    else {
      await fetch(`${teller.system.ready.sandboxUrl}/boletos/${digitableLine}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amountInCents: amount - 1 }),
      })
      return
    }
  }
}

/** The receipt of an invoice that waits, once the bank's notice came. */
async function waitingReceipt({ client, stopped }: Teller, { id }: Owing): Promise<number | undefined> {
  for (let tries = 0; tries < FOUND_TRIES && !stopped(); tries++) {
    const { body } = await client({ method: 'GET', path: `${RECEIPTS}?size=100` })
    const { content = [] } = body as { content?: { id: number; invoiceId: number | null }[] }
    const found = content.find(({ invoiceId }) => invoiceId === id)
    if (found) return found.id
    await pause(FOUND_POLL_MS)
  }
  return undefined
}
