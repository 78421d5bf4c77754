import type { Ask } from './load'

/** The data of the system that a measured request needs. */
export type Target = { url: string; token: string; sellerId: number; cardToken: string; voucherToken: string }

const VOUCHER = { cardType: 'MEAL', cardBrand: 'VR' }
const CUSTOMER = { name: 'Ana Souza', document: '12345678909' }

/** Returns the request for a payment of 100.00 with a stored card, for which the budgets are set. */
export function authorizeAsk({ token, sellerId, cardToken }: Target): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/orders/credit-card/authorize`, {
    amount: 10_000,
    customer: CUSTOMER,
    payments: [
      { paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 1, cardToken: { token: cardToken } },
    ],
  })
}

/** Returns the same request for the bare programs: without an API token. */
export function bareAsk(target: Target): Ask {
  const { method, path, body = '' } = authorizeAsk(target)
  return { method, path, body, headers: { 'content-type': 'application/json' } }
}

/** Returns the request for a direct charge; `notificationUrl` receives its result. */
export function chargeAsk({ token, sellerId, cardToken }: Target, notificationUrl?: string): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/orders/credit-card/charge`, {
    amount: 10_000,
    installments: 1,
    customer: CUSTOMER,
    cardToken: { token: cardToken },
    ...(notificationUrl === undefined ? {} : { notificationUrl }),
  })
}

/** Returns the request to store a meal voucher that the sandbox's issuer approves. */
export function voucherTokenAsk({ token, sellerId }: Omit<Target, 'voucherToken'>): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/vouchers/tokens`, {
    ...VOUCHER,
    cardNumber: '6370361234567890',
    expires: { year: 99, month: 12 },
    holder: { name: 'ANA SOUZA', document: CUSTOMER.document },
  })
}

/** Returns the request for a payment of 100.00 with a stored voucher: one call to its issuer, as with the acquirer. */
export function voucherPaymentAsk({ token, sellerId, voucherToken }: Target): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/vouchers/payments`, {
    amount: 10_000,
    customer: CUSTOMER,
    card: { ...VOUCHER, token: voucherToken },
  })
}

/** Returns the request to store a card; each `count` gives another one. */
export function tokenizeAsk({ token }: Target, count: number): Ask {
  return post(token, '/api/v2/cards/tokens', {
    cardNumber: cardNumber(count),
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    expiration: { year: 2099, month: 12 },
  })
}

export function captureAsk({ token }: Target, chargeId: number): Ask {
  return post(token, `/api/v2/charges/${chargeId}/capture`, {})
}

export function readAsk({ token }: Target, chargeId: number): Ask {
  return { method: 'GET', path: `/api/v2/charges/${chargeId}`, headers: bearer(token) }
}

/** Returns the request for the seller's ten newest charges. */
export function listAsk({ token }: Target): Ask {
  return { method: 'GET', path: '/api/v2/charges?size=10', headers: bearer(token) }
}

/** Returns the acquirer's request for one authorization. */
export function saleAsk(merchant: { merchantId: string; merchantKey: string }, count: number): Ask {
  return {
    method: 'POST',
    path: '/1/sales',
    headers: {
      'content-type': 'application/json',
      merchantid: merchant.merchantId,
      merchantkey: merchant.merchantKey,
    },
    body: JSON.stringify({
      MerchantOrderId: `BENCH${String(count).padStart(15, '0')}`,
      Customer: { Name: CUSTOMER.name, Identity: CUSTOMER.document, IdentityType: 'CPF' },
      Payment: {
        Type: 'CreditCard',
        Amount: 10_000,
        Currency: 'BRL',
        Country: 'BRA',
        Installments: 1,
        Capture: false,
        CreditCard: {
          CardNumber: cardNumber(count * 10 + 1),
          Holder: 'ANA SOUZA',
          ExpirationDate: '12/2099',
          Brand: 'Visa',
        },
      },
    }),
  }
}

export function post(token: string, path: string, body: object): Ask {
  return {
    method: 'POST',
    path,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** Returns a Visa number that passes Luhn and ends in 1 for any `count`, so the sandbox approves it. */
export function cardNumber(count: number): string {
  const body = `424242${String(count % 1e8).padStart(8, '0')}`
  for (let filler = 0; filler < 10; filler++) {
    if (passesLuhn(`${body}${filler}1`)) return `${body}${filler}1`
  }
  throw new Error('one of ten fillers always passes')
}

function passesLuhn(number: string): boolean {
  const digits = Array.from(number).reverse().map(Number)
  const sum = digits.reduce((total, digit, at) => {
    const weighed = at % 2 === 0 ? digit : digit * 2
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
