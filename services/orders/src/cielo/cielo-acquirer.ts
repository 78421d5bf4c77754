import { DomainError } from '@cofre/platform/errors'
import { isDone } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Acquirer, CardReference, Dispatch, Found, OperationOutcome } from '../acquirer/acquirer'
import {
  captureOutcome,
  foundPayment,
  isAbsent,
  saleOutcome,
  verificationOutcome,
  voidOutcome,
  type Answer,
} from './cielo-answers'
import { cieloCapabilities, type CieloSettings } from './cielo-capabilities'
import { openCieloDisputes } from './cielo-disputes'
import { readOrder } from './cielo-messages'
import { saleBody, verificationBody } from './cielo-sale'

/** An order number is ours and unique: several payments under one are the acquirer's doing. */
const PAYMENTS_PER_ORDER_MAX = 5

/**
 * Cielo's e-commerce API 3.0, through the vault, which alone has the card and the merchant key. Its two hosts are two
 * partners in the vault's settings: one for changes, one for queries.
 */
export function openCieloAcquirer(vault: VaultClient, settings: CieloSettings): Acquirer {
  const change = async (
    path: string,
    dispatch: Dispatch,
    outcomeOf: (answer: Answer) => OperationOutcome,
  ): Promise<OperationOutcome> => {
    const sent = await send(vault, { partner: 'acquirer', method: 'PUT', path }, dispatch)
    return sent.result === 'answered' ? outcomeOf(sent.answer) : sent
  }
  return {
    capabilities: cieloCapabilities(settings),
    authorize: async ({ reference, ...sale }, dispatch) => {
      const asked = { ...POST, path: '/1/sales', body: saleBody(sale), ...reference }
      const sent = await send(vault, asked, dispatch)
      if (sent.result !== 'answered') return sent
      const outcome = saleOutcome(sent.answer)
      // Renova Fácil: the answer had the number that replaces the card's, and the vault took it.
      return outcome.result === 'declined' && sent.numberKept ? { ...outcome, renewed: true } : outcome
    },
    verify: async ({ reference, ...card }, dispatch) => {
      const asked = { ...POST, path: '/1/zeroauth', body: verificationBody(card), ...reference }
      const sent = await send(vault, asked, dispatch)
      const outcome = sent.result === 'answered' ? verificationOutcome(sent.answer) : sent
      return outcome.result === 'unknown' ? { result: 'not_sent' } : outcome
    },
    capture: (paymentId, amount, dispatch) =>
      change(`/1/sales/${paymentId}/capture?amount=${amount}`, dispatch, captureOutcome),
    void: (paymentId, amount, dispatch) =>
      change(`/1/sales/${paymentId}/void?amount=${amount}`, dispatch, voidOutcome),
    find: ({ paymentId, orderNumber }, dispatch) =>
      paymentId ? findPayment(vault, paymentId, dispatch) : findOrder(vault, orderNumber, dispatch),
    disputes: openCieloDisputes(vault),
  }
}

const POST = { partner: 'acquirer', method: 'POST' }

type Asked = { partner: string; method: string; path: string; body?: object } & (CardReference | object)

async function send(
  vault: VaultClient,
  asked: Asked,
  { account: { sellerId, merchantId }, deadline, requestId }: Dispatch,
): Promise<Forwarded> {
  const sent = await callPartner(vault, { ...asked, sellerId, account: merchantId, requestId }, deadline)
  const isUnknown = sent.result === 'not_sent' && sent.refusal?.reason === 'NO_ESTABLISHMENT'
  return isUnknown ? { ...sent, refusal: notAccepted() } : sent
}

/** The refusal when the establishment is known here, but the vault has no key of it. */
function notAccepted(): DomainError {
  const message = 'The seller has no establishment at the acquirer for card payments.'
  return new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
}

function query(vault: VaultClient, path: string, dispatch: Dispatch): Promise<Forwarded> {
  return send(vault, { partner: 'acquirer-queries', method: 'GET', path }, dispatch)
}

async function findPayment(vault: VaultClient, paymentId: string, dispatch: Dispatch): Promise<Found> {
  const asked = await query(vault, `/1/sales/${paymentId}`, dispatch)
  return asked.result === 'answered' ? foundPayment(asked.answer) : { result: 'unknown' }
}

/**
 * Finds an order's payment: of several, the one that holds money. It concludes that none does only when each is known
 * and decided, because a payment that could not be read may be the one that holds it.
 */
async function findOrder(vault: VaultClient, orderNumber: string, dispatch: Dispatch): Promise<Found> {
  const asked = await query(vault, `/1/sales?merchantOrderId=${orderNumber}`, dispatch)
  if (asked.result !== 'answered') return { result: 'unknown' }
  if (isAbsent(asked.answer)) return { result: 'absent' }
  const ids = isDone(asked.answer.status) ? readOrder(asked.answer.body) : undefined
  if (!ids) return { result: 'unknown' }
  if (ids.length === 0) return { result: 'absent' }
  if (ids.length > PAYMENTS_PER_ORDER_MAX) return { result: 'several' }
  const found = await Promise.all(ids.map((id) => findPayment(vault, id, dispatch)))
  const payments = found.filter((one) => one.result === 'found')
  // A listed payment exists, even when the query for it finds nothing yet.
  if (payments.length < found.length) return { result: 'unknown' }
  const holding = payments.filter(({ state }) => state === 'authorized' || state === 'captured')
  if (holding.length > 1) return { result: 'several' }
  const inState = (wanted: string) => payments.find(({ state }) => state === wanted)
  const undecided = inState('undecided') ?? inState('unsure')
  return holding[0] ?? undecided ?? payments[0] ?? { result: 'unknown' }
}
