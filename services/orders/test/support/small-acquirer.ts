import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import type { Pair } from '@cofre/testing/certificates'
import type { Payment } from '@cofre/proto/orders/v1/orders'
import { SmallDisputes } from './small-disputes'

/**
 * The fault of the next calls of a kind. `hang`: done, and cut when released; `late`: done, and answered when
 * released; `done_late`: done and answered when released; `slow`: done, answered after a while; `none`: nothing.
 */
export type Fault =
  | 'none'
  | 'slow'
  | 'late'
  | 'done_late'
  | 'answer_lost'
  | 'lost_undone'
  | 'http_500'
  | 'done_500'
  | 'hang'
  | 'hang_undone'
  | Reply

type Kind = 'sale' | 'capture' | 'void' | 'query' | 'verify' | 'cases' | 'accept' | 'refuse'

const SLOW_MS = 150

/** The answer to a call that is not done. */
export type Reply = { status: number; body: unknown }

export type AcquirerPayment = {
  paymentId: string
  orderNumber: string
  tid: string
  nsu: string
  amount: number
  status: number
  returnCode: string
  adviceCode: string | undefined
  eci?: string | undefined
  issuerTransactionId: string
  capturedAmount: number
  voidedAmount: number
  /** The captures and voids that it did, with the id of the requesting operation. */
  done: { kind: 'capture' | 'void'; requestId: string; amount: number }[]
  /** The body of the sale as it arrived. */
  sale: { MerchantOrderId: string; Payment: Record<string, unknown>; Customer: Record<string, unknown> }
}

/** A very small Cielo over real https. It knows enough of the API to sell, capture, void and query. */
export class SmallAcquirer {
  readonly payments: AcquirerPayment[] = []
  readonly calls: string[] = []
  readonly verifications: Record<string, unknown>[] = []
  readonly headers: IncomingMessage['headers'][] = []
  /** The ECI of its answers from then on; undefined: none. */
  eci?: string | undefined
  /** Declines by the last digits of the card; any other card is approved. */
  readonly declines = new Map<string, { code: string; adviceCode?: string }>()
  /** Faults by the kind of call, used up one by one. */
  readonly faults = new Map<Kind, Fault[]>()
  /** Its chargeback API, at the same address. */
  readonly disputes = new SmallDisputes()
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

  /** Cuts the hanging calls, and answers the late ones. */
  release(): void {
    for (const end of this.held.splice(0)) end()
  }

  /** How many calls wait for their release. */
  get heldCalls(): number {
    return this.held.length
  }

