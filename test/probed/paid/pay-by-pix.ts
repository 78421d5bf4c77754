import { eventually } from '@cofre/testing/testing'
import { Canaries } from '../canaries'
import type { Json } from '../good-bodies'
import { credentialsIn } from '../partner-credentials'
import type { Place } from '../places'
import { JSON_TYPE, type Product } from '../product'

const DAY_MS = 86_400_000
const INVOICES = '/api/v2/invoices'

/** Those whom a Pix names: customers of orders, and who paid at the bank. */
export type PixPeople = { customers: PixPerson[]; payers: PixPerson[] }
type PixPerson = { name: string; document: string }

/**
 * Pays orders and an invoice by Pix, each twice, and gives money back; some requests and a notice are refused. Returns
 * the people, who occur nowhere else.
 */
export async function payByPix(product: Product, inbox: string): Promise<PixPeople> {
  const people: PixPeople = { customers: [], payers: [] }
  const send = async (path: string, body: object): Promise<Json> => {
    const answer = await product.ask('POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })
    return JSON.parse(answer.text || '{}') as Json
  }
  const read = async (path: string) => JSON.parse((await product.ask('GET', path)).text) as Json
  const untilStatus = (path: string, status: string) =>
    eventually(async () => expect((await read(path)).status).toBe(status))
  const pay = (txid: unknown) => {
    const payer = personOf('Pagadora', people.payers)
    return product.sandbox('POST', '/pix/pay', { txid, times: 2, forced: true, payer })
  }

  const orders = `/api/v2/sellers/${product.ready.sellerId}/orders/pix`
  const customer = personOf('Compradora', people.customers)
  const order = await send(orders, { amount: 4_990, customer, notificationUrl: inbox })
  await send(orders, { amount: 0, customer })
  await send(orders, { amount: 4_990, customer: { ...customer, document: `${customer.document}9` } })
  await pay((order.payments as { pix: { txid: string } }[])[0]?.pix.txid)
  const charge = `/api/v2/charges/${String(order.id)}`
  await untilStatus(charge, 'CAPTURED')
  await send(`${charge}/refund`, { amount: 1_000 })
  await untilStatus(charge, 'PARTIALLY_REFUNDED')

  const ana = { name: 'Ana Souza', document: '52998224725' }
  const { id: customerId } = await send('/api/v2/customers', ana)
  const { id: productId } = await send('/api/v2/products', {
    productType: 'ONETIME',
    name: 'Aula',
    value: 4_990,
  })
  const { id } = await send(`/api/v2/sellers/${product.ready.sellerId}/invoices`, {
    customerId,
    dueDate: Date.now() + 10 * DAY_MS,
    items: [{ productId, quantity: 1, unitPriceInCents: 4_990 }],
  })
  const invoice = `${INVOICES}/${String(id)}`
  await pay((await send(`${invoice}/pix`, {})).txid)
  await untilStatus(invoice, 'PAID')
  await send(`${invoice}/refunds`, { amountInCents: 1_000 })
  for (const path of [`${invoice}/movements`, `${INVOICES}/unexpected-receipts`, '/api/v2/charges']) {
    await product.ask('GET', path)
  }
  const [payer] = people.payers
  const forged = { pix: [{ txid: 7, pagador: { cpf: payer?.document, nome: payer?.name } }] }
  await product.ask('POST', `/partners/pix/${'x'.repeat(43)}/pix`, {
    body: JSON.stringify(forged),
    token: null,
  })
  return people
}

function personOf(surname: string, known: PixPerson[]): PixPerson {
  // A document of no card.
  const { document } = new Canaries().next()
  const person = { name: `Quiteria ${surname} ${document.slice(0, 6)}`, document }
  known.push(person)
  return person
}

/** The bank itself, which knows its payers. */
const BANK = /^file sandbox\//
/** Where a seller's money is, and what the seller is shown of it. */
const OF_SELLER = /^(table (invoices|orders|event_log|notifier) |answer to |deliveries$|heard$)/

/** Where documents stand that nobody keeps, and names that stand where no seller's money is. */
export function strangersOfPix(places: readonly Place[], { customers, payers }: PixPeople): string[] {
  const ours = places.filter(({ name }) => !BANK.test(name))
  const documents = [...customers, ...payers].flatMap(({ document }) => [
    document,
    document.replace(/^(...)(...)(...)/, '$1.$2.$3-'),
  ])
  const hidden = credentialsIn(ours, [...documents, ...customers.map(({ name }) => name)])
  const names = payers.map(({ name }) => name)
  return [
    ...hidden,
    ...credentialsIn(
      ours.filter(({ name }) => !OF_SELLER.test(name)),
      names,
    ),
  ]
}
