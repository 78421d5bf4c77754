import { notFound } from '@cofre/platform/errors'
import {
  Customer,
  type CreateCustomerRequest,
  type CustomerCard,
  type GetCustomerRequest,
  type ListCustomersRequest,
  type RemoveCustomerCardRequest,
  type ReplaceCustomerRequest,
} from '@cofre/proto/invoices/v1/customers'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

function isFound({ sellerId, fields }: Customer, request: ListCustomersRequest): boolean {
  const { document, name } = request
  const isDocument = !document || fields?.document === document
  return sellerId === request.sellerId && isDocument && (!name || (fields?.name ?? '').startsWith(name))
}

/** Customers in memory. */
export function createCustomers(marks: Marks) {
  const customers = new Map<number, Customer>()
  const cards = new Map<number, CustomerCard[]>()
  const asked: { list: ListCustomersRequest[] } = { list: [] }
  let made = 0
  const find = ({ sellerId, customerId }: GetCustomerRequest) => {
    const found = customers.get(customerId)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const keep = (customer: Customer) => {
    customers.set(customer.id, customer)
    return customer
  }
  const answers = {
    createCustomer: async ({ sellerId, fields }: CreateCustomerRequest) =>
      marks.once(sellerId, Customer, () => {
        made += 1
        return keep({ id: made, sellerId, fields, createdAt: MADE_AT + made, updatedAt: MADE_AT + made })
      }),
    getCustomer: async (request: GetCustomerRequest) => find(request),
    listCustomers: async (request: ListCustomersRequest) => {
      asked.list.push(request)
      const found = [...customers.values()].filter((customer) => isFound(customer, request)).reverse()
      const from = request.page * request.size
      const more = found.length > from + request.size
      return {
        customers: found.slice(from, from + request.size),
        total: found.length,
        totalIsLowerBound: false,
        more,
      }
    },
    replaceCustomer: async ({ fields, ...request }: ReplaceCustomerRequest) => {
      const before = find(request)
      return marks.once(request.sellerId, Customer, () => keep({ ...before, fields, updatedAt: MADE_AT }))
    },
    listCustomerCards: async (request: GetCustomerRequest) => ({ cards: cards.get(find(request).id) ?? [] }),
    removeCustomerCard: async ({ cardId, ...request }: RemoveCustomerCardRequest) => {
      const { id } = find(request)
      const kept = cards.get(id) ?? []
      if (!kept.some((card) => card.id === cardId)) throw notFound()
      cards.set(
        id,
        kept.filter((card) => card.id !== cardId),
      )
      return {}
    },
    deleteCustomer: async (request: GetCustomerRequest) => {
      customers.delete(find(request).id)
      return {}
    },
  }
  return { answers, customers, cards, asked }
}
