import { randomUUID } from 'node:crypto'
import { saleBody } from './sales'
import { type Json, MERCHANT, type Reply, type TestSandbox } from './support'

type RequestChange = { number?: string; year?: number; callbackUrl?: string }

export const OTHER_MERCHANT = {
  MerchantId: '00000000-0000-4000-8000-0000000000ff',
  MerchantKey: 'O'.repeat(40),
}

export function requestBody(reference: string, { number, year, ...rest }: RequestChange = {}) {
  return {
    reference,
    card: {
      number: number ?? '4111111111111111',
      holder: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: year ?? 2049,
      securityCode: '987',
    },
    ...rest,
  }
}

export function callTokens(
  sandbox: TestSandbox,
  method: string,
  path = '',
  { body, headers = MERCHANT }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return sandbox.call(method, `${sandbox.tokenServiceUrl}/v1/network-tokens${path}`, { body, headers })
}

export function requestToken(
  sandbox: TestSandbox,
  reference: string,
  change: RequestChange = {},
): Promise<Reply> {
  return callTokens(sandbox, 'POST', '', { body: requestBody(reference, change) })
}

export async function tokenOf(sandbox: TestSandbox, reference: string): Promise<Json> {
  return (await callTokens(sandbox, 'GET', `?reference=${reference}`)).body
}

export async function truthOf(sandbox: TestSandbox, reference: string): Promise<Json[]> {
  return (await sandbox.control('GET', `/token-service/tokens?reference=${reference}`)).body
}

/** Asks until the answer fits; the test's own time limit ends a vain wait. */
export async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export function settled(sandbox: TestSandbox, reference: string): Promise<Json> {
  return until(
    () => tokenOf(sandbox, reference),
    ({ status }) => status !== 'PENDING',
  )
}

export async function activeToken(
  sandbox: TestSandbox,
  reference: string,
  change: RequestChange = {},
): Promise<Json> {
  await requestToken(sandbox, reference, change)
  return settled(sandbox, reference)
}

export function cryptogramFor(
  sandbox: TestSandbox,
  id: string,
  reference: string = randomUUID(),
): Promise<Reply> {
  return callTokens(sandbox, 'POST', `/${id}/cryptograms`, { body: { reference, amount: 10_000 } })
}

type TokenSaleChange = { headers?: Record<string, string>; card?: object; payment?: object }

/** Makes a sale on the token's number, with this cryptogram. */
export async function sellOnToken(
  sandbox: TestSandbox,
  { token, network }: Json,
  cryptogram: string | undefined,
  { headers = MERCHANT, card = {}, payment = {} }: TokenSaleChange = {},
): Promise<Json> {
  const orderId = `T${randomUUID().slice(0, 8)}`
  const sale = saleBody({ orderId })
  const CreditCard = {
    CardNumber: token.number,
    Holder: 'ANA SOUZA',
    ExpirationDate: `${String(token.expirationMonth).padStart(2, '0')}/${token.expirationYear}`,
    Cryptogram: cryptogram,
    Brand: network === 'VISA' ? 'Visa' : 'Master',
    CardOnFile: { Usage: 'First' },
    ...card,
  }
  const InitiatedTransactionIndicator =
    network === 'VISA' ? undefined : { Category: 'C1', Subcategory: 'CredentialsOnFile' }
  const Payment = { ...sale.Payment, InitiatedTransactionIndicator, ...payment, CreditCard }
  const body = { ...sale, Payment }
  return (await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, { body, headers })).body
}
