import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply, TestSandbox } from '../support'

export const AGREEMENT = '1234567'
export const ACCOUNT = { 'x-convenio': AGREEMENT, 'x-chave-acesso': 'key-of-the-bank-0123456789' }

/** A registration that the bank accepts; `number` is the seller's own. */
export function slip(number: number, changes: object = {}) {
  return {
    numeroConvenio: AGREEMENT,
    numeroCarteira: '17',
    nossoNumero: `${AGREEMENT}${String(number).padStart(10, '0')}`,
    numeroDocumento: '000001',
    dataVencimento: '2049-10-13',
    dataLimitePagamento: '2049-11-13',
    valorOriginal: 123.45,
    pagador: { tipoInscricao: 'CPF', numeroInscricao: '12345678909', nome: 'Ana Souza' },
    ...changes,
  }
}

export function callBank(
  { bankUrl, call }: TestSandbox,
  method: string,
  path = '',
  body?: unknown,
  headers: Record<string, string> = ACCOUNT,
): Promise<Reply> {
  return call(method, `${bankUrl}/boletos${path}`, { body, headers })
}

export type Told = { headers: Record<string, unknown>; body: string }

/** Takes notices; the first `refusals` are answered with 500. */
export async function startListener(refusals = 0) {
  const told: Told[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      told.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
      response.writeHead(told.length <= refusals ? 500 : 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${port}/partners/bank/events`, told, close }
}
