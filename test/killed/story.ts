import type { ChargeJson } from '@cofre/api/charge'
import { ANSWER_LOST, APPROVED, cardEndingIn, DECLINED } from './cards'
import type { What } from './points'
import type { Random } from '@cofre/testing/random'
import { isPending, request, untilResolved, type Teller } from './teller'
import { tellDisputeStory } from './disputes/dispute-story'
import { INVOICE_CAUSES } from './invoices/invoice-causes'
import { tellInvoiceStory } from './invoices/invoice-story'
import { tellMoneyStory } from './money/money-story'
import { PAYMENT_CAUSES } from './payments/payment-causes'
import { tellPaymentStory } from './payments/payment-story'
import { PIX_CAUSES } from './pix/pix-causes'
import { tellPixStory } from './pix/pix-story'
import { giveBack, refund } from './refund'
import { tellTokenStory } from './token-story'
import { tellRedirectStory } from './vouchers/redirect-story'
import { VOUCHER_CAUSES } from './vouchers/voucher-causes'
import { tellVoucherStory } from './vouchers/voucher-story'

const KINDS = [
  'single',
  'single',
  'single',
  'three',
  'third declined',
  'lost',
  'declined',
  'verified',
  'network token',
  'voucher',
  'redirect',
  'invoice',
  'payment',
  'money',
  'dispute',
  'pix',
] as const
type Kind = (typeof KINDS)[number]
/** The stories that are not orders. */
const OTHERS = {
  'network token': tellTokenStory,
  voucher: tellVoucherStory,
  redirect: tellRedirectStory,
  invoice: tellInvoiceStory,
  payment: tellPaymentStory,
  money: tellMoneyStory,
  dispute: tellDisputeStory,
  pix: tellPixStory,
} as const
type Order = Exclude<Kind, keyof typeof OTHERS>

const DISPUTE_MOMENTS = [
  'dispute list',
  'dispute answer',
  'dispute seen',
  'dispute moved',
  'evidence kept',
  'dispute recorded',
] as const satisfies What[]

const TOKEN_MOMENTS = [
  'token request',
  'token query',
  'cryptogram',
  'token closing',
  'token card kept',
  'token made',
  'token saved',
  'token leased',
  'token number kept',
  'token numbers destroyed',
  'token events published',
] as const satisfies What[]

/** The stories that lead to a moment. */
const GIVES_CAUSE: Partial<Record<What, Kind[]>> = {
  verify: ['verified'],
  capture: ['single', 'three'],
  void: ['third declined', 'single'],
  query: ['lost'],
  'asking leased': ['lost'],
  'charge resolved': ['lost'],
  'operation begun': ['single', 'three'],
  'metadata replaced': ['single', 'verified'],
  ...VOUCHER_CAUSES,
  ...INVOICE_CAUSES,
  ...PAYMENT_CAUSES,
  ...PIX_CAUSES,
  'invoice changed': ['invoice', 'money'],
  'money received': ['payment', 'money'],
  'receipt decided': ['money'],
  ...Object.fromEntries(DISPUTE_MOMENTS.map((moment) => [moment, ['dispute']])),
  ...Object.fromEntries(TOKEN_MOMENTS.map((moment) => [moment, ['network token']])),
}
const customer = { name: 'Ana Souza', document: '12345678909' }

/** Plays one story, chosen by chance: an order from its authorization to its last refund, or another kind. */
export async function tellStory(teller: Teller, number: number): Promise<void> {
  const { random, system } = teller
  const story = `${teller.name}-${number}`
  const causes = GIVES_CAUSE[system.trap.awaited() ?? 'sale']
  const kind = causes && random.chance(0.6) ? random.pick(causes) : random.pick(KINDS)
  if (isOther(kind)) return OTHERS[kind](teller, story)
  const answer = await order(teller, story, kind)
  if (!answer || teller.stopped()) return
  const charge = answer.status === 'PENDING' ? await untilResolved(teller, answer.id) : answer
  if (random.chance(0.25)) await replaceMetadata(teller, story, charge.id)
  if (charge.status === 'AUTHORIZED' && charge.amount > 0) await finish(teller, story, charge)
  else if (charge.status === 'CAPTURED' && charge.capturedAmount > 0) await refund(teller, story, charge)
}

