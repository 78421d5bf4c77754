import type { JsonSchema } from './openapi-schemas'
import type { Route } from '../http/route'

/** Tags in the order in which an integrator needs them, and what their operations are for. */
const TAGS: Readonly<Record<string, string>> = {
  Cards: 'Store cards. A token stands for a stored card in later requests.',
  Orders: 'Authorize an order with one or more cards, or charge a card at once.',
  Charges: 'Read, capture and refund charges.',
  Disputes: 'What card holders take back through their banks. Accept it, or contest it with a file.',
  Notifications: 'Endpoints that receive your events, their deliveries, and listeners.',
  'Network tokens': 'Tokens that the card networks issue for a card.',
  Vouchers: 'Store meal and food vouchers.',
  'Voucher payments': 'Charge vouchers, and cancel such payments.',
  Customers: 'The people and companies that you bill.',
  Products: 'What you sell.',
  Invoices: 'Bill a customer, who pays by card or boleto.',
  'Recurring invoices': 'Bill a customer at regular intervals, or with a booklet.',
  Reports: 'What your days, weeks and months add up to, and who owes you.',
  Sandbox: 'Move the clock of the sandbox.',
  Requests: 'Look up your own API requests.',
  Service: 'The state of Cofre, its keys and this document.',
  Events: 'What Cofre sends to your endpoints.',
}

/** The tags of the routes, in the order in which they come; the events follow. */
export function tagsOf(routes: readonly Route[]): JsonSchema[] {
  const names = [...new Set(routes.map(({ tag }) => tag)), 'Events']
  return names.map((name) => ({ name, description: TAGS[name] }))
}

/** The last part of the path of a tag's page in the reference. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

export function inOrderOfUse(routes: readonly Route[]): Route[] {
  const placeOf = ({ tag }: Route) => {
    const order = Object.keys(TAGS)
    const place = order.indexOf(tag)
    return place === -1 ? order.length : place
  }
  return [...routes].sort((one, other) => placeOf(one) - placeOf(other) || stepOf(one) - stepOf(other))
}

/** The order within a tag: create, read one, act on one, list, POST without a body, replace, delete. */
function stepOf({ method, path, body }: Route): number {
  const isOfOne = path.replaceAll(/\{\w*[sS]ellerId\}/g, '').includes('{')
  if (method === 'POST') return isOfOne ? 2 : body ? 0 : 4
  if (method === 'GET') return isOfOne ? 1 : 3
  return method === 'PUT' || method === 'PATCH' ? 5 : 6
}
