import { type Json, type Reply, type TestSandbox } from '../support'

/** The last digit decides the outcome. */
export const ALELO_APPROVED = '5067229000000061'
export const VR_APPROVED = '6370361234567891'

export const ALELO_SELLER = { 'x-affiliation-code': 'AF-77', 'x-api-key': 'alelo-key-0123456789' }
export const VR_SELLER = { 'x-vr-estabelecimento': '10203040', 'x-vr-chave': 'vr-key-0123456789' }

type Change = { body?: object; number?: string; headers?: Record<string, string> }

export function payAlelo(sandbox: TestSandbox, orderId: string, change: Change = {}): Promise<Reply> {
  const { number = ALELO_APPROVED, headers = ALELO_SELLER } = change
  const body = {
    orderId,
    amount: 3500,
    product: 'REFEICAO',
    customerDocument: '12345678909',
    card: { number, holder: 'ANA SOUZA', expiration: '08/2049', securityCode: '987' },
    ...change.body,
  }
  return sandbox.call('POST', `${sandbox.voucherIssuerUrl}/alelo/v1/payments`, { body, headers })
}

export function callAlelo(sandbox: TestSandbox, method: string, path: string, headers = ALELO_SELLER) {
  return sandbox.call(method, `${sandbox.voucherIssuerUrl}/alelo/v1/payments${path}`, { headers })
}

export function payVr(sandbox: TestSandbox, nsuLoja: string, change: Change = {}): Promise<Reply> {
  const { number = VR_APPROVED, headers = VR_SELLER } = change
  const body = {
    valor: '35.00',
    produto: 'VR_REFEICAO',
    documento: '12345678909',
    cartao: { numero: number, nome: 'ANA SOUZA', validade: '204908', codigoSeguranca: '987' },
    ...change.body,
  }
  return sandbox.call('PUT', `${sandbox.voucherIssuerUrl}/vr/transacoes/${nsuLoja}`, { body, headers })
}

export function callVr(sandbox: TestSandbox, method: string, path: string, headers = VR_SELLER) {
  return sandbox.call(method, `${sandbox.voucherIssuerUrl}/vr/transacoes/${path}`, { headers })
}

/** Returns the issuers' payments of an order, newest first. */
export async function vouchersOf(sandbox: TestSandbox, orderNumber: string): Promise<Json[]> {
  return (await sandbox.control('GET', `/vouchers/payments?orderNumber=${orderNumber}`)).body
}

/** Makes the only payment of an order older by a number of days. */
export async function age(sandbox: TestSandbox, orderNumber: string, days: number): Promise<void> {
  const [{ paymentId }] = await vouchersOf(sandbox, orderNumber)
  await sandbox.control('POST', `/vouchers/payments/${paymentId}/age`, { days })
}
