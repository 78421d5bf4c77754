import { INVOICE_EVENTS } from '@cofre/api/events'
import { eventually } from '@cofre/testing/testing'
import { Canaries } from './canaries'
import type { Place } from './places'
import { credentialsIn } from './partner-credentials'
import { JSON_TYPE, type Product } from './product'

/** Data that only one customer of a seller has. */
export type Person = { name: string; document: string; email: string; street: string; phone: number }

const CUSTOMERS = '/api/v2/customers'
const DAY_MS = 86_400_000

/**
 * Makes, reads, finds, replaces and bills customers, with an inbox for the events; some requests are refused, and one
 * customer is deleted. Returns the data of the customers.
 */
export async function billPeople(product: Product, inbox: string): Promise<Person[]> {
  const send = (method: string, path: string, body?: object) =>
    eventually(async () => {
      const sent = body ? { headers: JSON_TYPE, body: JSON.stringify(body) } : {}
      const answer = await product.ask(method, path, sent)
      // A busy machine answers 503.
      expect(answer.status).not.toBe(503)
      return answer
    })
  const made = async (path: string, body: object): Promise<number> => {
    const { status, text } = await send('POST', path, body)
    if (status !== 201) throw new Error(`POST ${path} was answered ${status}`)
    return JSON.parse(text).id
  }
  const people = [0, 1, 2].map((nth) => personOf(nth))
  await made('/api/v2/webhooks/endpoints', { url: inbox, events: INVOICE_EVENTS })
  const productId = await made('/api/v2/products', { productType: 'ONETIME', name: 'Caneca', value: 4_990 })
  for (const [nth, person] of people.entries()) {
    const customerId = await made(CUSTOMERS, fieldsOf(person))
    const one = `${CUSTOMERS}/${customerId}`
    await send('GET', one)
    await send('PUT', one, { ...fieldsOf(person), document: masked(person) })
    for (const fault of FAULTS) await send('POST', CUSTOMERS, { ...fieldsOf(person), ...fault(person) })
    for (const query of queriesOf(person)) await send('GET', query)
    const invoice = {
      customerId,
      // Past when it is made: a warning says so.
      dueDate: Date.now() - 60 * DAY_MS,
      items: [{ productId, quantity: 1, unitPriceInCents: 4_990 }],
    }
    const path = `/api/v2/sellers/${product.ready.sellerId}/invoices`
    const id = await made(path, invoice)
    await send('POST', path, { ...invoice, customerId: 987_654_321, successUrl: person.email })
    for (const action of ['finalize', 'finalize', 'uncollectible', 'void', 'void']) {
      await send('POST', `/api/v2/invoices/${id}/${action}`)
    }
    if (nth === 0) await send('DELETE', one)
  }
  await send('GET', '/api/v2/invoices/csv')
  return people
}

function personOf(nth: number): Person {
  // A document of no card: it may be stored.
  const { document } = new Canaries().next()
  return {
    name: `Zuleica Quartzo ${document}${nth}`,
    document,
    email: `zuleica.${document}@quartzo.example`,
    street: `Travessa do Quartzo ${document}`,
    phone: 90_000_000_000 + Number(document.slice(0, 9)),
  }
}

function masked({ document }: Pick<Person, 'document'>): string {
  return document.replace(/^(...)(...)(...)/, '$1.$2.$3-')
}

function fieldsOf({ name, document, email, street, phone }: Person) {
  const address = { street, city: 'São Paulo', state: 'SP', zipCode: '01001000' }
  return { name, document, email, phone: { countryCode: 55, areaCode: 11, number: phone }, address }
}

/** Requests that are refused, or that a database might refuse. */
const FAULTS: readonly ((person: Person) => object)[] = [
  ({ document }) => ({ document: `${document}9` }),
  ({ email }) => ({ email: `${email} ${email}` }),
  ({ name }) => ({ name: { first: name } }),
  ({ name }) => ({ name: `${name}\u0000` }),
  ({ name }) => ({ name: name.repeat(20) }),
  ({ name }) => ({ name: `${name}\ud800` }),
  ({ street }) => ({ address: { street, state: street } }),
]

function queriesOf({ name, document, email }: Person): string[] {
  const filters = { name, document, email }
  const each = Object.entries(filters).map((entry) => new URLSearchParams([entry]).toString())
  return [
    ...each.map((query) => `${CUSTOMERS}?${query}`),
    `${CUSTOMERS}?document=${document}1`,
    `${CUSTOMERS}/${masked({ document })}`,
    `/api/v2/invoices?document=${document}`,
    `/api/v2/invoices?status=${encodeURIComponent(name)}`,
    `/api/v2/invoices/csv?document=${document}`,
  ]
}

/** Where data of customers may be: with the service that keeps it, in notifications to sellers, and in answers. */
const ALLOWED = /^(table (invoices|event_log|notifier) |answer to |deliveries$)/

/** The other places that hold data of these people. */
export function strangersWith(places: readonly Place[], people: readonly Person[]): string[] {
  const personal = people.flatMap(({ name, document, email, street, phone }) => [
    document,
    masked({ document }),
    name,
    email,
    street,
    String(phone),
  ])
  return credentialsIn(
    places.filter(({ name }) => !ALLOWED.test(name)),
    personal,
  )
}
