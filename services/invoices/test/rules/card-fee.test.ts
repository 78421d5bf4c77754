import { readConfig } from '../../src/config'
import { feeFor, grossOf } from '../../src/cards/rules/card-fee'

const FEES = new Map([
  [1, { percentageBps: 299, fixedInCents: 39 }],
  [2, { percentageBps: 399, fixedInCents: 39 }],
  [7, { percentageBps: 499, fixedInCents: 0 }],
])

test.each([
  [1, 299],
  [2, 399],
  [6, 399],
  [12, 499],
])(
  'the fee for %i installments is that of the highest number that is not above it',
  (installments, percentageBps) => {
    expect(feeFor(FEES, installments).percentageBps).toBe(percentageBps)
  },
)

test('without fees a payer pays the price', () => {
  expect(grossOf(9_980, feeFor(new Map(), 3))).toBe(9_980)
  expect(grossOf(9_980, feeFor(new Map([[2, { percentageBps: 100, fixedInCents: 0 }]]), 1))).toBe(9_980)
})

test('for any price, the seller is left its price, and a cent less would not be enough', () => {
  const kept = (
    gross: number,
    { percentageBps, fixedInCents }: { percentageBps: number; fixedInCents: number },
  ) => gross - Math.floor((gross * percentageBps + 5_000) / 10_000) - fixedInCents
  const some = [
    { percentageBps: 5_000, fixedInCents: 1 },
    { percentageBps: 4_999, fixedInCents: 0 },
    { percentageBps: 1, fixedInCents: 0 },
    ...FEES.values(),
  ]
  for (const fee of some) {
    for (let price = 1; price < 3_000; price += 7) {
      const gross = grossOf(price, fee)
      expect(kept(gross, fee)).toBeGreaterThanOrEqual(price)
      expect(kept(gross - 1, fee)).toBeLessThan(price)
    }
  }
})

test('an amount of 0 has no fee, and no payment exceeds the largest amount', () => {
  expect(grossOf(0, { percentageBps: 299, fixedInCents: 39 })).toBe(0)
  expect(grossOf(99_999_999_999, { percentageBps: 299, fixedInCents: 39 })).toBe(99_999_999_999)
})

const LEAST = {
  TLS_CA_FILE: __filename,
  TLS_CERT_FILE: __filename,
  TLS_KEY_FILE: __filename,
  DATABASE_URL: 'postgres://localhost/invoices',
  EVENT_LOG_URL: 'postgres://localhost/events',
  BASE_URL: 'https://pay.example.com/',
  ORDERS_ADDRESS: 'orders:50051',
  NETWORK_TOKEN_ADDRESS: 'network-token:50051',
  VAULT_ADDRESS: 'vault:50051',
}

test('the setting is JSON by number of installments; a bad one is named', () => {
  expect(readConfig(LEAST).cardFees.size).toBe(0)
  const CARD_FEES = '{"1":{"percentageBps":299,"fixedInCents":39},"7":{"percentageBps":499}}'
  expect(readConfig({ ...LEAST, CARD_FEES }).cardFees.get(7)).toEqual({ percentageBps: 499, fixedInCents: 0 })
  for (const bad of ['x', '{"13":{}}', '{"1":{"percentageBps":9000}}', '{"1":{"share":1}}']) {
    expect(() => readConfig({ ...LEAST, CARD_FEES: bad })).toThrow('CARD_FEES is invalid')
  }
})
