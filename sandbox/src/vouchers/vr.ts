import { randomInt } from 'node:crypto'
import type { Request, Router } from 'express'
import { z } from 'zod'
import type { Answer } from '../partner-call'
import { wrongMethod } from '../partner-routes'
import { answering, issuerRouter, readBody, sendFailure, type Words } from './issuer-answer'
import type { RefusalReason } from './issuer-refusal'
import { cancelPayment, charge, findByOrder, type VoucherIssuers } from './voucher-issuers'
import type { VoucherPayment, VoucherStatus } from './voucher-payment'

const numbered = z.object({ nsuLoja: z.string().regex(/^[A-Za-z0-9-]{1,36}$/) })

const transaction = z.object({
  // Reais, with two decimals.
  valor: z
    .string()
    .regex(/^\d{1,10}\.\d{2}$/)
    .transform((valor) => Number(valor.replace('.', '')))
    .refine((cents) => cents > 0),
  produto: z.enum(['VR_REFEICAO', 'VR_ALIMENTACAO']),
  documento: z.string().regex(/^\d{11}$|^[0-9A-Z]{12}\d{2}$/),
  cartao: z.object({
    numero: z.string().regex(/^\d{13,19}$/),
    nome: z.string().min(1).max(100),
    validade: z.string().regex(/^20\d\d(0[1-9]|1[0-2])$/),
    codigoSeguranca: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
  }),
})

const ERRORS: Record<RefusalReason, string> = {
  UNAUTHORIZED: 'NAO_AUTORIZADO',
  INVALID_TOKEN: 'NAO_AUTORIZADO',
  INVALID: 'PEDIDO_INVALIDO',
  DUPLICATE: 'NSU_REPETIDO',
  NOT_FOUND: 'NAO_ENCONTRADA',
  DECLINED: 'TRANSACAO_NEGADA',
  WINDOW_CLOSED: 'FORA_DO_PRAZO',
}

/** The return codes by ABECS code: this issuer has its own. */
const RETURN_CODES: Record<string, string> = {
  '00': '000',
  '05': '100',
  '57': '119',
  '78': '112',
  '99': '911',
  '77': '105',
  '70': '118',
}

const SITUATIONS: Record<VoucherStatus, string> = {
  APPROVED: 'AUTORIZADA',
  DECLINED: 'NEGADA',
  CANCELED: 'ESTORNADA',
}

const words: Words = ({ reason, field }) => ({ codigo: ERRORS[reason], campo: field })

/** The issuer of the brand VR: Portuguese, JSON, the seller's own number in the path, amounts in reais. */
export function vrRoutes(issuers: VoucherIssuers): Router {
  const router = issuerRouter()
  const call = answering(issuers.faults, words)
  const seller = (request: Request) =>
    issuers.keys.identify('VR', request.get('x-vr-estabelecimento'), request.get('x-vr-chave'))
  const find = (request: Request) =>
    findByOrder(issuers, 'VR', seller(request), String(request.params['nsuLoja']))

  router
    .route('/transacoes/:nsuLoja')
    .put(call('CHANGE', (request) => pay(issuers, seller(request), request)))
    .get(call('QUERY', (request) => ok(find(request))))
    .all(wrongMethod('GET, PUT'))
  router
    .route('/transacoes/:nsuLoja/estorno')
    .post(call('CHANGE', (request) => ok(cancelPayment(issuers, find(request)))))
    .all(wrongMethod('POST'))

  return router.use(sendFailure(words))
}

function pay(issuers: VoucherIssuers, merchant: string, { params, body }: Request): Answer {
  const { nsuLoja } = readBody(numbered, params)
  const { valor, produto, cartao } = readBody(transaction, body)
  const { payment, lost } = charge(
    issuers,
    {
      brand: 'VR',
      merchant,
      orderNumber: nsuLoja,
      product: produto === 'VR_REFEICAO' ? 'MEAL' : 'FOOD',
      amount: valor,
      cardLastFour: cartao.numero.slice(-4),
    },
    String(randomInt(10 ** 11, 10 ** 12)),
  )
  return { ...ok(payment), status: 201, lost }
}

function ok({ orderNumber, paymentId, status, returnCode, ...payment }: VoucherPayment): Answer {
  return {
    status: 200,
    body: {
      nsuLoja: orderNumber,
      nsuHost: paymentId,
      situacao: SITUATIONS[status],
      codigoRetorno: RETURN_CODES[returnCode],
      autorizacao: payment.authorizationCode,
      valor: (payment.amount / 100).toFixed(2),
    },
  }
}
