import { reais } from '@cofre/platform/money'
import { isDone } from '@cofre/platform/outbound/partner-answers'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { CardType } from '../brands/brand'
import type { DeclineCode } from '../payment/decline'
import type { CancelOutcome, Found, Issuer, PaymentOutcome } from './issuer'
import { callsTo, isRefusedPayment, issuerName, type Called } from './issuer-call'

const PRODUCT: Record<CardType, string> = { MEAL: 'VR_REFEICAO', FOOD: 'VR_ALIMENTACAO' }

const transaction = z.object({
  nsuHost: issuerName,
  situacao: z.enum(['AUTORIZADA', 'NEGADA', 'ESTORNADA']),
  codigoRetorno: z.string().max(10),
  autorizacao: issuerName.nullable(),
  valor: z.string().regex(/^\d{1,9}\.\d{2}$/),
})

// Action codes of ISO 8583:1993.
const CODES: Record<string, DeclineCode> = {
  '100': 'DO_NOT_HONOR',
  '101': 'EXPIRED_CARD',
  '105': 'CARD_CANCELED',
  '112': 'CARD_NOT_UNLOCKED',
  '116': 'INSUFFICIENT_FUNDS',
  '118': 'INVALID_CARD',
  '119': 'TRANSACTION_NOT_ALLOWED',
  '122': 'SECURITY_VIOLATION',
  '907': 'ISSUER_UNAVAILABLE',
  '911': 'ISSUER_UNAVAILABLE',
}

/** JSON over https in Portuguese; amounts in reais with two decimals; our order number stands in a payment's path. */
export function openVrIssuer(vault: VaultClient, partner: string): Issuer {
  const call = callsTo(vault, partner)
  const pathOf = (orderNumber: string) => `/transacoes/${orderNumber}`
  return {
    pay: async ({ token, handle, orderNumber, cardType, amount, document }, dispatch) => {
      const cartao = {
        numero: '{{cardNumber}}',
        nome: '{{holderName}}',
        validade: '{{expiration:YYYYMM}}',
        codigoSeguranca: '{{cvv}}',
      }
      const body = { valor: reais(amount), produto: PRODUCT[cardType], documento: document, cartao }
      const asked = { method: 'PUT', path: pathOf(orderNumber), body, token, handle } as const
      return paymentOutcome(await call(asked, dispatch))
    },
    find: async ({ orderNumber }, dispatch) =>
      found(await call({ method: 'GET', path: pathOf(orderNumber) }, dispatch)),
    cancel: async ({ orderNumber }, dispatch) => {
      const path = `${pathOf(orderNumber)}/estorno`
      return cancelOutcome(await call({ method: 'POST', path, body: {} }, dispatch))
    },
  }
}

function centsOf(valor: string): number {
  return Number(valor.replace('.', ''))
}

function paymentOutcome(called: Called): PaymentOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (isRefusedPayment(status)) return { result: 'refused', issuerCode: codigoOf(body) }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { nsuHost: issuerPaymentId, situacao, codigoRetorno, autorizacao } = read.data
  if (situacao === 'AUTORIZADA') {
    const amount = centsOf(read.data.valor)
    return { result: 'approved', amount, issuerPaymentId, authorizationCode: autorizacao ?? '' }
  }
  if (situacao !== 'NEGADA') return { result: 'unknown' }
  return { result: 'declined', code: codeOf(codigoRetorno), issuerCode: codigoRetorno, issuerPaymentId }
}

const STATES = { AUTORIZADA: 'approved', NEGADA: 'declined', ESTORNADA: 'canceled' } as const

function found(called: Called): Found {
  if (called.result !== 'answered') return { result: 'unknown' }
  const { status, body } = called.answer
  if (status === 404 && codigoOf(body) === 'NAO_ENCONTRADA') return { result: 'absent' }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { nsuHost: issuerPaymentId, situacao, codigoRetorno, autorizacao, valor } = read.data
  return {
    result: 'found',
    state: STATES[situacao],
    amount: centsOf(valor),
    issuerPaymentId,
    authorizationCode: autorizacao ?? '',
    code: codeOf(codigoRetorno),
    issuerCode: codigoRetorno,
  }
}

function cancelOutcome(called: Called): CancelOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (status === 422 && codigoOf(body) === 'FORA_DO_PRAZO') return { result: 'refused' }
  const read = isDone(status) ? transaction.safeParse(body) : undefined
  return read?.success && read.data.situacao === 'ESTORNADA' ? { result: 'done' } : { result: 'unknown' }
}

function codeOf(codigoRetorno: string): DeclineCode {
  return CODES[codigoRetorno] ?? 'GENERIC_DECLINE'
}

const failure = z.object({ codigo: z.string().regex(/^[A-Z_]{1,40}$/) })

function codigoOf(body: unknown): string {
  const read = failure.safeParse(body)
  return read.success ? read.data.codigo : ''
}
