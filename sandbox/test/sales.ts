import { type Json, MERCHANT, type Reply, type TestSandbox } from './support'

type SaleChange = {
  cardNumber?: string
  brand?: string
  amount?: number
  capture?: boolean
  orderId?: string
}

export function saleBody({
  cardNumber = '4111111111111111',
  brand = 'Visa',
  amount = 10_000,
  capture = false,
  orderId = 'A1',
}: SaleChange = {}) {
  return {
    MerchantOrderId: orderId,
    Customer: { Name: 'Ana Souza', Identity: '12345678909', IdentityType: 'CPF' },
    Payment: {
      Type: 'CreditCard',
      Amount: amount,
      Installments: 1,
      Capture: capture,
      CreditCard: {
        CardNumber: cardNumber,
        Holder: 'ANA SOUZA',
        ExpirationDate: '08/2049',
        SecurityCode: '987',
        Brand: brand,
      },
    },
  }
}

export function sell(sandbox: TestSandbox, change: SaleChange = {}, headers = {}): Promise<Reply> {
  const body = saleBody(change)
  return sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, {
    body,
    headers: { ...MERCHANT, ...headers },
  })
}

export function put(sandbox: TestSandbox, path: string, headers = {}): Promise<Reply> {
  return sandbox.call('PUT', `${sandbox.acquirerUrl}/1/sales/${path}`, {
    headers: { ...MERCHANT, ...headers },
  })
}

export function query(sandbox: TestSandbox, path: string, headers = {}): Promise<Reply> {
  return sandbox.call('GET', `${sandbox.acquirerQueryUrl}/1/${path}`, {
    headers: { ...MERCHANT, ...headers },
  })
}

export async function paymentsOf(sandbox: TestSandbox, orderId: string): Promise<Json[]> {
  return (await sandbox.control('GET', `/acquirer/payments?merchantOrderId=${orderId}`)).body
}
