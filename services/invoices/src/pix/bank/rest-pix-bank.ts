import type { Withdrawal } from '../../methods/bank-answer'
import { dayOf } from '@cofre/platform/calendar-day'
import { isDone, isRefused, jsonOf } from '@cofre/platform/outbound/partner-answers'
import { problemOf, WITHDRAWN } from '@cofre/platform/outbound/pix-api'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openAutomaticPix } from '../automatic/automatic-bank'
import { CANCELLED, collectionBody, collectionOf } from '../automatic/automatic-words'
import { now } from '../../clock/billing-clock'
import { isBegun } from '../rules/collection'
import type { PixCharge } from '../rules/pix-charge'
import type { PixRefund, RefundAnswer } from '../rules/pix-refund'
import {
  PIX_PARTNER,
  type BankCharge,
  type Failed,
  type PixAccount,
  type PixBank,
  type PixRegistration,
  type ReceivedPage,
  type Reported,
} from './pix-bank'
import { chargeBody, chargeOf, pageOf, returnBody, returnOf, webhookOf } from './rest-pix-words'

type Asked = { method: 'GET' | 'PUT' | 'POST' | 'PATCH'; path: string; body?: object }
type Called = { result: 'answered'; status: number; body: unknown } | Failed
export type Call = (of: PixAccount, asked: Asked, deadline: number) => Promise<Called>

/** The API Pix 2.9.0 of the sellers' banks, called by the vault, which has the sellers' credentials. */
export function openRestPixBank(vault: VaultClient): PixBank {
  const call: Call = async ({ sellerId, account }, asked, deadline) => {
    const request = { sellerId, partner: PIX_PARTNER, account, ...asked }
    return calledOf(await callPartner(vault, request, deadline))
  }
  return {
    automatic: openAutomaticPix(call),
    register: async (charge, deadline) => {
      const asked = { method: 'PUT', path: pathOf(charge), body: bodyOf(charge) } as const
      const answer = registrationOf(charge, await call(charge, asked, deadline))
      if (answer.result !== 'refused' || charge.collection === null) return answer
      // A collection that the bank has already is refused, also when it is this one.
      const existing = await call(charge, { method: 'GET', path: pathOf(charge) }, deadline)
      const found = existing.result === 'answered' ? readCharge(charge, existing) : undefined
      return found ? { result: 'registered', charge: found } : answer
    },
    find: async (charge, deadline) => {
      const called = await call(charge, { method: 'GET', path: pathOf(charge) }, deadline)
      if (called.result !== 'answered') return called
      if (isAbsent(called)) return { result: 'absent' }
      const found = readCharge(charge, called)
      return found ? { result: 'found', found } : { result: 'unknown' }
    },
    withdraw: async (charge, deadline) =>
      withdrawalOf(
        charge,
        await call(
          charge,
          { method: 'PATCH', path: pathOf(charge), body: charge.collection ? CANCELLED : WITHDRAWN },
          deadline,
        ),
      ),
    giveBack: async (refund, deadline) => {
      const asked = { method: 'PUT', path: returnPath(refund), body: returnBody(refund) } as const
      return givenBackOf(await call(refund, asked, deadline))
    },
    findReturn: async (refund, deadline) => {
      const called = await call(refund, { method: 'GET', path: returnPath(refund) }, deadline)
      if (called.result !== 'answered') return called
      const { status, body } = called
      if (status === 404 && problemOf(body) === 'PixDevolucaoNaoEncontrada') return { result: 'absent' }
      const found = isDone(status) ? returnOf(body) : undefined
      return found ? { result: 'found', found } : { result: 'unknown' }
    },
    received: async (account, { from, to, isReturned }, page, deadline) => {
      const time = (at: number) => encodeURIComponent(new Date(at).toISOString())
      const filter = isReturned ? '&devolucaoPresente=true' : ''
      const path = `/pix?inicio=${time(from)}&fim=${time(to)}${filter}&paginacao.paginaAtual=${page}`
      return receivedOf(await call(account, { method: 'GET', path }, deadline), page)
    },
    reportsTo: (account, what, deadline) => reportsTo(call, account, what, deadline),
    reportTo: async (account, what, webhookUrl, deadline) => {
      const asked = { method: 'PUT', path: webhookPath(account, what), body: { webhookUrl } } as const
      const put = await call(account, asked, deadline)
      return put.result === 'answered' && isDone(put.status)
    },
  }
}