function isOther(kind: Kind): kind is keyof typeof OTHERS {
  return kind in OTHERS
}

async function order(teller: Teller, story: string, kind: Order): Promise<ChargeJson | undefined> {
  const { random, system } = teller
  const each = kind === 'verified' ? 0 : random.int(100, 50_000)
  const cards = digitsOf(kind, random).map((digit) => cardEndingIn(digit, random))
  const [card] = cards
  const orders = `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card`
  if (card !== undefined && cards.length === 1 && random.chance(0.6)) {
    const source = random.chance(0.4)
      ? { card: { ...cardFields(card), cvv: '123' } }
      : { cardToken: { token: await keepCard(teller, story, card) } }
    const notificationUrl = `${system.inbox}/${teller.name}`
    const body = { ...source, customer, notificationUrl, amount: each, installments: random.int(1, 12) }
    return request(teller, { story, operation: 'charge', method: 'POST', path: `${orders}/charge`, body })
  }
  const tokens: (string | undefined)[] = []
  for (const number of cards) tokens.push(await keepCard(teller, story, number))
  const payments = tokens.map((token) => ({
    paymentMethod: 'CREDIT_CARD',
    amount: each,
    installments: random.int(1, 12),
    cardToken: { token, cvv: '123' },
  }))
  const amount = each * payments.length
  const body = { customer, orderReference: story, metadata: { story }, amount, payments }
  return request(teller, { story, operation: 'authorize', method: 'POST', path: `${orders}/authorize`, body })
}

/** The last digits of the cards of an order, which decide the acquirer's answers. */
function digitsOf(kind: Order, random: Random): number[] {
  const approved = () => random.pick(APPROVED)
  const digits: Record<Order, () => number[]> = {
    single: () => [approved()],
    verified: () => [approved()],
    three: () => [approved(), approved(), random.chance(0.15) ? ANSWER_LOST : approved()],
    lost: () => [ANSWER_LOST],
    declined: () => [random.pick(DECLINED)],
    'third declined': () => [approved(), approved(), random.pick(DECLINED)],
  }
  return digits[kind]()
}

function cardFields(cardNumber: string) {
  return {
    cardNumber,
    holder: { name: 'ANA SOUZA', document: '12345678909' },
    expiration: { year: 2049, month: 12 },
  }
}

async function keepCard(teller: Teller, story: string, cardNumber: string): Promise<string | undefined> {
  const body = cardFields(cardNumber)
  const path = '/api/v2/cards/tokens'
  const card = await request<{ token: string }>(teller, {
    story,
    operation: 'token',
    method: 'POST',
    path,
    body,
  })
  return card?.token
}

async function finish(teller: Teller, story: string, charge: ChargeJson): Promise<void> {
  const { random } = teller
  const choice = random.int(1, 10)
  if (choice <= 2) return
  if (choice <= 4) {
    await giveBack(teller, story, charge.id, {})
    return
  }
  const body = choice <= 7 ? {} : { amount: random.int(1, charge.amount) }
  const path = `/api/v2/charges/${charge.id}/capture`
  const answer = await request<ChargeJson>(teller, {
    story,
    operation: 'capture',
    method: 'POST',
    path,
    body,
  })
  if (!answer || teller.stopped()) return
  const captured = isPending(answer) ? await untilResolved(teller, charge.id) : answer
  if (captured.capturedAmount > 0) await refund(teller, story, captured)
}

async function replaceMetadata(teller: Teller, story: string, chargeId: number): Promise<void> {
  const { random } = teller
  const body = { story, note: `n${random.int(1, 1_000)}`, count: random.int(1, 9) }
  const path = `/api/v2/charges/${chargeId}/metadata`
  await request(teller, { story, operation: 'metadata', method: 'PUT', path, body })
}
