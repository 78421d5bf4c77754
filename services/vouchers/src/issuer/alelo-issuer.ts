import { isDone } from '@cofre/platform/outbound/partner-answers'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { CardType } from '../brands/brand'
import type { DeclineCode } from '../payment/decline'
import type { CancelOutcome, Found, Issuer, PaymentOutcome } from './issuer'
import { callsTo, isRefusedPayment, issuerName, type Called } from './issuer-call'

const PRODUCT: Record<CardType, string> = { MEAL: 'REFEICAO', FOOD: 'ALIMENTACAO' }

const payment = z.object({
  paymentId: issuerName,
  status: z.enum(['APPROVED', 'DECLINED', 'CANCELED']),
  responseCode: z.string().max(10),
  authorizationCode: issuerName.nullable(),
  amount: z.int(),
})

// The issuer's codes follow ABECS Normativo 21; 70, 77 and 99 are the network's own.
const CODES: Record<string, DeclineCode> = {
  '05': 'DO_NOT_HONOR',
  '51': 'INSUFFICIENT_FUNDS',
  '54': 'EXPIRED_CARD',
  '57': 'TRANSACTION_NOT_ALLOWED',
  '63': 'SECURITY_VIOLATION',
  '70': 'INVALID_CARD',
  '77': 'CARD_CANCELED',
  '78': 'CARD_NOT_UNLOCKED',
  '91': 'ISSUER_UNAVAILABLE',
  '99': 'ISSUER_UNAVAILABLE',
}

/** JSON over https; amounts in cents; a payment is found by our order id. */
export function openAleloIssuer(vault: VaultClient, partner: string): Issuer {
  const call = callsTo(vault, partner)
  const find: Issuer['find'] = async ({ orderNumber }, dispatch) =>
    found(await call({ method: 'GET', path: `/v1/payments?orderId=${orderNumber}` }, dispatch))
  return {
    find,
    pay: async ({ token, handle, orderNumber, cardType, amount, document }, dispatch) => {
      const card = {
        number: '{{cardNumber}}',
        holder: '{{holderName}}',
        expiration: '{{expiration:MM/YYYY}}',
        securityCode: '{{cvv}}',
      }
      const product = PRODUCT[cardType]
      const body = { orderId: orderNumber, amount, product, customerDocument: document, card }
      return paymentOutcome(
        await call({ method: 'POST', path: '/v1/payments', body, token, handle }, dispatch),
      )
    },
    cancel: async (named, dispatch) => {
      // A payment that people closed by hand has no id of the issuer's yet.
      const known = named.issuerPaymentId ? named : await find(named, dispatch)
      if (!('issuerPaymentId' in known)) return { result: 'not_sent' }
      const path = `/v1/payments/${known.issuerPaymentId}/cancel`
      return cancelOutcome(await call({ method: 'POST', path, body: {} }, dispatch))
    },
  }
}

function paymentOutcome(called: Called): PaymentOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (isRefusedPayment(status)) return { result: 'refused', issuerCode: errorOf(body) }
  const read = isDone(status) ? payment.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { paymentId: issuerPaymentId, amount, responseCode, authorizationCode } = read.data
  if (read.data.status === 'APPROVED') {
    return { result: 'approved', amount, issuerPaymentId, authorizationCode: authorizationCode ?? '' }
  }
  if (read.data.status !== 'DECLINED') return { result: 'unknown' }
  return { result: 'declined', code: codeOf(responseCode), issuerCode: responseCode, issuerPaymentId }
}

const STATES = { APPROVED: 'approved', DECLINED: 'declined', CANCELED: 'canceled' } as const

function found(called: Called): Found {
  if (called.result !== 'answered') return { result: 'unknown' }
  const { status, body } = called.answer
  // A 404 with any other error comes from a proxy or a wrong address: it says nothing about this payment.
  if (status === 404 && errorOf(body) === 'NOT_FOUND') return { result: 'absent' }
  const read = isDone(status) ? payment.safeParse(body) : undefined
  if (!read?.success) return { result: 'unknown' }
  const { paymentId: issuerPaymentId, amount, responseCode, authorizationCode } = read.data
  return {
    result: 'found',
    state: STATES[read.data.status],
    amount,
    issuerPaymentId,
    authorizationCode: authorizationCode ?? '',
    code: codeOf(responseCode),
    issuerCode: responseCode,
  }
}

function cancelOutcome(called: Called): CancelOutcome {
  if (called.result !== 'answered') return called
  const { status, body } = called.answer
  if (status === 422 && errorOf(body) === 'CANCEL_WINDOW_CLOSED') return { result: 'refused' }
  const read = isDone(status) ? payment.safeParse(body) : undefined
  return read?.success && read.data.status === 'CANCELED' ? { result: 'done' } : { result: 'unknown' }
}

function codeOf(responseCode: string): DeclineCode {
  return CODES[responseCode] ?? 'GENERIC_DECLINE'
}

const failure = z.object({ error: z.string().regex(/^[A-Z_]{1,40}$/) })

function errorOf(body: unknown): string {
  const read = failure.safeParse(body)
  return read.success ? read.data.error : ''
}