  /** Resolves when so many calls wait for their release. Only one caller at a time may wait for it. */
  whenHeld(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.onHeld = () => {
        if (this.held.length >= count) resolve()
      }
      this.onHeld()
    })
  }

  ofOrder(orderNumber: string | undefined): AcquirerPayment[] {
    return this.payments.filter((payment) => payment.orderNumber === orderNumber)
  }

  /** The acquirer's only payment for a payment of ours. */
  paymentOf({ acquirer }: Pick<Payment, 'acquirer'> = { acquirer: undefined }): AcquirerPayment {
    const [payment, ...more] = this.ofOrder(acquirer?.orderNumber)
    if (!payment || more.length > 0) throw new Error('not one payment')
    return payment
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', this.url)
    this.calls.push(`${request.method} ${url.pathname}${url.search}`)
    this.headers.push(request.headers)
    const kind = kindOf(request.method, url.pathname)
    const fault = faultIn(request.headers) ?? this.faults.get(kind)?.shift()
    const act = () => this.act(kind, url, body, String(request.headers.requestid))
    if (fault === 'lost_undone') return void response.destroy()
    if (fault === 'hang_undone') return this.hold(() => response.destroy())
    if (fault === 'done_late') return this.hold(() => send(response, act()))
    if (fault === 'http_500') return send(response, { status: 500, body: {} })
    if (typeof fault === 'object') return send(response, fault)
    const reply = act()
    if (fault === 'answer_lost') return void response.destroy()
    if (fault === 'hang') return this.hold(() => response.destroy())
    if (fault === 'late') return this.hold(() => send(response, reply))
    if (fault === 'done_500') return send(response, { status: 500, body: {} })
    setTimeout(() => send(response, reply), fault === 'slow' ? SLOW_MS : 0)
  }

  private hold(end: () => void): void {
    this.held.push(end)
    this.onHeld()
  }

  private act(kind: Kind, url: URL, body: Buffer, requestId: string): Reply {
    if (kind === 'cases' || kind === 'accept' || kind === 'refuse') return this.disputes.answer(url, body)
    if (kind === 'sale') return this.sell(JSON.parse(body.toString()))
    if (kind === 'verify') return this.verify(JSON.parse(body.toString()))
    if (kind === 'query') return this.query(url)
    const payment = this.payments.find(({ paymentId }) => url.pathname.includes(paymentId))
    if (!payment) return { status: 404, body: [{ Code: 307 }] }
    const amount = Number(url.searchParams.get('amount') ?? payment.amount)
    return kind === 'capture' ? capture(payment, amount, requestId) : undo(payment, amount, requestId)
  }

  private sell(sale: AcquirerPayment['sale']): Reply {
    const card = sale.Payment.CreditCard as { CardNumber: string }
    const decline = this.declines.get(card.CardNumber.slice(-4))
    const captured = sale.Payment.Capture === true
    const amount = Number(sale.Payment.Amount)
    const payment: AcquirerPayment = {
      paymentId: randomUUID(),
      orderNumber: sale.MerchantOrderId,
      tid: `061114300${5127 + this.payments.length}`,
      nsu: String(300_512 + this.payments.length),
      amount,
      status: decline ? 3 : captured ? 2 : 1,
      returnCode: decline?.code ?? (captured ? '6' : '4'),
      adviceCode: decline?.adviceCode,
      eci: this.eci,
      issuerTransactionId: String(100_000_000_000_000 + this.payments.length),
      capturedAmount: !decline && captured ? amount : 0,
      voidedAmount: 0,
      done: [],
      sale,
    }
    this.payments.push(payment)
    return { status: 201, body: describe(payment) }
  }

  private verify(card: Record<string, unknown>): Reply {
    this.verifications.push(card)
    const decline = this.declines.get(String(card.CardNumber).slice(-4))
    const ReturnCode = decline?.code ?? '00'
    return { status: 200, body: { Valid: !decline, ReturnCode, IssuerTransactionId: '200000000000001' } }
  }

  private query(url: URL): Reply {
    const orderNumber = url.searchParams.get('merchantOrderId')
    if (orderNumber === null) {
      const payment = this.payments.find(({ paymentId }) => url.pathname.endsWith(paymentId))
      return payment ? { status: 200, body: describe(payment) } : { status: 404, body: '' }
    }
    const found = this.ofOrder(orderNumber).map(({ paymentId }) => ({ PaymentId: paymentId }))
    return found.length > 0 ? { status: 200, body: { Payment: found } } : { status: 404, body: '' }
  }
}

function kindOf(method = '', path: string): Kind {
  if (/^\/(PENDING|DONE|lifecycle)\b/.test(path)) return 'cases'
  if (path === '/accept' || path === '/refuse') return path === '/accept' ? 'accept' : 'refuse'
  if (method === 'GET') return 'query'
  if (path.endsWith('/capture')) return 'capture'
  if (path.endsWith('/void')) return 'void'
  return path.endsWith('/zeroauth') ? 'verify' : 'sale'
}

/** A call may bring its own fault, as JSON in a header. */
function faultIn(headers: IncomingMessage['headers']): Fault | undefined {
  return headers['fault'] === undefined ? undefined : (JSON.parse(String(headers['fault'])) as Fault)
}

function capture(payment: AcquirerPayment, amount: number, requestId: string): Reply {
  if (payment.status !== 1) return { status: 400, body: [{ Code: 308 }] }
  payment.done.push({ kind: 'capture', requestId, amount })
  Object.assign(payment, { status: 2, capturedAmount: amount })
  return { status: 200, body: { Status: 2, ReturnCode: '6' } }
}

function undo(payment: AcquirerPayment, amount: number, requestId: string): Reply {
  if (payment.status !== 1 && payment.status !== 2) return { status: 400, body: [{ Code: 309 }] }
  const left = (payment.status === 1 ? payment.amount : payment.capturedAmount) - payment.voidedAmount
  if (amount > left) return { status: 200, body: { Status: payment.status, ReturnCode: '51' } }
  payment.done.push({ kind: 'void', requestId, amount })
  payment.voidedAmount += amount
  if (amount === left) payment.status = 10
  return { status: 200, body: { Status: payment.status, ReturnCode: amount === left ? '9' : '0' } }
}

function describe(payment: AcquirerPayment) {
  return {
    MerchantOrderId: payment.orderNumber,
    Payment: {
      PaymentId: payment.paymentId,
      Tid: payment.tid,
      ProofOfSale: payment.nsu,
      AuthorizationCode: '418802',
      Status: payment.status,
      ReturnCode: payment.returnCode,
      MerchantAdviceCode: payment.adviceCode,
      Eci: payment.eci,
      IssuerTransactionId: payment.issuerTransactionId,
      Amount: payment.amount,
      CapturedAmount: payment.capturedAmount || undefined,
      VoidedAmount: payment.voidedAmount || undefined,
    },
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(body === '' ? '' : JSON.stringify(body))
}
