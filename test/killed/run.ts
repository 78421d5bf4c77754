import { countCards, readCharges } from './books'
import { checkAcquirer } from './check-acquirer'
import { checkAnswers } from './check-answers'
import { checkCharges } from './check-charges'
import { checkNotifications } from './told/check-notifications'
import { checkTokens } from './check-tokens'
import { patientClient } from './client'
import type { DoomedSystem, Pids } from './doomed-system'
import { entriesOf, newLedger, type Ledger } from './ledger'
import { checkInvoices, type InvoiceResult } from './invoices/check-invoices'
import { checkDisputes } from './disputes/check-disputes'
import { checkMoney, type MoneyResult } from './money/check-money'
import { checkPayments, type PaymentResult } from './payments/check-payments'
import { checkPix } from './pix/check-pix'
import { wakeKeys } from './pix/pix-books'
import { describePoint, programsOf, type Target } from './points'
import { untilQuiet } from './quiet'
import { seeded, type Random } from '@cofre/testing/random'
import { tellStory } from './story'
import type { Teller } from './teller'
import { tokenInbox } from './token-story'
import { checkVouchers, payWithEach, type VoucherResult } from './vouchers/check-vouchers'
import { redirectInbox } from './vouchers/redirect-story'
import { readVoucherTokens } from './vouchers/voucher-books'

export type RunOptions = {
  /** Chooses the orders. */
  seed: number
  targets: readonly Target[]
  clients: number
  /** Epoch milliseconds after which nothing more is killed, once something was. */
  until: number
}

/** How long its moment took to come, and how long the system then took to answer; null: not waited for. */
export type Kill = Target & { reachedAfterMs: number; backAfterMs: number | null }

export type RunResult = {
  seed: number
  killed: Kill[]
  /** Moments that did not come in time. */
  missed: Target[]
  charges: number
  requests: number
  vouchers: VoucherResult
  invoices: InvoiceResult
  payments: PaymentResult
  money: MoneyResult
  disputes: number
  /** From the last restart until nothing was pending. */
  quietAfterMs: number
  lastPending: string[]
  breaches: string[]
}

const REACHED_WITHIN_MS = 8_000
const QUIET_WITHIN_MS = 120_000

/** Kills programs while clients make orders; then checks that everything agrees. */
export async function killRun(system: DoomedSystem, options: RunOptions): Promise<RunResult> {
  const random = seeded(`run ${options.seed}`)
  const ledger = newLedger()
  const cardsBefore = await countCards(system)
  const before = await readVoucherTokens(system)
  const name = `run${options.seed}-${Date.now().toString(36)}`
  const inboxes = Array.from({ length: options.clients }, (_, nth) => `${name}-${nth}`)
  let stopped = false
  const client = patientClient(system.ready)
  const tellerOf = (inbox: string): Teller => {
    return {
      system,
      client,
      random: random.fork(inbox.slice(name.length + 1)),
      ledger,
      name: inbox,
      stopped: () => stopped,
    }
  }
  const clients = inboxes.map((inbox) => tellStories(tellerOf(inbox)))
  const { killed, missed } = await killAll(system, options, random.fork('kills'), ledger)
  const backAt = Date.now()
  stopped = true
  await Promise.all(clients)
  await payWithEach(tellerOf(`${name}-last`))
  await wakeKeys(system)
  const { unrest, last } = await untilQuiet(system, backAt + QUIET_WITHIN_MS)
  const quietAfterMs = Date.now() - backAt
  const charges = await readCharges(system, name)
  const cards = cardsBefore + entriesOf(ledger, 'token').length
  const vouchers = await checkVouchers(system, client, ledger, { name, before, tellers: inboxes })
  const invoices = await checkInvoices(system, client, ledger, name)
  const payments = await checkPayments(system, ledger, name)
  const money = await checkMoney(system, ledger, name)
  const disputeFaults = await checkDisputes(system, ledger)
  const breaches = [
    ...ledger.breaches,
    ...unrest.map((what) => `${what}, ${quietAfterMs} ms after the last restart`),
    ...checkCharges(ledger, charges),
    ...(await checkAcquirer(system, charges)),
    ...(await checkAnswers(client, ledger)),
    ...(await checkNotifications(system, inboxes, charges)),
    ...(await checkTokens(system, ledger, inboxes)),
    ...vouchers.breaches,
    ...invoices.breaches,
    ...payments.breaches,
    ...money.breaches,
    ...disputeFaults,
    ...(await checkPix(system, ledger, charges)),
    ...((await countCards(system)) === cards ? [] : [`the vault does not keep ${cards} cards`]),
  ]
  await Promise.all(
    [...inboxes, ...inboxes.map(tokenInbox), ...inboxes.map(redirectInbox)].map((inbox) =>
      fetch(`${system.ready.sandboxUrl}/inbox/${inbox}`, { method: 'DELETE' }),
    ),
  )
  const { seed } = options
  return {
    seed,
    killed,
    missed,
    charges: charges.length,
    requests: ledger.entries.length,
    vouchers,
    invoices,
    payments,
    money,
    disputes: ledger.disputed.length,
    quietAfterMs,
    lastPending: last,
    breaches,
  }
}

async function tellStories(teller: Teller): Promise<void> {
  for (let number = 1; !teller.stopped(); number++) {
    await tellStory(teller, number).catch((error: unknown) => {
      teller.ledger.breaches.push(`${teller.name}-${number}: ${String(error)}`)
    })
  }
}

/** Kills at one moment after another; sometimes again before the system has recovered. */
async function killAll(
  system: DoomedSystem,
  { targets, until }: RunOptions,
  random: Random,
  ledger: Ledger,
): Promise<{ killed: Kill[]; missed: Target[] }> {
  const killed: Kill[] = []
  const missed: Target[] = []
  for (const target of targets) {
    // On a busy machine no moment may have come yet: a run kills at least once.
    if (Date.now() > until && killed.length > 0) break
    const options = { skip: random.int(0, 3), timeoutMs: REACHED_WITHIN_MS }
    const hasty = random.chance(0.25)
    const before = system.pids()
    const setAt = Date.now()
    if (!(await system.trap.set(target, options))) {
      missed.push(target)
      continue
    }
    const killedAt = Date.now()
    await backFrom(system, target, before, { answering: !hasty }, ledger)
    const backAfterMs = hasty ? null : Date.now() - killedAt
    killed.push({ ...target, reachedAfterMs: killedAt - setAt, backAfterMs })
  }
  const last = killed.at(-1)
  if (last) await backFrom(system, last, {}, { answering: true }, ledger)
  return { killed, missed }
}

async function backFrom(
  system: DoomedSystem,
  { what, when, victim }: Target,
  before: Pids,
  options: { answering: boolean },
  ledger: Ledger,
): Promise<void> {
  await system.untilBack(programsOf(victim), before, options).catch((error: unknown) => {
    ledger.breaches.push(`${describePoint(what, when)}: ${String(error)}`)
  })
}
