import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Pair } from '@cofre/testing/certificates'
import { oracleBarcode, oracleLine } from './boleto-oracle'

/** The answer to a call that is not done. */
export type Reply = { status: number; body: unknown }
/** The fate of the next call of a kind. */
export type Fault = 'none' | 'answer_lost' | 'lost_undone' | 'http_500' | 'done_500' | Reply
type Kind = 'register' | 'query' | 'withdraw'

/** In the bank's format: reais, days as YYYY-MM-DD, moments in ISO. */
export type BankPayment = { id: string; valorPago: number; dataHora: string }
export type BankSlip = {
  nossoNumero: string
  dataVencimento: string
  valorOriginal: number
  cancelled: boolean
  pagamentos: BankPayment[]
  registration: Record<string, unknown>
}

/** A very small bank over real https. */
export class SmallBank {
  readonly slips = new Map<string, BankSlip>()
  readonly calls: string[] = []
  /** False data in its answers about every slip. */
  lie: object = {}
  private readonly faults = new Map<Kind, Fault[]>()
  private server: Server | undefined
  private port = 0

  constructor(private readonly pair: Pair) {}

  async start(): Promise<void> {
    const { cert, key } = this.pair
    const server = createServer({ cert, key }, (request, response) => {
      const { method = '', url = '' } = request
      // The caller gave up while its request was read.
      void text(request).then(
        (body) => this.answer(`${method} ${url}`, body, response),
        () => response.destroy(),
      )
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

  /** Plans faults for the next calls of a kind. */
  next(kind: Kind, ...faults: Fault[]): void {
    this.faults.set(kind, [...(this.faults.get(kind) ?? []), ...faults])
  }

  /** Drops the planned faults. */
  forget(kind: Kind): void {
    this.faults.delete(kind)
  }

  /** The bank's only slip. */
  get only(): BankSlip {
    const [slip, another] = [...this.slips.values()]
    if (!slip || another) throw new Error(`the bank has ${this.slips.size} slips`)
    return slip
  }

  countOf(kind: string): number {
    return this.calls.filter((call) => call === kind).length
  }

  private answer(asked: string, body: string, response: ServerResponse): void {
    const [, number = '', action] = /^\w+ \/boletos\/?(\d*)\/?(\w*)/.exec(asked) ?? []
    const kind: Kind = action ? 'withdraw' : number ? 'query' : 'register'
    this.calls.push(kind)
    const fault = this.faults.get(kind)?.shift() ?? 'none'
    if (typeof fault === 'object') return send(response, fault)
    if (fault === 'lost_undone') return void response.destroy()
    if (fault === 'http_500') return send(response, { status: 500, body: {} })
    const reply =
      kind === 'register'
        ? this.register(JSON.parse(body) as Record<string, unknown>)
        : this.of(number, kind === 'withdraw')
    if (fault === 'answer_lost') return void response.destroy()
    send(response, fault === 'done_500' ? { status: 500, body: {} } : reply)
  }

  private register(registration: Record<string, unknown>): Reply {
    const { nossoNumero, dataVencimento, valorOriginal } = registration as unknown as BankSlip
    if (this.slips.has(nossoNumero)) return { status: 409, body: { erro: 'BOLETO_DUPLICADO' } }
    const slip = {
      nossoNumero,
      dataVencimento,
      valorOriginal,
      cancelled: false,
      pagamentos: [],
      registration,
    }
    this.slips.set(nossoNumero, slip)
    return { status: 201, body: this.shown(slip) }
  }

  private of(number: string, isWithdrawal: boolean): Reply {
    const slip = this.slips.get(number)
    if (!slip) return { status: 404, body: { erro: 'BOLETO_NAO_ENCONTRADO' } }
    if (isWithdrawal && slip.pagamentos.length > 0) return { status: 422, body: { erro: 'BOLETO_LIQUIDADO' } }
    if (isWithdrawal) slip.cancelled = true
    return { status: 200, body: this.shown(slip) }
  }

  /** A slip as the bank shows it. */
  shown(slip: BankSlip): object {
    const amount = Math.round(slip.valorOriginal * 100)
    const barcode = oracleBarcode({ dueDay: slip.dataVencimento, amount, ourNumber: slip.nossoNumero })
    const isPaid = slip.pagamentos.length > 0
    return {
      nossoNumero: slip.nossoNumero,
      numeroDocumento: slip.registration.numeroDocumento,
      pagador: slip.registration.pagador,
      situacao: isPaid ? 'LIQUIDADO' : slip.cancelled ? 'BAIXADO' : 'REGISTRADO',
      codigoBarras: barcode,
      linhaDigitavel: oracleLine(barcode),
      valorOriginal: slip.valorOriginal,
      beneficiario: {
        nome: 'Padaria Sol Ltda',
        cpfCnpj: '11222333000181',
        agencia: '1234-3',
        conta: '56789-0',
        endereco: 'Rua do Exemplo, 100, São Paulo - SP',
      },
      pagamentos: slip.pagamentos,
      ...this.lie,
    }
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
