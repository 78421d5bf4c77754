import { forwardByVault, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { Dispatch } from './issuer'

export type IssuerAnswer = { status: number; body: unknown }
/** What came of a call to an issuer; `answered` with the JSON that it answered, undefined where that is none. */
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

/** Calls the partner of a brand by the vault. */
export type IssuerCall = (asked: Asked, dispatch: Dispatch) => Promise<Called>

/** `notAdmitted`: statuses that say that nothing was looked at. */
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
    // Turned away at the door: our credentials, our address, too many calls. Nothing was looked at.
    if (notAdmitted.includes(status)) return { result: 'not_sent' }
    return { result: 'answered', answer: { status, body: parsed(sent.answer.body) } }
  }
}

/** The JSON of an answer; undefined where it is none. */
export function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** What an issuer calls something of its own: it is kept, and stands in paths, where the vault takes the same. */
export const issuerName = z.string().regex(/^(?!\.+$)[\w.-]{1,100}$/)

export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}

/** 4xx: nothing was made. 408 and 409 are exceptions: the issuer gave up waiting for itself, or has one of that number. */
export function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409
}
