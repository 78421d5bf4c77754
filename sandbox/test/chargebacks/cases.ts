import { Agent } from 'node:https'
import { MERCHANT, type Json, type Reply, type TestSandbox } from '../support'
import { sell } from '../sales'
import { testCertificate } from '../test-certificate'

/** By the rule of the README: 1,000,000,000 and the first eight hexadecimal digits of the MerchantId. */
export const ESTABLISHMENT = String(1_000_000_000 + 0x6f1e9c4a)
export const CLIENT = { client_id: MERCHANT.MerchantId, client_secret: 'secret-of-the-client' }

/** An agent that shows a client certificate. */
export async function certifiedAgent({ config }: TestSandbox): Promise<Agent> {
  return new Agent({ ca: config.tls.cert, ...(await testCertificate()), autoSelectFamily: false })
}

export function askToken(
  { call, chargebacksUrl }: TestSandbox,
  agent: Agent,
  form: object = {},
): Promise<Reply> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...CLIENT, ...form }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return call('POST', new URL('/oauth/token', chargebacksUrl).href, { body, headers, agent })
}

/** The seller's own calls of the chargeback API. */
export async function openSeller(sandbox: TestSandbox) {
  const agent = await certifiedAgent(sandbox)
  const token = (await askToken(sandbox, agent)).body.access_token as string
  const authorization = `Bearer ${token}`
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    sandbox.call(method, `${sandbox.chargebacksUrl}${path}`, {
      body,
      agent,
      headers: { authorization, ...headers },
    })
  const list = (status: string, filter: object = {}, query = 'page=0&pageSize=200') =>
    call('POST', `/${status}?${query}`, { establishmentNumber: [ESTABLISHMENT], ...filter })
  const today = new Date()
  const period = {
    startNotificationPeriod: new Date(today.getTime() - 86_400_000).toISOString().slice(0, 10),
    endNotificationPeriod: new Date(today.getTime() + 86_400_000).toISOString().slice(0, 10),
  }
  const done = async (filter: object = {}) => (await list('DONE', { ...period, ...filter })).body as Json[]
  const accept = (idChargeback: string | number) =>
    call('PUT', '/accept', {
      updateChargeback: [{ establishmentNumber: ESTABLISHMENT, idChargeback }],
      userName: 'ana@loja.example',
    })
  const refuse = async (one: Json, change: Defence = {}) => {
    const { name = `${one.idCase}.pdf`, file = PDF, reason = 'Entregue', id = one.idChargeback } = change
    const form = new FormData()
    const fields = {
      establishmentNumber: ESTABLISHMENT,
      idChargeback: id,
      reasonToRefuse: reason,
      userName: 'a@b.c',
    }
    for (const [key, value] of Object.entries(fields)) form.set(key, String(value))
    if (file) form.set('file', new Blob([new Uint8Array(file)]), name)
    const sent = new Response(form)
    const headers = { 'content-type': sent.headers.get('content-type') }
    return call('PUT', '/refuse', Buffer.from(await sent.arrayBuffer()), headers)
  }
  return { agent, call, list, done, accept, refuse, end: () => agent.destroy() }
}

type Defence = { name?: string; file?: Buffer | null; reason?: string; id?: string }

export const PDF = Buffer.from('%PDF-1.4\nA delivery note.')

/** A captured payment of 100.00 and a chargeback of it, as the control shows it. */
export async function dispute(sandbox: TestSandbox, orderId: string, change: object = {}): Promise<Json> {
  await sell(sandbox, { orderId, capture: true })
  return (await sandbox.control('POST', '/acquirer/chargebacks', { merchantOrderId: orderId, ...change }))
    .body
}

export async function truthOf(sandbox: TestSandbox, { idChargeback }: Json): Promise<Json> {
  const { body } = await sandbox.control('GET', '/acquirer/chargebacks')
  return body.find((each: Json) => each.idChargeback === idChargeback)
}
