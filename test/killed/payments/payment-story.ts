import { setTimeout as pause } from 'node:timers/promises'
import { ANSWER_LOST, APPROVED, cardEndingIn, DECLINED } from '../cards'
import { INVOICES } from '../invoices/invoice-story'
import { ask, request, type Teller } from '../teller'

const DAY_MS = 86_400_000
const DIGITS_TRIES = 40
const DIGITS_POLL_MS = 250

export type PaymentStep = 'approved' | 'declined' | 'lost' | 'boleto' | 'void'
/** Steps one after the other; the steps of an inner list are taken at once. */
export type Way<Step> = readonly (Step | readonly Step[])[]

const WAYS: readonly Way<PaymentStep>[] = [
  ['approved'],
  ['declined', 'approved'],
  ['lost'],
  ['lost', 'approved'],
  ['boleto'],
  ['declined', 'boleto'],
  [['approved', 'approved']],
  [['approved', 'void']],
  [['boleto', 'approved']],
  [['boleto', 'void']],
  [['lost', 'boleto']],
  ['approved', 'boleto'],
]

/** The name of a customer by which the invoices of this story are found. */
export const payerOf = (story: string) => `paying-${story}`

/** An invoice that is paid by card, by boleto, by both at once, or not at all. */
export function tellPaymentStory(teller: Teller, story: string): Promise<void> {
  const { random } = teller
  return payInvoice(teller, story, random.pick(WAYS), (id, step) => take(teller, story, id, step))
}

/** Makes a customer, a product and an invoice, and goes one way with it. */
export async function payInvoice<Step extends string>(
  teller: Teller,
  story: string,
  way: Way<Step>,
  each: (invoiceId: number, step: Step) => Promise<void>,
): Promise<void> {
  const { random, system } = teller
  const customer = await create(teller, story, 'payer', '/api/v2/customers', {
    name: payerOf(story),
    document: '12345678909',
  })
  const product = await create(teller, story, 'paid-product', '/api/v2/products', {
    productType: 'ONETIME',
    name: payerOf(story),
    value: 4_990,
  })
  if (!customer || !product) return
  const invoice = await create(
    teller,
    story,
    'paid-invoice',
    `/api/v2/sellers/${system.ready.sellerId}/invoices`,
    {
      customerId: customer.id,
      dueDate: Date.now() + 10 * DAY_MS,
      items: [{ productId: product.id, quantity: 1, unitPriceInCents: random.int(500, 50_000) }],
    },
  )
  if (!invoice) return
  for (const step of way) {
    if (teller.stopped()) return
    const steps = typeof step === 'string' ? [step] : step
    await Promise.all(steps.map((one) => each(invoice.id, one)))
  }
}

function create(
  teller: Teller,
  story: string,
  operation: 'payer' | 'paid-product' | 'paid-invoice',
  path: string,
  body: object,
): Promise<{ id: number } | undefined> {
  return request(teller, { story, operation, method: 'POST', path, body })
}

/** Pays an invoice in one way, or voids it. */
export async function take(
  teller: Teller,
  story: string,
  invoiceId: number,
  step: PaymentStep,
): Promise<void> {
  if (step === 'boleto') return payBoleto(teller, story, invoiceId)
  const method = 'POST' as const
  if (step === 'void') {
    const path = `${INVOICES}/${invoiceId}/void`
    // The void is refused once the invoice is paid, and while a card is being charged.
    await ask(teller, { story, operation: 'pay-void', method, path, body: undefined }, [200, 409, 422])
    return
  }
  const { random } = teller
  const digit = { approved: random.pick(APPROVED), declined: random.pick(DECLINED), lost: ANSWER_LOST }[step]
  const body = { card: { ...cardFields(cardEndingIn(digit, random)), cvv: '123' }, installments: 1 }
  const path = `${INVOICES}/${invoiceId}/credit-card/pay`
  await ask(teller, { story, operation: 'pay', method, path, body }, [201, 409, 422])
}

function cardFields(cardNumber: string) {
  const holder = { name: 'ANA SOUZA', document: '12345678909' }
  return { cardNumber, holder, expiration: { year: 2049, month: 12 } }
}

/** Pays at the bank, sometimes twice. The bank takes every boleto that it knows, even for a paid or voided invoice. */
async function payBoleto(teller: Teller, story: string, invoiceId: number): Promise<void> {
  const line = await digitableLine(teller, story, invoiceId)
  if (line === undefined) return
  const times = teller.random.chance(0.2) ? 2 : 1
  for (let time = 0; time < times; time++) {
    await fetch(`${teller.system.ready.sandboxUrl}/boletos/${line}/pay`, { method: 'POST' })
  }
}

async function digitableLine(teller: Teller, story: string, invoiceId: number): Promise<string | undefined> {
  const path = `${INVOICES}/${invoiceId}/boleto`
  const asked = { story, operation: 'boleto' as const, method: 'POST' as const, path, body: undefined }
  const told = await ask<{ digitableLine: string | null }>(teller, asked, [200, 201, 409, 422])
  if (told && told.status < 300 && told.body.digitableLine !== null) return told.body.digitableLine
  if (!told || told.status >= 300) return undefined
  // The bank has not answered yet: a payer would find the line on the page of the invoice later.
  for (let tries = 0; tries < DIGITS_TRIES && !teller.stopped(); tries++) {
    await pause(DIGITS_POLL_MS)
    const again = await ask<{ digitableLine: string | null }>(teller, asked, [200, 201, 409, 422])
    if (!again || again.status >= 300) return undefined
    if (again.body.digitableLine !== null) return again.body.digitableLine
  }
  return undefined
}
