import { setTimeout as pause } from 'node:timers/promises'
import type { VoucherPaymentJson } from '@cofre/api/vouchers/voucher-payment'
import { ANSWER_LOST, APPROVED, DECLINED } from '../cards'
import type { What } from '../points'
import type { Random } from '@cofre/testing/random'
import { ask, request, type Teller } from '../teller'
import { OF_DELETIONS, OF_LOST_ANSWERS } from './voucher-causes'

/** A voucher token that pays. */
export type Voucher = { token: string; cardType: 'MEAL' | 'FOOD'; cardBrand: string }

const RESOLVED_WITHIN_MS = 120_000
const POLL_MS = 200
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  ALELO: ['5067', '5090'],
  VR: ['637036', '627416', '636350', '637037'],
}
const DIGITS = 16

export function vouchersOf({ system }: Teller): string {
  return `/api/v2/sellers/${system.ready.sellerId}/vouchers`
}

/** True when the trap is set for one of these moments. */
export function isAwaited({ system }: Teller, moments: readonly What[]): boolean {
  const awaited = system.trap.awaited()
  return awaited !== undefined && moments.includes(awaited)
}

/** Stores one voucher by its number and pays with it; perhaps cancels a payment, perhaps deletes the voucher. */
export async function tellVoucherStory(teller: Teller, story: string): Promise<void> {
  const { random } = teller
  const cardBrand = random.pick(Object.keys(PREFIXES))
  const cardType = random.pick(['MEAL', 'FOOD'] as const)
  const body = {
    cardType,
    cardBrand,
    cardNumber: numberOf(cardBrand, random, isAwaited(teller, OF_LOST_ANSWERS)),
    expires: { month: 12, year: 49 },
    holder: { name: 'ANA SOUZA' },
  }
  const path = `${vouchersOf(teller)}/tokens`
  const kept = await request<Voucher>(teller, { story, operation: 'voucher', method: 'POST', path, body })
  if (!kept || teller.stopped()) return
  const voucher = { token: kept.token, cardType, cardBrand }
  for (let turn = random.int(1, 2); turn > 0 && !teller.stopped(); turn--) {
    const payment = await payAndResolve(teller, `${story}-${turn}`, voucher)
    if (payment?.status === 'PAID' && random.chance(0.6)) await cancel(teller, story, payment)
  }
  const isLast = isAwaited(teller, OF_DELETIONS) || random.chance(0.5)
  if (isLast && !teller.stopped()) await deleteVoucher(teller, story, voucher)
}

/** A voucher's number; its last digit decides the issuer's answer. `isLost`: the answer is lost. */
function numberOf(brand: string, random: Random, isLost: boolean): string {
  const chance = isLost ? 7 : random.int(1, 10)
  const digit = chance <= 6 ? random.pick(APPROVED) : chance <= 8 ? ANSWER_LOST : random.pick(DECLINED)
  const prefix = random.pick(PREFIXES[brand] ?? [])
  const middle = Array.from({ length: DIGITS - 1 - prefix.length }, () => random.int(0, 9))
  return `${prefix}${middle.join('')}${digit}`
}

/** Pays, and waits until the outcome is known or the run is over. Undefined when the token no longer pays. */
export async function payAndResolve(
  teller: Teller,
  story: string,
  voucher: Voucher,
): Promise<VoucherPaymentJson | undefined> {
  const answer = await pay(teller, story, voucher)
  if (!answer || answer.status !== 'PENDING' || teller.stopped()) return answer
  return untilKnown(teller, answer)
}

async function pay(
  teller: Teller,
  story: string,
  { token, cardType, cardBrand }: Voucher,
): Promise<VoucherPaymentJson | undefined> {
  const { random } = teller
  const isKept = cardBrand in PREFIXES
  const cvv = isKept && random.chance(0.3) ? { cvv: '123' } : {}
  const body = {
    amount: random.int(100, 50_000),
    referenceId: story,
    card: { cardType, cardBrand, token, ...cvv },
    customer: { document: '12345678909' },
  }
  const path = `${vouchersOf(teller)}/payments`
  // The grant may have ended: the provider cannot distinguish a renewal that was cut off from a theft.
  const due = isKept ? [201] : [201, 422]
  const wanted = { story, operation: 'voucher-payment', method: 'POST', path, body } as const
  const told = await ask<VoucherPaymentJson>(teller, wanted, due)
  return told?.status === 201 ? told.body : undefined
}

async function cancel(teller: Teller, story: string, { id }: VoucherPaymentJson): Promise<void> {
  const path = `${vouchersOf(teller)}/payments/${id}/cancel`
  const operation = 'voucher-cancellation' as const
  const wanted = { story, operation, method: 'POST' as const, path, body: undefined }
  const answer = await request<VoucherPaymentJson>(teller, wanted)
  if (!answer?.cancellationPending || teller.stopped()) return
  const known = await untilKnown(teller, answer)
  // The cancellation never reached the issuer.
  if (known.status === 'PAID' && !known.cancellationPending) await request(teller, wanted)
}

export async function deleteVoucher(teller: Teller, story: string, { token }: Voucher): Promise<void> {
  const path = `${vouchersOf(teller)}/tokens/${token}`
  await request(teller, { story, operation: 'voucher-deletion', method: 'DELETE', path, body: undefined })
}

/** Reads a payment until nothing of it is pending or the run is over. */
async function untilKnown(teller: Teller, { id }: VoucherPaymentJson): Promise<VoucherPaymentJson> {
  const until = Date.now() + RESOLVED_WITHIN_MS
  for (;;) {
    const { body } = await teller.client({ method: 'GET', path: `${vouchersOf(teller)}/payments/${id}` })
    const payment = body as VoucherPaymentJson
    const isKnown = payment.status !== 'PENDING' && !payment.cancellationPending
    if (isKnown || teller.stopped() || Date.now() > until) return payment
    await pause(POLL_MS)
  }
}
