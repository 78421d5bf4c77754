import { once } from 'node:events'
import { createServer as createHttpServer, request as requestHttp, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { Call, Program } from './points'
import type { Proxy } from './postgres-proxy'
import type { Random } from '@cofre/testing/random'
import type { Trap } from './trap'

/** `client`: shown to the partner. */
export type Certificate = { cert: string; key: string; ca: string; client: { cert: string; key: string } }

type Asked = { method: string; path: string; body: Buffer }

export type PartnerLink = {
  /** The program that waits for the answer to a call. */
  caller(call: Call): Program
  nameOf(asked: Asked): Call | undefined
  secure: boolean
}

/** How long a request may take to arrive after its sender died: longer than until the first query about it. */
const LATE_MAX_MS = 6_000
const BODY_BYTES_MAX = 1024 * 1024

export type PartnerProxy = Proxy & { certify(certificate: Certificate): void }

/** Passes calls on to a partner, and reports each moment of a call (`When`) to the trap. */
export async function startPartnerProxy(
  link: PartnerLink,
  trap: Trap,
  random: Random,
): Promise<PartnerProxy> {
  let target = new URL('http://127.0.0.1')
  let shown: { ca: string; cert: string; key: string } | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    const asked = { method: request.method ?? '', path: request.url ?? '', body }
    const call = link.nameOf(asked)
    const passes = (when: 'before' | 'during' | 'done' | 'told') =>
      call !== undefined && trap.pass(call, when, [link.caller(call)])
    if (passes('before')) return request.socket.destroy()
    // The sender is dead, and its request still arrives.
    if (passes('during')) await pause(random.int(0, LATE_MAX_MS))
    const { status, headers, content } = await forward(new URL(asked.path, target), request, body, shown)
    if (passes('done')) return request.socket.destroy()
    response.writeHead(status, headers)
    return response.end(content, () => setImmediate(() => passes('told')))
  }
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    // A connection that the partner cuts is cut for the caller too.
    void answer(request, response).catch(() => request.socket.destroy())
  const secure = link.secure ? createHttpsServer(listener) : undefined
  const server = secure ?? createHttpServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead: (to) => (target = to),
    certify: (certificate) => {
      shown = { ca: certificate.ca, ...certificate.client }
      secure?.setSecureContext({ cert: certificate.cert, key: certificate.key })
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

type Forwarded = { status: number; headers: Record<string, string | string[]>; content: Buffer }

async function forward(
  url: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
  shown?: { ca: string; cert: string; key: string },
): Promise<Forwarded> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  // Each call has its own connection: the other side may have closed a kept one.
  const outgoing = send(url, {
    method,
    headers: { ...headers, connection: 'close' },
    agent: false,
    ...shown,
  })
  outgoing.end(body)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const content = await readBody(answer)
  const kept = Object.entries(answer.headers).filter(
    ([name, value]) =>
      value !== undefined && !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
  )
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(kept) as Forwarded['headers'],
    content,
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The name of a call of the token service's API. */
export function tokenServiceCall({ method, path }: Asked): Call | undefined {
  if (method === 'GET') return 'token query'
  if (path.endsWith('/cryptograms')) return 'cryptogram'
  return path.endsWith('/deactivate') ? 'token closing' : 'token request'
}

/** The name of a call of the acquirer's API. */
export function acquirerCall({ method, path }: Asked): Call | undefined {
  if (method === 'GET') return 'query'
  if (method === 'POST') return path.startsWith('/1/zeroauth') ? 'verify' : 'sale'
  if (/\/capture(\?|$)/.test(path)) return 'capture'
  return /\/void(\?|$)/.test(path) ? 'void' : undefined
}

/** The name of a call of the acquirer's chargeback API. */
export function disputeCall({ method, path }: Asked): Call | undefined {
  if (method === 'PUT') return 'dispute answer'
  return /\/(PENDING|DONE)(\?|$)/.test(path) ? 'dispute list' : undefined
}

/** The name of a call of the bank's API. */
export function bankCall({ method, path }: Asked): Call | undefined {
  if (method === 'GET') return 'boleto query'
  return path.endsWith('/baixar') ? 'boleto withdrawal' : 'boleto registration'
}

/** The name of a call of the API Pix of a bank. */
export function pixCall({ method, path }: Asked): Call | undefined {
  if (method === 'GET') return 'pix query'
  if (method === 'PATCH') return 'pix withdrawal'
  if (path.includes('/devolucao/')) return 'pix return'
  return /^\/(cob[vr]?|rec|locrec)(\/|$)/.test(path) ? 'pix registration' : undefined
}

/** The name of a call of the voucher issuers' APIs, or of the identity provider's. */
export function voucherCall({ method, path, body }: Asked): Call | undefined {
  if (path.startsWith('/identity/')) {
    if (path.endsWith('/revocation')) return 'grant revocation'
    if (!path.endsWith('/token')) return undefined
    return body.includes('grant_type=refresh_token') ? 'grant renewal' : 'code exchange'
  }
  if (method === 'GET') return path.endsWith('/cards') ? 'holder card' : 'voucher query'
  return /\/(cancel|estorno)$/.test(path) ? 'voucher cancellation' : 'voucher payment'
}