function pathOf({ dueDay, txid, collection }: PixCharge): string {
  if (collection) return `/cobr/${txid}`
  return dueDay === null ? `/cob/${txid}` : `/cobv/${txid}`
}

function bodyOf(charge: PixCharge): object {
  const { collection } = charge
  return collection
    ? collectionBody(charge, collection.recId, collection.receiver)
    : chargeBody(charge, now())
}

function calledOf(sent: Forwarded): Called {
  if (sent.result !== 'answered') return sent
  const { status, body } = sent.answer
  return { result: 'answered', status, body: jsonOf(body) }
}

type Answered = Exclude<Called, Failed>

/** Any other 404 comes from a proxy or a wrong address, and says nothing about this charge. */
function isAbsent({ status, body }: Answered): boolean {
  return status === 404 && /^Cob[VR]?NaoEncontrad[ao]$/.test(problemOf(body))
}

function readCharge(charge: PixCharge, { status, body }: Answered): BankCharge | undefined {
  if (!isDone(status)) return undefined
  return charge.collection ? collectionOf(body, charge) : chargeOf(body)
}

function registrationOf(sent: PixCharge, called: Called): PixRegistration {
  if (called.result !== 'answered') return called
  const charge = readCharge(sent, called)
  if (charge) return { result: 'registered', charge }
  const { status, body } = called
  return isRefused(status) ? { result: 'refused', code: problemOf(body) } : { result: 'unknown' }
}

function withdrawalOf(charge: PixCharge, called: Called): Withdrawal {
  if (called.result !== 'answered') return called
  if (isAbsent(called)) return { result: 'absent' }
  // A charge that was paid meanwhile can't be withdrawn: the next look sees it.
  if (readCharge(charge, called)?.cancelled) return { result: 'done' }
  // From the day of its first try on, banks cancel no collection: what is scheduled is collected, and no other try asked for.
  const isKept = charge.collection && called.status === 400 && isBegun(charge.collection, dayOf(now()))
  return { result: isKept ? 'done' : 'unknown' }
}

function returnPath({ endToEndId, number }: PixRefund): string {
  return `/pix/${endToEndId}/devolucao/${number}`
}

function givenBackOf(called: Called): RefundAnswer {
  if (called.result !== 'answered') return called
  const { status, body } = called
  const found = isDone(status) ? returnOf(body) : undefined
  if (found) return { result: 'found', found }
  // Any other 404 comes from a proxy or a wrong address.
  const isOurs = status !== 404 || problemOf(body) === 'PixNaoEncontrado'
  return isRefused(status) && isOurs ? { result: 'refused', code: problemOf(body) } : { result: 'unknown' }
}

function receivedOf(called: Called, page: number): ReceivedPage {
  if (called.result !== 'answered') return called
  const read = isDone(called.status) ? pageOf(called.body) : undefined
  return read
    ? { result: 'page', received: read.received, more: page + 1 < read.pages }
    : { result: 'unknown' }
}

function webhookPath({ account }: PixAccount, what: Reported): string {
  return what === 'pix' ? `/webhook/${encodeURIComponent(account)}` : `/webhook${what}`
}

async function reportsTo(
  call: Call,
  account: PixAccount,
  what: Reported,
  deadline: number,
): Promise<string | null | undefined> {
  const known = await call(account, { method: 'GET', path: webhookPath(account, what) }, deadline)
  if (known.result !== 'answered') return undefined
  if (known.status === 404 && problemOf(known.body) === 'WebhookNaoEncontrado') return null
  return isDone(known.status) ? webhookOf(known.body) : undefined
}
