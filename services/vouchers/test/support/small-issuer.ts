import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pair } from '@cofre/testing/certificates'
import { ALELO, TICKET, VR, type IssuerDialect, type IssuerPayment } from './issuer-payment'
import { DOCUMENT_PATH, KEY_PATHS, REVOCATION_PATHS, SmallProvider, TOKEN_PATHS } from './small-provider'

/**
 * The fate of the next calls of a kind. `hang`: done, and cut when released; `late`: done, and answered when
 * released; `done_late`: done and answered when released; `none`: nothing.
 */
export type Fault =
  | 'none'
  | 'late'
  | 'done_late'
  | 'answer_lost'
  | 'lost_undone'
  | 'http_500'
  | 'done_500'
  | 'hang'
  | 'hang_undone'
  | Reply

/** The answer to a call that is not done. A text is sent as it is. */
export type Reply = { status: number; body: unknown }

/** `grant`, `revoke`, `keys`, `document`: at the identity provider; `card`: of a holder. */
type Kind = 'pay' | 'cancel' | 'query' | 'card' | 'grant' | 'revoke' | 'keys' | 'document'
type Asked = {
  kind: Kind
  dialect: IssuerDialect
  path: string
  id: string
  body: Record<string, unknown>
  requestId: string
}

const KINDS = new Map<string, Kind>([
  ['/v2/cards', 'card'],
  [DOCUMENT_PATH, 'document'],
  ...TOKEN_PATHS.map((path) => [path, 'grant'] as const),
  ...REVOCATION_PATHS.map((path) => [path, 'revoke'] as const),
  ...KEY_PATHS.map((path) => [path, 'keys'] as const),
])

const NOT_AUTHORIZED: Reply = { status: 401, body: { errors: [{ code: 'invalid_token' }] } }

/** The card that every holder picks. */
const CARD = { card_id: 'c-1', product: 'meal', last4: '1234', holder: 'Ana Souza' }

/**
 * Very small issuers over real https, all at one address: `/v1/payments` is Alelo's, `/transacoes` VR's, `/v2` Ticket's,
 * and `/connect` Ticket's identity provider.
 */
export class SmallIssuer {
  readonly payments: IssuerPayment[] = []
  readonly calls: string[] = []
  readonly provider = new SmallProvider()
  readonly headers: IncomingMessage['headers'][] = []
  /** The code of a decline, by the card's last four digits; any other card is approved. */
  readonly declines = new Map<string, string>()
  private readonly faults = new Map<Kind, Fault[]>()
  private readonly held: (() => void)[] = []
  private onHeld = () => {}
  private server: Server | undefined
  private port = 0

  constructor(private readonly pair: Pair) {}

