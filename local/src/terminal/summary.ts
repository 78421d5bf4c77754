import type { LocalSystem } from '../start-local'

/** Returns the facts that a person needs about a ready system. */
export function summaryOf({ ready, cardToken }: LocalSystem, readyAfterMs: number): string {
  const { baseUrl, sellerId, token, portal, sandboxUrl } = ready
  return `
Cofre is ready after ${(readyAfterMs / 1_000).toFixed(1)} s.

  API        ${baseUrl}/api/v2
  Reference  ${baseUrl}/docs
  Portal     ${portal.url}   ${portal.email}   ${portal.password}
  Sandbox    ${sandboxUrl}
  Seller     ${sellerId}
  Token      ${token}

A first charge:

${firstCharge(baseUrl, sellerId, token, cardToken)}

Ctrl-C stops everything; the next start finds the data again.
`
}

/** Returns one line for any POSIX shell, whose answer is 201, AUTHORIZED. */
export function firstCharge(baseUrl: string, sellerId: number, token: string, cardToken: string): string {
  const order = {
    orderReference: 'first',
    amount: 10_000,
    customer: { name: 'Ana Souza', document: '52998224725' },
    payments: [
      { paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 1, cardToken: { token: cardToken } },
    ],
  }
  const url = `${baseUrl}/api/v2/sellers/${sellerId}/orders/credit-card/authorize`
  const key = `-H "Idempotency-Key: first-$(date +%s)"`
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' ${key}`
  return `curl -sS -i ${url} ${headers} -d '${JSON.stringify(order)}'`
}
