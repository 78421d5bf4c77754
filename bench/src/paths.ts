import type { Ask } from './load'

/** What a measured request needs to know of the system. */
export type Target = { url: string; token: string; sellerId: number; cardToken: string; voucherToken: string }

const VOUCHER = { cardType: 'MEAL', cardBrand: 'VR' }
const CUSTOMER = { name: 'Ana Souza', document: '12345678909' }

/** One payment of 100.00 with a stored card: what the budgets speak of. */
export function authorizeAsk({ token, sellerId, cardToken }: Target): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/orders/credit-card/authorize`, {
    amount: 10_000,
    customer: CUSTOMER,
    payments: [
      { paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 1, cardToken: { token: cardToken } },
    ],
  })
}

/** The same request as the bare programs take it: without an API token. */
export function bareAsk(target: Target): Ask {
  const { method, path, body = '' } = authorizeAsk(target)
  return { method, path, body, headers: { 'content-type': 'application/json' } }
}

/** Authorized and captured at once; the result is told to `notificationUrl`. */
export function chargeAsk({ token, sellerId, cardToken }: Target, notificationUrl?: string): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/orders/credit-card/charge`, {
    amount: 10_000,
    installments: 1,
    customer: CUSTOMER,
    cardToken: { token: cardToken },
    ...(notificationUrl === undefined ? {} : { notificationUrl }),
  })
}

/** The number of a meal voucher: the sandbox's issuer approves it. */
export function voucherTokenAsk({ token, sellerId }: Omit<Target, 'voucherToken'>): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/vouchers/tokens`, {
    ...VOUCHER,
    cardNumber: '6370361234567890',
    expires: { year: 99, month: 12 },
    holder: { name: 'ANA SOUZA', document: CUSTOMER.document },
  })
}

/** One payment of 100.00 with a stored voucher: one call to its issuer, as an authorization is one to the acquirer. */
export function voucherPaymentAsk({ token, sellerId, voucherToken }: Target): Ask {
  return post(token, `/api/v2/sellers/${sellerId}/vouchers/payments`, {
    amount: 10_000,
    customer: CUSTOMER,
    card: { ...VOUCHER, token: voucherToken },
  })
}

/** `count`: makes each card another one. */
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

/** The newest ten of all the seller's charges. */
export function listAsk({ token }: Target): Ask {
  return { method: 'GET', path: '/api/v2/charges?size=10', headers: bearer(token) }
}

/** What the acquirer gets for one authorization. */
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

function post(token: string, path: string, body: object): Ask {
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

/** A Visa number that passes Luhn and, whatever `count` is, ends in 1: the sandbox approves it. */
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
