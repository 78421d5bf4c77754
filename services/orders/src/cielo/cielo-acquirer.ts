import { openPartner, type Partner, type PartnerCall } from '@cofre/platform/outbound/partner-call'
import { forwardByVault } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Acquirer, Dispatch, Found, OperationOutcome, SealedCard } from '../acquirer/acquirer'
import {
  captureOutcome,
  foundPayment,
  isAbsent,
  isDone,
  saleOutcome,
  verificationOutcome,
  voidOutcome,
  type Answer,
} from './cielo-answers'
import { readOrder } from './cielo-messages'
import { saleBody, verificationBody } from './cielo-sale'

/** An order number is ours and unique: more payments than one are the acquirer's doing. */
const PAYMENTS_PER_ORDER_MAX = 5

export type CieloSettings = { url: string; queryUrl: string; ca: string | undefined }

/** Cielo's e-commerce API 3.0. Sales go through the vault, which alone has the card; all else goes straight. */
export function openCieloAcquirer(vault: VaultClient, { url, queryUrl, ca }: CieloSettings): Acquirer {
  const trusted = ca === undefined ? {} : { ca }
  const transactions = openPartner(url, trusted)
  const queries = openPartner(queryUrl, trusted)
  return {
    authorize: async (sale, dispatch) => {
      const sent = await sendCard(vault, sale, '/1/sales', saleBody(sale), dispatch)
      return sent.result === 'answered' ? saleOutcome(sent.answer) : sent
    },
    verify: async (card, dispatch) => {
      const sent = await sendCard(vault, card, '/1/zeroauth', verificationBody(card), dispatch)
      const outcome = sent.result === 'answered' ? verificationOutcome(sent.answer) : sent
      return outcome.result === 'unknown' ? { result: 'not_sent' } : outcome
    },
    capture: (paymentId, amount, dispatch) =>
      change(transactions, `/1/sales/${paymentId}/capture?amount=${amount}`, dispatch, captureOutcome),
    void: (paymentId, amount, dispatch) =>
      change(transactions, `/1/sales/${paymentId}/void?amount=${amount}`, dispatch, voidOutcome),
    find: ({ paymentId, orderNumber }, dispatch) =>
      paymentId ? findPayment(queries, paymentId, dispatch) : findOrder(queries, orderNumber, dispatch),
    close: async () => void (await Promise.all([transactions.close(), queries.close()])),
  }
}

function sendCard(
  vault: VaultClient,
  { sellerId, handle }: SealedCard,
  path: string,
  body: object,
  dispatch: Dispatch,
) {
  const request = {
    sellerId,
    partner: 'acquirer',
    method: 'POST',
    path,
    headers: headersOf(dispatch),
    body: Buffer.from(JSON.stringify(body)),
    handle,
    networkToken: '',
    account: '',
  }
  return forwardByVault(vault, request, dispatch.deadline)
}

async function change(
  partner: Partner,
  path: string,
  dispatch: Dispatch,
  outcomeOf: (answer: Answer) => OperationOutcome,
): Promise<OperationOutcome> {
  const called = await partner.call(callOf('PUT', path, dispatch))
  return called.outcome === 'answered' ? outcomeOf(called.answer) : { result: called.outcome }
}

async function findPayment(partner: Partner, paymentId: string, dispatch: Dispatch): Promise<Found> {
  const called = await partner.call(callOf('GET', `/1/sales/${paymentId}`, dispatch))
  return called.outcome === 'answered' ? foundPayment(called.answer) : { result: 'unknown' }
}

/**
 * Of several payments the one that holds money is the truth. That none does is concluded only when every one of them
 * is known and decided: the one that was not read may be the one that holds it.
 */
async function findOrder(partner: Partner, orderNumber: string, dispatch: Dispatch): Promise<Found> {
  const called = await partner.call(callOf('GET', `/1/sales?merchantOrderId=${orderNumber}`, dispatch))
  if (called.outcome !== 'answered') return { result: 'unknown' }
  if (isAbsent(called.answer)) return { result: 'absent' }
  const ids = isDone(called.answer.status) ? readOrder(called.answer.body) : undefined
  if (!ids) return { result: 'unknown' }
  if (ids.length === 0) return { result: 'absent' }
  if (ids.length > PAYMENTS_PER_ORDER_MAX) return { result: 'several' }
  const found = await Promise.all(ids.map((id) => findPayment(partner, id, dispatch)))
  const payments = found.filter((one) => one.result === 'found')
  // A payment that is listed exists, even where the query for it finds nothing yet.
  if (payments.length < found.length) return { result: 'unknown' }
  const holding = payments.filter(({ state }) => state === 'authorized' || state === 'captured')
  if (holding.length > 1) return { result: 'several' }
  const undecided = payments.find(({ state }) => state === 'undecided')
  return holding[0] ?? undecided ?? payments[0] ?? { result: 'unknown' }
}

function callOf(method: 'GET' | 'PUT', path: string, dispatch: Dispatch): PartnerCall {
  const timeoutMs = Math.max(1, dispatch.deadline - Date.now())
  return { method, path, headers: headersOf(dispatch), timeoutMs }
}

function headersOf({ account, requestId }: Dispatch): Record<string, string> {
  return {
    MerchantId: account.merchantId,
    MerchantKey: account.merchantKey,
    RequestId: requestId,
    'Content-Type': 'application/json',
  }
}
