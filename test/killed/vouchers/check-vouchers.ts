import type { Client } from '../client'
import type { DoomedSystem } from '../doomed-system'
import type { Ledger } from '../ledger'
import type { Teller } from '../teller'
import { checkVoucherPayments } from './check-payments'
import { checkVoucherTokens } from './check-tokens'
import { readVoucherPayments, readVoucherTokens, type BookedToken } from './voucher-books'
import { payAndResolve } from './voucher-story'

export type VoucherRun = {
  name: string
  /** The tokens that existed before the run. */
  before: readonly BookedToken[]
  tellers: readonly string[]
}

/** `ends`: how many tokens by redirect came to each outcome. */
export type VoucherResult = { payments: number; ends: Record<string, number>; breaches: string[] }

/** Pays once more with each ACTIVE token by redirect: a token whose grant is gone cannot pay, and ends. */
export async function payWithEach(teller: Teller): Promise<void> {
  const { returns } = teller.ledger
  for (const { story, token, cardType } of returns) {
    if (token === undefined) continue
    await payAndResolve(teller, `${story}-last`, { token, cardType, cardBrand: 'TICKET' })
  }
}

export async function checkVouchers(
  system: DoomedSystem,
  client: Client,
  ledger: Ledger,
  run: VoucherRun,
): Promise<VoucherResult> {
  const payments = await readVoucherPayments(system, run.name)
  const tokens = await readVoucherTokens(system)
  const breaches = [
    ...(await checkVoucherPayments(system, client, ledger, payments)),
    ...(await checkVoucherTokens(system, ledger, tokens, run)),
  ]
  const stories = new Set(ledger.returns.map(({ story }) => story))
  const ends: Record<string, number> = {}
  for (const { story, status, reason } of tokens) {
    if (story === null || !stories.has(story)) continue
    const end = reason ?? status
    ends[end] = (ends[end] ?? 0) + 1
  }
  return { payments: payments.length, ends, breaches }
}
