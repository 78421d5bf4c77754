import type { InvoiceJson } from '@cofre/api/invoice'
import type { DoomedSystem } from '../doomed-system'
import { ask, request, type Teller } from '../teller'
import { isAwaited } from '../vouchers/voucher-story'
import { OF_CUSTOMERS_ENDS, OF_LATENESS } from './invoice-causes'

export const INVOICES = '/api/v2/invoices'
const CUSTOMERS = '/api/v2/customers'
const DAY_MS = 86_400_000
/** So long ago that no holidays move the due date up to today. */
const LATE_SINCE_DAYS = 40

const STATUS_DUE = { finalize: 201, void: 200, uncollectible: 200 } as const
type Move = keyof typeof STATUS_DUE

/** The requests that change an invoice, one after the other; the requests of an inner list are sent at once. */
const WAYS: readonly (readonly (Move | readonly Move[])[])[] = [
  [],
  ['finalize'],
  ['finalize', 'void'],
  ['finalize', 'uncollectible'],
  ['finalize', 'uncollectible', 'uncollectible', 'void'],
  ['uncollectible', 'void'],
  ['void'],
  [['finalize', 'void']],
  ['finalize', ['uncollectible', 'void']],
]

type Made = { id: number }

/** Makes a customer, a product and one to three invoices, and perhaps deletes the customer. */
export async function tellInvoiceStory(teller: Teller, story: string): Promise<void> {
  const { random } = teller
  // The checks find both by their names.
  const customer = await create(teller, story, 'customer', CUSTOMERS, {
    name: story,
    document: '12345678909',
    email: 'ana@example.com',
  })
  const product = await create(teller, story, 'product', '/api/v2/products', {
    productType: 'ONETIME',
    name: story,
    value: 4_990,
  })
  if (!customer || !product) return
  for (let turn = random.int(1, 3); turn > 0 && !teller.stopped(); turn--) {
    await bill(teller, `${story}-${turn}`, { customerId: customer.id, productId: product.id })
  }
  const isLast = isAwaited(teller, OF_CUSTOMERS_ENDS) || random.chance(0.3)
  if (teller.stopped() || !isLast) return
  const path = `${CUSTOMERS}/${customer.id}`
  await request(teller, { story, operation: 'customer-deletion', method: 'DELETE', path, body: undefined })
}

function create(
  teller: Teller,
  story: string,
  operation: 'customer' | 'product',
  path: string,
  body: object,
): Promise<Made | undefined> {
  return request<Made>(teller, { story, operation, method: 'POST', path, body })
}

/** Makes an invoice and changes it. While the trap waits for a past-due event, a late invoice is left unchanged. */
async function bill(
  teller: Teller,
  story: string,
  { customerId, productId }: { customerId: number; productId: number },
): Promise<void> {
  const { random, system } = teller
  const isAboutLateness = isAwaited(teller, OF_LATENESS)
  const isLate = isAboutLateness || random.chance(0.3)
  const way = random.pick(WAYS)
  const finalize = !isAboutLateness && way[0] === 'finalize' && random.chance(0.5)
  const body = {
    customerId,
    ...(finalize ? { finalize } : {}),
    dueDate: Date.now() + (isLate ? -LATE_SINCE_DAYS : 10) * DAY_MS,
    items: [{ productId, quantity: random.int(1, 9), unitPriceInCents: random.int(1, 50_000) }],
    ...(random.chance(0.3) ? { invoiceNumber: story } : {}),
  }
  const path = `/api/v2/sellers/${system.ready.sellerId}/invoices`
  const operation = 'invoice' as const
  const made = await request<InvoiceJson>(teller, { story, operation, method: 'POST', path, body })
  if (made && isLate) await passDueDay(system, made)
  if (!made || isAboutLateness) return
  for (const step of finalize ? way.slice(1) : way) {
    if (teller.stopped()) return
    const moves = typeof step === 'string' ? [step] : step
    await Promise.all(moves.map((move) => change(teller, story, made, move, moves.length > 1)))
  }
}

/** An invoice is late from its day of issue at the earliest: as if that were long over. */
async function passDueDay({ read }: DoomedSystem, { id }: InvoiceJson): Promise<void> {
  const past = `UPDATE invoices SET late_on = current_date - 1 WHERE id = $1 AND status IN ('OPEN', 'CLOSED') RETURNING id`
  await read('invoices', past, [id])
}

/** Changes an invoice. `isRaced`: another request may void it first, and a voided invoice cannot change. */
async function change(
  teller: Teller,
  story: string,
  { id }: InvoiceJson,
  move: Move,
  isRaced: boolean,
): Promise<void> {
  const path = `${INVOICES}/${id}/${move}`
  const operation = `invoice-${move}` as const
  const due = isRaced && move !== 'void' ? [STATUS_DUE[move], 422] : [STATUS_DUE[move]]
  await ask(teller, { story, operation, method: 'POST', path, body: undefined }, due)
}
