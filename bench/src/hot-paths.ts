import { inDatabase } from './in-database'
import { drive, type Ask } from './load'
import type { MeasuredSystem } from './measured-system'
import {
  authorizeAsk,
  captureAsk,
  chargeAsk,
  listAsk,
  post,
  readAsk,
  tokenizeAsk,
  voucherPaymentAsk,
} from './paths'
import { signIn } from './portal/portal-session'
import { rest } from './rest'

/** One thing that a seller, a person of the seller or a payer does very often. */
export type HotPath = {
  name: string
  /** The status of a successful answer. */
  expect: number
  /** Makes what `calls` calls need: it is not measured. */
  prepare(system: MeasuredSystem, calls: number): Promise<Prepared>
}

export type Prepared = {
  url: string
  /** Who calls takes them out: what is left was not called. */
  asks: Ask[]
  /** Waits for what the calls set going and no event tells. */
  finish?: () => Promise<void>
}

const DAY_MS = 86_400_000
const MAKING_CLIENTS = 8
const MAKING_SECONDS_MAX = 300
const PAID_WITHIN_SECONDS = 120

export const HOT_PATHS: readonly HotPath[] = [
  { name: 'authorize', expect: 201, prepare: same(({ target }) => authorizeAsk(target)) },
  { name: 'capture', expect: 201, prepare: forEach(authorizeAll, captureAsk) },
  { name: 'refund', expect: 201, prepare: forEach(chargeAll, refundAsk) },
  { name: 'voucher-payment', expect: 201, prepare: same(({ target }) => voucherPaymentAsk(target)) },
  { name: 'store-card', expect: 201, prepare: storeCards },
  { name: 'invoice-by-card', expect: 201, prepare: forEach(idsOfInvoices, payByCardAsk) },
  { name: 'invoice-by-pix', expect: 200, prepare: payByPix },
  { name: 'read', expect: 200, prepare: forEach(authorizeAll, readAsk) },
  { name: 'list', expect: 200, prepare: same(({ target }) => listAsk(target)) },
  { name: 'portal-home', expect: 200, prepare: portalHome },
  { name: 'checkout-page', expect: 200, prepare: checkoutPages },
]

type Target = MeasuredSystem['target']
type Made = { id: number; paymentUrl: string; txid: string }

function same(ask: (system: MeasuredSystem) => Ask): HotPath['prepare'] {
  return async (system, calls) => ({
    url: system.target.url,
    asks: Array.from({ length: calls }, () => ask(system)),
  })
}

function repeat(ask: Ask, times: number): Ask[] {
  return Array.from({ length: times }, () => ask)
}

function forEach(
  idsFor: (system: MeasuredSystem, calls: number) => Promise<number[]>,
  ask: (target: Target, id: number) => Ask,
): HotPath['prepare'] {
  return async (system, calls) => {
    const ids = await idsFor(system, calls)
    return { url: system.target.url, asks: ids.map((id) => ask(system.target, id)) }
  }
}

function refundAsk({ token }: Target, chargeId: number): Ask {
  return post(token, `/api/v2/charges/${chargeId}/refund`, {})
}

function payByCardAsk({ token, cardToken }: Target, invoiceId: number): Ask {
  const body = { cardToken: { token: cardToken }, installments: 1 }
  return post(token, `/api/v2/invoices/${invoiceId}/credit-card/pay`, body)
}

function authorizeAll(system: MeasuredSystem, calls: number): Promise<number[]> {
  return makeIds(system, repeat(authorizeAsk(system.target), calls))
}

function chargeAll(system: MeasuredSystem, calls: number): Promise<number[]> {
  return makeIds(system, repeat(chargeAsk(system.target), calls))
}

/** Continues the numbers, so that no card is stored twice. */
const storedCards = new WeakMap<MeasuredSystem, number>()

