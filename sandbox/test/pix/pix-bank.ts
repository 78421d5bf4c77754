import { Agent } from 'node:https'
import { startTestSandbox, type Reply, type TestSandbox } from '../support'
import { testCertificate } from '../test-certificate'
import { faultsOf } from './api-document'
import type { SandboxConfig } from '../../src/config'

export const CLIENT_ID = 'padaria-sol'
export const SECRET = 'secret-of-the-client-0123456789'
export const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const OF_ALL_TIME = 'inicio=2020-01-01T00:00:00Z&fim=2099-12-31T00:00:00Z'

export type PixSandbox = TestSandbox & {
  /** Who calls: an agent with a certificate, and the token. */
  seller: Seller
  /** Calls the bank and holds call and answer against the document. `wrong`: the call breaks it on purpose. */
  bank: (method: string, path: string, body?: unknown, options?: BankOptions) => Promise<Reply>
  list: (path: string, query?: string) => Promise<Reply>
  signIn: (options?: SignIn) => Promise<Reply>
}

export type Seller = { agent: Agent; token: string }
export type BankOptions = { wrong?: boolean; seller?: Seller }
export type SignIn = { clientId?: string; secret?: string; agent?: Agent; scope?: string }

export async function startPixSandbox(change: Partial<SandboxConfig> = {}): Promise<PixSandbox> {
  const sandbox = await startTestSandbox(change)
  const agent = await agentOf(sandbox)
  const signIn = ({ clientId = CLIENT_ID, secret = SECRET, agent: by = agent, scope }: SignIn = {}) => {
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64')
    return sandbox.call('POST', `${sandbox.pixBankUrl}/oauth/token`, {
      body: `grant_type=client_credentials${scope === undefined ? '' : `&scope=${encodeURIComponent(scope)}`}`,
      headers: { authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      agent: by,
    })
  }
  const seller = { agent, token: (await signIn()).body.access_token }
  const bank = (method: string, path: string, body?: unknown, options: BankOptions = {}) =>
    callBank(sandbox, method, path, body, { seller, ...options })
  return {
    ...sandbox,
    seller,
    signIn,
    bank,
    list: (path, query = '') => bank('GET', `${path}?${OF_ALL_TIME}${query && `&${query}`}`),
    end: async () => {
      agent.destroy()
      await sandbox.end()
    },
  }
}

/** Returns an agent with a certificate of its own. */
export async function agentOf({ config }: TestSandbox): Promise<Agent> {
  return new Agent({ ...(await testCertificate()), ca: config.tls.cert, autoSelectFamily: false })
}

export async function callBank(
  { call, pixBankUrl }: TestSandbox,
  method: string,
  path: string,
  body: unknown,
  { seller, wrong = false }: BankOptions & { seller: Seller },
): Promise<Reply> {
  const headers = { authorization: `Bearer ${seller.token}` }
  const answer = await call(method, `${pixBankUrl}${path}`, { body, headers, agent: seller.agent })
  const faults = faultsOf({ method, path: path.split('?')[0] ?? '', body, answer }, wrong)
  if (faults.length > 0) throw new Error(`${method} ${path} ${answer.status}: ${faults.join('; ')}`)
  return answer
}

/** Returns a transaction number. */
export function txid(number: number): string {
  return `Tx${String(number).padStart(26, '0')}`
}

/** A charge with a due date that the bank takes. 13 October 2049 is a Wednesday. */
export function cobv(changes: object = {}) {
  const { valor, calendario, ...others } = changes as Record<string, object>
  return {
    calendario: { dataDeVencimento: '2049-10-13', validadeAposVencimento: 30, ...calendario },
    devedor: {
      cpf: '12345678909',
      nome: 'Ana Souza',
      email: 'ana@example.com',
      logradouro: 'Rua do Sol, 1',
      cidade: 'Recife',
      uf: 'PE',
      cep: '70011750',
    },
    valor: { original: '123.45', ...valor },
    chave: KEY,
    solicitacaoPagador: 'Fatura 1',
    infoAdicionais: [{ nome: 'Fatura', valor: '1' }],
    ...others,
  }
}

export function cob(changes: object = {}) {
  return {
    calendario: { expiracao: 3_600 },
    devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
    valor: { original: '37.00' },
    chave: KEY,
    ...changes,
  }
}
