import type { Reply } from './small-issuer'

/** A payment as an issuer knows it. */
export type IssuerPayment = {
  paymentId: string
  orderNumber: string
  /** Cents. */
  amount: number
  state: 'approved' | 'declined' | 'canceled'
  code: string
  /** The body of the request as it came. */
  asked: Record<string, unknown>
  /** The ids of the operations that asked for its cancellation. */
  cancellations: string[]
}

/** The dialect of an issuer: enough of it to pay, ask and cancel. */
export type IssuerDialect = {
  approvedCode: string
  /** The card's number and the cents of a request. */
  numberOf(body: never): string
  amountOf(body: never): number
  made: number
  describe(payment: IssuerPayment): object
  duplicate: Reply
  unknown: Reply
  tooLate: Reply
}

type AleloBody = { amount: number; card: { number: string } }

export const ALELO: IssuerDialect = {
  approvedCode: '00',
  numberOf: ({ card }: AleloBody) => card.number,
  amountOf: ({ amount }: AleloBody) => amount,
  made: 200,
  describe: ({ paymentId, orderNumber, state, code, amount }) => ({
    paymentId,
    orderId: orderNumber,
    status: state.toUpperCase(),
    responseCode: code,
    authorizationCode: state === 'declined' ? null : '418802',
    amount,
  }),
  duplicate: { status: 409, body: { error: 'DUPLICATE_ORDER' } },
  unknown: { status: 404, body: { error: 'NOT_FOUND' } },
  tooLate: { status: 422, body: { error: 'CANCEL_WINDOW_CLOSED' } },
}

type VrBody = { valor: string; cartao: { numero: string } }
const SITUATIONS = { approved: 'AUTORIZADA', declined: 'NEGADA', canceled: 'ESTORNADA' }

export const VR: IssuerDialect = {
  approvedCode: '000',
  numberOf: ({ cartao }: VrBody) => cartao.numero,
  amountOf: ({ valor }: VrBody) => Math.round(Number(valor) * 100),
  made: 201,
  describe: ({ paymentId, orderNumber, state, code, amount }) => ({
    nsuLoja: orderNumber,
    nsuHost: paymentId,
    situacao: SITUATIONS[state],
    codigoRetorno: code,
    autorizacao: state === 'declined' ? null : '77120',
    valor: (amount / 100).toFixed(2),
  }),
  duplicate: { status: 409, body: { codigo: 'NSU_REPETIDO' } },
  unknown: { status: 404, body: { codigo: 'NAO_ENCONTRADA' } },
  tooLate: { status: 422, body: { codigo: 'FORA_DO_PRAZO' } },
}

type TicketBody = { card_id: string; amount: number }
const STATUSES = { approved: 'captured', declined: 'declined', canceled: 'cancelled' }

export const TICKET: IssuerDialect = {
  approvedCode: '',
  numberOf: ({ card_id: cardId }: TicketBody) => cardId,
  amountOf: ({ amount }: TicketBody) => amount,
  made: 201,
  describe: ({ paymentId, orderNumber, state, code, amount }) => ({
    data: {
      transaction_id: paymentId,
      order_ref: orderNumber,
      status: STATUSES[state],
      reason: code || null,
      authorization_code: state === 'declined' ? null : '550913',
      amount,
    },
  }),
  duplicate: { status: 409, body: { errors: [{ code: 'duplicate_order_ref' }] } },
  unknown: { status: 404, body: { errors: [{ code: 'not_found' }] } },
  tooLate: { status: 422, body: { errors: [{ code: 'cancellation_window_closed' }] } },
}