  async start(): Promise<void> {
    const { cert, key } = this.pair
    const server = createServer({ cert, key }, (request, response) => {
      // The caller gave up while its request was read.
      this.answer(request, response).catch(() => response.destroy())
    })
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

  fail(call: Kind, ...faults: Fault[]): void {
    this.faults.set(call, [...(this.faults.get(call) ?? []), ...faults])
  }

  /** Forgets the faults that are still to come. */
  recover(): void {
    this.faults.clear()
  }

  /** Cuts the calls that hang, and answers those that are late. */
  release(): void {
    for (const end of this.held.splice(0)) end()
  }

  /** Resolves when `count` calls wait to be released. One caller at a time may wait for this. */
  whenHeld(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.onHeld = () => {
        if (this.held.length >= count) resolve()
      }
      this.onHeld()
    })
  }

  ofOrder(orderNumber: string): IssuerPayment[] {
    return this.payments.filter((payment) => payment.orderNumber === orderNumber)
  }

  /** The one payment made for a payment of ours. */
  paymentOf({ orderNumber }: { orderNumber: string }): IssuerPayment {
    const [payment, ...more] = this.ofOrder(orderNumber)
    if (!payment || more.length > 0) throw new Error('not one payment')
    return payment
  }

  /** Counts the questions about a payment of ours. */
  queriesAbout({ orderNumber }: { orderNumber: string }): number {
    return this.calls.filter((call) => call.startsWith('GET') && call.endsWith(orderNumber)).length
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    this.calls.push(`${request.method} ${request.url}`)
    this.headers.push(request.headers)
    const asked = readCall(request, Buffer.concat(chunks).toString())
    const fault = this.faults.get(asked.kind)?.shift()
    const isOfHolder = asked.kind === 'pay' || asked.kind === 'card'
    const isGood = asked.dialect !== TICKET || !isOfHolder || this.takes(request)
    const act = () => (isGood ? this.act(asked) : NOT_AUTHORIZED)
    if (fault === 'lost_undone') return void response.destroy()
    if (fault === 'hang_undone') return this.hold(() => response.destroy())
    if (fault === 'done_late') return this.hold(() => send(response, act()))
    if (fault === 'http_500') return send(response, { status: 500, body: {} })
    if (typeof fault === 'object') return send(response, fault)
    const reply = act()
    if (fault === 'answer_lost') return void response.destroy()
    if (fault === 'hang') return this.hold(() => response.destroy())
    if (fault === 'late') return this.hold(() => send(response, reply))
    send(response, fault === 'done_500' ? { status: 500, body: {} } : reply)
  }

  private takes({ headers }: IncomingMessage): boolean {
    return this.provider.access.has(headers.authorization?.replace('Bearer ', '') ?? '')
  }

  private hold(end: () => void): void {
    this.held.push(end)
    this.onHeld()
  }

  private act({ kind, dialect, path, id, body, requestId }: Asked): Reply {
    const granted = this.provider.answer(path, body)
    if (granted) return granted
    if (kind === 'card') return { status: 200, body: { data: [CARD] } }
    if (kind === 'pay') return this.pay(dialect, id, body)
    const payment = this.payments.find((one) => one.paymentId === id || one.orderNumber === id)
    if (!payment) return dialect.unknown
    if (kind === 'cancel') {
      if (payment.state === 'declined') return dialect.tooLate
      payment.cancellations.push(requestId)
      payment.state = 'canceled'
    }
    return { status: 200, body: dialect.describe(payment) }
  }

  private pay(dialect: IssuerDialect, orderNumber: string, asked: Record<string, unknown>): Reply {
    if (this.ofOrder(orderNumber).length > 0) return dialect.duplicate
    const decline = this.declines.get(dialect.numberOf(asked as never).slice(-4))
    const payment: IssuerPayment = {
      paymentId: randomUUID(),
      orderNumber,
      amount: dialect.amountOf(asked as never),
      state: decline ? 'declined' : 'approved',
      code: decline ?? dialect.approvedCode,
      asked,
      cancellations: [],
    }
    this.payments.push(payment)
    return { status: dialect.made, body: dialect.describe(payment) }
  }
}

function readCall({ method = '', url = '', headers }: IncomingMessage, text: string): Asked {
  const { pathname, searchParams } = new URL(url, 'https://issuer')
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  const rest = { path: pathname, body, requestId: String(headers.requestid) }
  const [, , id = '', last] = pathname.split('/')
  const ofHolder = KINDS.get(pathname)
  if (ofHolder) return { kind: ofHolder, dialect: TICKET, id: '', ...rest }
  if (pathname.startsWith('/v2/')) return ofTicket(method, new URL(url, 'https://issuer'), rest)
  if (pathname.startsWith('/transacoes/')) {
    const kind = method === 'GET' ? 'query' : last === 'estorno' ? 'cancel' : 'pay'
    return { kind, dialect: VR, id, ...rest }
  }
  if (method === 'GET')
    return { kind: 'query', dialect: ALELO, id: searchParams.get('orderId') ?? '', ...rest }
  if (pathname.endsWith('/cancel')) return { kind: 'cancel', dialect: ALELO, id: last ?? '', ...rest }
  return { kind: 'pay', dialect: ALELO, id: String(body.orderId), ...rest }
}

function ofTicket(
  method: string,
  { pathname, searchParams }: URL,
  rest: Pick<Asked, 'path' | 'body' | 'requestId'>,
): Asked {
  const more = { dialect: TICKET, ...rest }
  if (method === 'GET') return { kind: 'query', id: searchParams.get('order_ref') ?? '', ...more }
  if (pathname.endsWith('/cancel')) return { kind: 'cancel', id: pathname.split('/')[3] ?? '', ...more }
  return { kind: 'pay', id: String(rest.body.order_ref), ...more }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}
