import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pair } from '@cofre/testing/certificates'

/**
 * `answer_lost`: done, then cut. `lost_undone`: cut, nothing done. `hang`: not done, and cut when released. `late`:
 * done, answered when a test says so. `http_500`: not done. `done_500`: done. An object: this answer, nothing done.
 */
export type Fault =
  | 'answer_lost'
  | 'lost_undone'
  | 'hang'
  | 'late'
  | 'http_500'
  | 'done_500'
  | { status: number; body: unknown }

export type IssuedToken = {
  id: string
  reference: string
  merchantId: string
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'DELETED' | 'FAILED'
  reason?: string
  card: { number: string; lastFour: string; securityCode?: string; callbackUrl?: string }
  number: string
  cryptograms: { reference: string; amount: number; value: string }[]
}

type RequestBody = { reference: string; card: IssuedToken['card']; callbackUrl?: string }
type Reply = { status: number; body: unknown }
type Kind = 'request' | 'query' | 'cryptogram' | 'close'

/** A very small token service over real https. Tokens stay PENDING until a test says otherwise, or `issue` is set. */
export class SmallTokenService {
  readonly tokens: IssuedToken[] = []
  readonly calls: string[] = []
  readonly faults = new Map<Kind, Fault[]>()
  /** Faults of requests by the card's last four digits; they come before the faults of all cards. */
  readonly cardFaults = new Map<string, Fault[]>()
  /** The answer to every request for a card, by its last four digits. */
  readonly refusals = new Map<string, Reply>()
  /** The status of a new token. */
  issue: IssuedToken['status'] = 'PENDING'
  /** Functions that send the late answers, the oldest first. */
  readonly late: (() => void)[] = []
  private readonly held: ServerResponse[] = []
  private server: Server | undefined
  private port = 0

  constructor(private readonly pair: Pair) {}

  async start(): Promise<void> {
    const server = createServer(this.pair, (request, response) => void this.answer(request, response))
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  /** Refuses connections until started again. */
  async stop(): Promise<void> {
    const { server } = this
    server?.closeAllConnections()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  fail(kind: Kind, ...faults: Fault[]): void {
    this.faults.set(kind, [...(this.faults.get(kind) ?? []), ...faults])
  }

  /** Cuts the calls that hang. */
  release(): void {
    for (const response of this.held.splice(0)) response.destroy()
  }

  /** The only token whose card has these last four digits. */
  tokenOf(lastFour: string): IssuedToken {
    const [token, ...more] = this.tokens.filter(({ card }) => card.number.endsWith(lastFour))
    if (!token || more.length > 0) throw new Error('not one token')
    return token
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const url = new URL(request.url ?? '/', this.url)
    this.calls.push(`${request.method} ${url.pathname}${url.search}`)
    const kind = kindOf(request.method, url.pathname)
    const ofCard = this.cardFaults.get(kind === 'request' ? (body as RequestBody).card.number.slice(-4) : '')
    const fault = ofCard?.shift() ?? this.faults.get(kind)?.shift()
    if (fault === 'lost_undone') return void response.destroy()
    if (fault === 'hang') return void this.held.push(response)
    if (fault === 'http_500') return send(response, { status: 500, body: {} })
    if (typeof fault === 'object') return send(response, fault)
    const reply = this.act(kind, url, body, String(request.headers.merchantid))
    if (fault === 'answer_lost') return void response.destroy()
    if (fault === 'late') return void this.late.push(() => send(response, reply))
    send(response, fault === 'done_500' ? { status: 500, body: {} } : reply)
  }

  private act(kind: Kind, url: URL, body: unknown, merchantId: string): Reply {
    if (kind === 'request') return this.request(body as RequestBody, merchantId)
    const reference = url.searchParams.get('reference')
    const id = url.pathname.split('/')[3]
    const token = this.tokens.find((one) => (reference ? one.reference === reference : one.id === id))
    if (!token || token.merchantId !== merchantId) return { status: 404, body: { code: 'NOT_FOUND' } }
    if (kind === 'query') return { status: 200, body: describe(token) }
    if (kind === 'close') {
      if (token.status === 'FAILED') return { status: 422, body: { code: 'TOKEN_NOT_ACTIVE' } }
      token.status = 'DELETED'
      return { status: 200, body: describe(token) }
    }
    if (token.status !== 'ACTIVE') return { status: 422, body: { code: 'TOKEN_NOT_ACTIVE' } }
    const value = randomBytes(20).toString('base64')
    token.cryptograms.push({ ...(body as { reference: string; amount: number }), value })
    return { status: 201, body: { cryptogram: value, eci: '05', expiresAt: Date.now() + 900_000 } }
  }

  private request({ reference, card, callbackUrl }: RequestBody, merchantId: string): Reply {
    const refusal = this.refusals.get(card.number.slice(-4))
    if (refusal) return refusal
    const known = this.tokens.find((one) => one.reference === reference)
    if (known) return { status: 200, body: { reference, id: known.id, status: known.status } }
    const lastFour = card.number.slice(-4)
    const token: IssuedToken = {
      id: randomUUID(),
      reference,
      merchantId,
      status: this.issue,
      card: { ...card, lastFour, ...(callbackUrl ? { callbackUrl } : {}) },
      number: `489537${String(1e9 + this.tokens.length)}`,
      cryptograms: [],
    }
    this.tokens.push(token)
    return { status: 202, body: { reference, id: token.id, status: 'PENDING' } }
  }
}

function kindOf(method = '', path: string): Kind {
  if (method === 'GET') return 'query'
  if (path.endsWith('/cryptograms')) return 'cryptogram'
  return path.endsWith('/deactivate') ? 'close' : 'request'
}

function describe({ id, reference, status, reason, number, card }: IssuedToken) {
  const active = status === 'ACTIVE'
  return {
    id,
    reference,
    status,
    reason,
    network: 'VISA',
    ...(active
      ? { token: { number, expirationMonth: 11, expirationYear: 2049, lastFour: number.slice(-4) } }
      : {}),
    card: { lastFour: card.lastFour },
    updatedAt: Date.now(),
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
