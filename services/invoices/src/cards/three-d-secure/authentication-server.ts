import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { isDone, readJson } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded, type PartnerRequest } from '@cofre/platform/outbound/vault-forward'
import { cutTo } from '@cofre/platform/partner-text'
import type { CardAuthentication } from '@cofre/proto/orders/v1/orders'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { Verdict } from './challenge'

/** The reference with which the vault finds the payer's card. */
export type CardReference = { handle: string } | { cardToken: string } | { networkToken: string }

export type Asked = {
  sellerId: number
  card: CardReference
  /** Cents. */
  amount: number
  merchantName: string
  /** Where the issuer's page sends the payer's browser. */
  returnUrl: string
}

/** The result for a payer. `authentication` is its proof, valid once: it is passed on and stored nowhere. */
export type Result = {
  authenticationId: string
  verdict: Verdict
  challengeUrl: string
  authentication: CardAuthentication | undefined
}

/**
 * The 3-D Secure server (MPI), which asks the issuers of cards. Both calls: UNAVAILABLE when it does not answer.
 * `authenticate` also FAILED_PRECONDITION: the seller has no account there, or the card is gone.
 */
export type AuthenticationServer = {
  authenticate(asked: Asked): Promise<Result>
  find(sellerId: number, authenticationId: string): Promise<Result>
}

const TIMEOUT_MS = 10_000
const RETRY_AFTER_SECONDS = 5
const MERCHANT_NAME_MAX = 255

const answerBody = z.object({
  id: z.string().regex(/^(?!\.+$)[\w.-]{1,100}$/),
  status: z.enum(['CHALLENGE', 'AUTHENTICATED', 'REJECTED', 'UNAVAILABLE']),
  eci: z.string().nullish(),
  authenticationValue: z.string().nullish(),
  dsTransactionId: z.guid().nullish(),
  version: z.string().nullish(),
  challengeUrl: z.url({ protocol: /^https?$/ }).nullish(),
})

export function openAuthenticationServer(vault: VaultClient): AuthenticationServer {
  const call = (sellerId: number, asked: Omit<PartnerRequest, 'sellerId' | 'partner' | 'account'>) =>
    callPartner(
      vault,
      { ...asked, sellerId, partner: 'three-d-secure', account: '' },
      databaseNow() + TIMEOUT_MS,
    )
  return {
    authenticate: async ({ sellerId, card, amount, merchantName, returnUrl }) => {
      const body = {
        card: { number: '{{cardNumber}}', expiration: '{{expiration:MM/YYYY}}' },
        amount,
        currency: 'BRL',
        merchantName: cutTo(merchantName, MERCHANT_NAME_MAX) || '-',
        returnUrl,
      }
      return resultOf(await call(sellerId, { ...card, method: 'POST', path: '/authentications', body }))
    },
    find: async (sellerId, authenticationId) => {
      const path = `/authentications/${authenticationId}`
      return resultOf(await call(sellerId, { method: 'GET', path }))
    },
  }
}

/** Takes an unclear answer for none: nothing was charged, and asking again is safe. */
function resultOf(forwarded: Forwarded): Result {
  if (forwarded.result === 'not_sent' && forwarded.refusal) throw refusalOf(forwarded.refusal)
  if (forwarded.result !== 'answered' || !isDone(forwarded.answer.status)) throw noAnswer()
  const answer = readJson(answerBody, forwarded.answer.body)
  if (!answer) throw noAnswer()
  const { id, status, challengeUrl } = answer
  const authentication = status === 'AUTHENTICATED' ? authenticationOf(answer) : undefined
  // An authentication without its proof, or a challenge without its page, is of no use.
  if (status === 'AUTHENTICATED' && !authentication) throw noAnswer()
  if (status === 'CHALLENGE' && !challengeUrl) throw noAnswer()
  return { authenticationId: id, verdict: status, challengeUrl: challengeUrl ?? '', authentication }
}

function authenticationOf(body: z.output<typeof answerBody>): CardAuthentication | undefined {
  const { eci, version, authenticationValue, dsTransactionId } = body
  if (!eci || !version || !authenticationValue) return undefined
  return { eci, version, authenticationValue, referenceId: dsTransactionId ?? '' }
}

function refusalOf(refusal: DomainError): DomainError {
  if (refusal.reason !== 'NO_ESTABLISHMENT') return refusal
  const message = 'The seller has no account at the 3-D Secure server.'
  return new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
}

function noAnswer(): DomainError {
  return unavailable('The 3-D Secure server does not answer; nothing was charged.', RETRY_AFTER_SECONDS)
}
