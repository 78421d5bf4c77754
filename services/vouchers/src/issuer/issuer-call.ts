import { isRefused, jsonOf } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { Dispatch } from './issuer'

export type IssuerAnswer = { status: number; body: unknown }
/** The outcome of a call to an issuer. `answered` has the JSON of the answer, or undefined when it is not JSON. */
export type Called = { result: 'answered'; answer: IssuerAnswer } | Exclude<Forwarded, { result: 'answered' }>

export type Asked = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: object
  /** The voucher token whose card the vault fills in, perhaps with a CVV in a handle. */
  token?: string
  handle?: string
}

/** Calls the partner of a brand through the vault. */
export type IssuerCall = (asked: Asked, dispatch: Dispatch) => Promise<Called>

/** `notAdmitted`: statuses which mean that the issuer did not look at the request. */
export function callsTo(vault: VaultClient, partner: string, notAdmitted?: readonly number[]): IssuerCall {
  return async ({ token = '', ...asked }, { deadline, ...dispatch }) => {
    const request = { partner, ...asked, ...dispatch, voucherToken: token }
    const sent = await callPartner(vault, request, deadline, notAdmitted)
    if (sent.result !== 'answered') return sent
    const { status, body } = sent.answer
    return { result: 'answered', answer: { status, body: jsonOf(body) } }
  }
}

/** An issuer's id for something of its own. It is kept and put into paths, where the vault accepts the same form. */
export const issuerName = z.string().regex(/^(?!\.+$)[\w.-]{1,100}$/)

/** True for a refusal that made nothing. Not for 409: the issuer has a payment of that number. */
export function isRefusedPayment(status: number): boolean {
  return isRefused(status) && status !== 409
}
