const ID = String.raw`\d+`
/** The calls that every tour makes, with the status that answers each. */
const STOPS = [
  ['POST', '/api/v2/webhooks/endpoints', 201],
  ['POST', '/api/v2/customers', 201],
  ['POST', '/api/v2/products', 201],
  ['POST', '/api/v2/cards/tokens', 201],
  ['POST', `/api/v2/sellers/${ID}/invoices`, 201],
  ['POST', `/api/v2/invoices/${ID}/finalize`, 201],
  ['POST', `/api/v2/invoices/${ID}/credit-card/pay`, 201],
  ['GET', `/api/v2/invoices/${ID}`, 200],
  ['GET', '/api/v2/invoices', 200],
  ['POST', `/api/v2/sellers/${ID}/orders/credit-card/authorize`, 201],
  ['POST', `/api/v2/charges/${ID}/capture`, 201],
  ['POST', `/api/v2/charges/${ID}/refund`, 201],
  ['GET', '/api/v2/charges', 200],
  ['POST', `/api/v2/sellers/${ID}/vouchers/tokens`, 201],
  ['POST', `/api/v2/sellers/${ID}/vouchers/payments`, 201],
  ['GET', `/api/v2/charges/${ID}`, 404],
  ['GET', '/api/v2/webhooks/deliveries', 200],
  ['DELETE', `/api/v2/webhooks/endpoints/${ID}`, 204],
]

/** A tour can't claim a call that it did not make. */
export function findMissingCalls(calls) {
  const isMade = ([method, path, status]) =>
    calls.some(
      (call) =>
        call.method === method && call.status === status && new RegExp(`^${path}(\\?|$)`).test(call.path),
    )
  return STOPS.filter((stop) => !isMade(stop)).map(([method, path]) => `${method} ${path}`)
}
