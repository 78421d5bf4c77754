import { DomainError } from '@cofre/platform/errors'
import { reais } from '@cofre/platform/money'
import { isDone, isRefused, jsonOf } from '@cofre/platform/outbound/partner-answers'
import { problemOf, WITHDRAWN } from '@cofre/platform/outbound/pix-api'
import { callPartner } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Dispatch, NotSent, OperationOutcome, Unknown } from '../../acquirer/acquirer'
import {
  devolutionId,
  type AskedPix,
  type BankCharge,
  type FoundCharge,
  type PixBank,
  type Registration,
} from './pix-bank'
import { chargeBody, chargeOf, devolutionOf } from './pix-words'

/** The vault's name for the bank. */
export const PIX_PARTNER = 'pix'

/** An end-to-end id, as the central bank has them. */
const END_TO_END_ID = { pattern: /^[a-zA-Z0-9]{32}$/, fault: 'must be an end-to-end id' }

type Asked = { method: 'GET' | 'PUT' | 'PATCH'; path: string; body?: object }
type Answered = { result: 'answered'; status: number; body: unknown }

/** The API Pix 2.9.0 of the sellers' banks, called by the vault, which has the sellers' credentials. */
export function openRestPixBank(
  vault: VaultClient,
  settings: { acquirerTimeoutMs: number; absenceGraceMs: number },
): PixBank {
  const call = async (
    asked: Asked,
    { account, deadline }: Dispatch,
  ): Promise<Answered | NotSent | Unknown> => {
    const { sellerId, merchantId } = account
    const request = { sellerId, partner: PIX_PARTNER, account: merchantId, ...asked }
    const sent = await callPartner(vault, request, deadline)
    if (sent.result !== 'answered') return sent
    const { status, body } = sent.answer
    return { result: 'answered', status, body: jsonOf(body) }
  }
  const { acquirerTimeoutMs: timeoutMs, absenceGraceMs } = settings
  return {
    capabilities: { timeoutMs, absenceGraceMs, pauseMs: 0, paymentId: END_TO_END_ID },
    register: async (asked, dispatch) => {
      const body = chargeBody(asked, dispatch.account.merchantId)
      const answer = await call({ method: 'PUT', path: `/cob/${asked.txid}`, body }, dispatch)
      return answer.result === 'answered' ? registrationOf(answer, asked, dispatch) : answer
    },
    look: async (txid, dispatch) => {
      const answer = await call({ method: 'GET', path: `/cob/${txid}` }, dispatch)
      if (answer.result === 'answered') return foundOf(answer)
      return { result: isWithoutAccount(answer) ? 'gone' : 'unknown' }
    },
    withdraw: async (txid, dispatch) => {
      await call({ method: 'PATCH', path: `/cob/${txid}`, body: WITHDRAWN }, dispatch)
    },
    void: async (endToEndId, amount, dispatch) => {
      const path = `/pix/${endToEndId}/devolucao/${devolutionId(dispatch.requestId)}`
      const answer = await call({ method: 'PUT', path, body: { valor: reais(amount) } }, dispatch)
      if (answer.result === 'answered') return devolutionOutcome(answer)
      return isWithoutAccount(answer) ? { result: 'not_sent', refusal: accountGone() } : answer
    },
  }
}

/** An answer about another charge than ours proves nothing. */
function registrationOf(
  { status, body }: Answered,
  { txid, amount }: AskedPix,
  { account }: Dispatch,
): Registration {
  const charge = isDone(status) ? chargeOf(body) : undefined
  if (charge && isOurs(charge, { txid, amount, account: account.merchantId }))
    return { result: 'registered', charge }
  return isRefused(status) ? { result: 'refused', code: problemOf(body) } : { result: 'unknown' }
}

export function isOurs(
  charge: BankCharge,
  { txid, amount, account }: Pick<BankCharge, 'txid' | 'amount' | 'account'>,
): boolean {
  return charge.txid === txid && charge.amount === amount && charge.account === account
}

/** Any other 404 comes from a proxy or a wrong address, and says nothing about this charge. */
function foundOf({ status, body }: Answered): FoundCharge {
  if (status === 404 && /^CobNaoEncontrad[ao]$/.test(problemOf(body))) return { result: 'absent' }
  const charge = isDone(status) ? chargeOf(body) : undefined
  return charge ? { result: 'found', charge } : { result: 'unknown' }
}

/** A return that the bank has taken and not ended is asked about. */
function devolutionOutcome({ status, body }: Answered): OperationOutcome {
  const state = isDone(status) ? devolutionOf(body)?.state : undefined
  if (state === 'done') return { result: 'done' }
  if (state === 'failed') return { result: 'refused', code: 'NAO_REALIZADO' }
  return isRefused(status) ? { result: 'refused', code: problemOf(body) } : { result: 'unknown' }
}

function isWithoutAccount(answer: NotSent | Unknown): boolean {
  return answer.result === 'not_sent' && answer.refusal?.reason === 'NO_ESTABLISHMENT'
}

function accountGone(): DomainError {
  const message =
    'The account at the bank that received this Pix is gone. Give the money back in another way.'
  return new DomainError('failed_precondition', 'REFUND_UNAVAILABLE', message)
}
