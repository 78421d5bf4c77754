import { forwardByVault, type Forwarded } from '@cofre/platform/outbound/vault-forward'
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

const NOT_ADMITTED = [401, 403, 429]

/** Calls the partner of a brand through the vault. */
export type IssuerCall = (asked: Asked, dispatch: Dispatch) => Promise<Called>

/** `notAdmitted`: statuses which mean that the issuer did not look at the request. */
export function callsTo(vault: VaultClient, partner: string, notAdmitted = NOT_ADMITTED): IssuerCall {
  return async ({ method, path, body, token = '', handle = '' }, dispatch) => {
    const { sellerId, account, deadline, requestId } = dispatch
    const request = {
      sellerId,
      partner,
      account,
      method,
      path,
      headers: { RequestId: requestId },
      body: Buffer.from(body ? JSON.stringify(body) : ''),
      handle,
      voucherToken: token,
      cardToken: '',
      networkToken: '',
    }
    const sent = await forwardByVault(vault, request, deadline)
    if (sent.result !== 'answered') return sent
    const { status } = sent.answer
    // Turned away for our credentials, our address or too many calls: the issuer did not look at the request.
    if (notAdmitted.includes(status)) return { result: 'not_sent' }
    return { result: 'answered', answer: { status, body: parsed(sent.answer.body) } }
  }
}

/** Returns the JSON of an answer; undefined when it is not JSON. */
export function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** An issuer's id for something of its own. It is kept and put into paths, where the vault accepts the same form. */
export const issuerName = z.string().regex(/^(?!\.+$)[\w.-]{1,100}$/)

export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}

/** True for a 4xx: nothing was made. Not for 408, the issuer's own timeout, or 409: it has one of that number. */
export function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409
}
