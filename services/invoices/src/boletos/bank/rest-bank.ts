import { isDone, isRefused, jsonOf } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Boleto } from '../rules/boleto'
import type { Withdrawal } from '../../methods/bank-answer'
import { BANK_PARTNER, type Bank, type FoundSlip, type Registration } from './bank'
import { refusalOf, registrationBody, slipOf } from './rest-bank-words'

type Asked = { method: 'GET' | 'POST'; path: string; body?: object }
type Answered = { result: 'answered'; status: number; body: unknown }
type Called = Answered | Exclude<Forwarded, { result: 'answered' }>

/** The bank's API for slips: JSON over HTTPS, sent by the vault, which has the sellers' credentials. */
export function openRestBank(vault: VaultClient): Bank {
  const call = (boleto: Boleto, asked: Asked, deadline: number) => callBank(vault, boleto, asked, deadline)
  return {
    register: async (boleto, deadline) => {
      const asked = { method: 'POST', path: '/boletos', body: registrationBody(boleto) } as const
      return registrationOf(await call(boleto, asked, deadline))
    },
    find: async (boleto, deadline) =>
      foundOf(await call(boleto, { method: 'GET', path: `/boletos/${boleto.ourNumber}` }, deadline)),
    withdraw: async (boleto, deadline) => {
      const asked = { method: 'POST', path: `/boletos/${boleto.ourNumber}/baixar`, body: {} } as const
      return withdrawalOf(await call(boleto, asked, deadline))
    },
  }
}

async function callBank(
  vault: VaultClient,
  { sellerId, account, ourNumber: requestId }: Boleto,
  asked: Asked,
  deadline: number,
): Promise<Called> {
  const request = { sellerId, partner: BANK_PARTNER, account, requestId, ...asked }
  const sent = await callPartner(vault, request, deadline)
  if (sent.result !== 'answered') return sent
  const { status, body } = sent.answer
  return { result: 'answered', status, body: jsonOf(body) }
}

function registrationOf(called: Called): Registration {
  if (called.result !== 'answered') return called
  const { status, body } = called
  const slip = isDone(status) ? slipOf(body) : undefined
  if (slip) return { result: 'registered', slip }
  if (status === 409) return { result: 'duplicate' }
  return isRefused(status) ? { result: 'refused', code: refusalOf(body) } : { result: 'unknown' }
}

function foundOf(called: Called): FoundSlip {
  if (called.result !== 'answered') return called
  const { status, body } = called
  // Any other 404 comes from a proxy or a wrong address, and says nothing about this slip.
  if (status === 404 && refusalOf(body) === 'BOLETO_NAO_ENCONTRADO') return { result: 'absent' }
  const slip = isDone(status) ? slipOf(body) : undefined
  return slip ? { result: 'found', found: slip } : { result: 'unknown' }
}

function withdrawalOf(called: Called): Withdrawal {
  if (called.result !== 'answered') return called
  const { status, body } = called
  const refusal = refusalOf(body)
  if (status === 404 && refusal === 'BOLETO_NAO_ENCONTRADO') return { result: 'absent' }
  if (status === 422 && refusal === 'BOLETO_LIQUIDADO') return { result: 'paid' }
  const slip = isDone(status) ? slipOf(body) : undefined
  return slip?.cancelled ? { result: 'done' } : { result: 'unknown' }
}