async function storeCards(system: MeasuredSystem, calls: number): Promise<Prepared> {
  const first = storedCards.get(system) ?? 0
  storedCards.set(system, first + calls)
  const asks = Array.from({ length: calls }, (_, n) => tokenizeAsk(system.target, first + n))
  return { url: system.target.url, asks }
}

async function idsOfInvoices(system: MeasuredSystem, calls: number): Promise<number[]> {
  return (await makeInvoices(system, calls)).map(({ id }) => id)
}

async function payByPix(system: MeasuredSystem, calls: number): Promise<Prepared> {
  const { token } = system.target
  const ids = await idsOfInvoices(system, calls)
  const registered = await make(
    system,
    ids.map((id) => post(token, `/api/v2/invoices/${id}/pix`, {})),
  )
  const asks = registered.map(({ txid }) => post('', '/pix/pay', { txid }))
  return {
    url: system.local.ready.sandboxUrl,
    asks,
    finish: () => untilPaid(system, ids, ids.length - asks.length),
  }
}

/** The bank reports a payment after the payer has paid. */
function untilPaid(system: MeasuredSystem, ids: number[], paid: number): Promise<void> {
  return inDatabase(system, 'invoices', async (client) => {
    const sql = "SELECT FROM invoices WHERE id = ANY($1::bigint[]) AND status = 'PAID'"
    const until = performance.now() + PAID_WITHIN_SECONDS * 1_000
    while ((await client.query(sql, [ids])).rowCount !== paid) {
      if (performance.now() > until) throw new Error(`invoices are not PAID after ${PAID_WITHIN_SECONDS} s`)
      await rest(0.05)
    }
  })
}

async function portalHome(system: MeasuredSystem, calls: number): Promise<Prepared> {
  const { cookie, root } = await signIn(system)
  const ask: Ask = { method: 'GET', path: root, headers: { cookie } }
  return { url: system.target.url, asks: repeat(ask, calls) }
}

async function checkoutPages(system: MeasuredSystem, calls: number): Promise<Prepared> {
  const [invoice] = await makeInvoices(system, 1)
  const path = new URL(invoice?.paymentUrl ?? '').pathname
  const asks = Array.from({ length: calls }, (_, n): Ask => {
    return { method: 'GET', path, headers: { 'x-forwarded-for': addressOf(n) } }
  })
  return { url: system.target.url, asks }
}

/** Another payer's address for each of many thousand. */
function addressOf(n: number): string {
  return `10.0.${(n >> 8) % 256}.${n % 256}`
}

async function makeInvoices(system: MeasuredSystem, count: number): Promise<Made[]> {
  const { token, sellerId } = system.target
  const one = async (path: string, body: object) => {
    const [made] = await makeIds(system, [post(token, path, body)])
    return made
  }
  const customerId = await one('/api/v2/customers', { name: 'Ana Souza', document: '12345678909' })
  const productId = await one('/api/v2/products', { productType: 'ONETIME', name: 'Aula', value: 4_990 })
  const invoice = {
    customerId,
    dueDate: Date.now() + 10 * DAY_MS,
    items: [{ productId, quantity: 1, unitPriceInCents: 4_990 }],
    finalize: true,
  }
  return make(system, repeat(post(token, `/api/v2/sellers/${sellerId}/invoices`, invoice), count))
}

async function makeIds(system: MeasuredSystem, asks: Ask[]): Promise<number[]> {
  return (await make(system, asks)).map(({ id }) => id)
}

async function make(system: MeasuredSystem, asks: Ask[]): Promise<Made[]> {
  const made: Made[] = []
  const left = [...asks]
  const { failures, firstFailure } = await drive({
    url: system.target.url,
    clients: MAKING_CLIENTS,
    seconds: MAKING_SECONDS_MAX,
    expect: 201,
    next: () => left.pop(),
    accept: (body) => made.push(JSON.parse(body) as Made) > 0,
  })
  if (failures > 0) throw new Error(`what the calls need could not be made: ${firstFailure}`)
  return made
}
