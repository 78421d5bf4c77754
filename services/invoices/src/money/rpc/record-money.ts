import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { PoolClient } from '@cofre/platform/postgres/postgres'
import { Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  ExternalKind,
  type RecordPaymentRequest,
  type RecordReturnRequest,
  type WriteOffRequest,
} from '@cofre/proto/invoices/v1/money'
import { readBillingSettings } from '../../catalog/settings/billing-settings-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { owedAt } from '../../invoice/rules/late-charges'
import { sumOf } from '../../invoice/rules/movement'
import { giveBack, writeOff } from '../../invoice/rules/money'
import { beginPaying, isBeingPaid, paymentPending } from '../../invoice/rules/transition'
import { toMessage } from '../../invoice/store/invoice-message'
import { lockInvoice, saveLocked } from '../../invoice/store/invoice-store'
import { pendingRefunds } from '../../pix/store/pix-refund-store'
import { fault, throwFaults } from '../../request-check'
import { amountFaults, pastFaults, wordFaults } from '../money-request'
import { readHeld } from '../movement-store'
import { recordPaid } from '../record-paid'

/** What a seller calls money that came in outside this service. */
const EXTERNAL_NOTE: Record<ExternalKind, string | null> = {
  [ExternalKind.UNSPECIFIED]: null,
  [ExternalKind.CASH]: 'CASH',
  [ExternalKind.TRANSFER]: 'TRANSFER',
  [ExternalKind.OTHER_PROVIDER]: 'OTHER_PROVIDER',
}

export function recordPayment(
  deps: Deps,
  { amount, paidAt, kind, reference, ...key }: RecordPaymentRequest,
): Promise<Replayable<Invoice>> {
  throwFaults([
    ...amountFaults(amount),
    ...pastFaults('#/paidAt', paidAt, now()),
    ...wordFaults({ reference }),
    ...(EXTERNAL_NOTE[kind] === null ? [fault('#/kind', 'ENUM', 'must name a kind')] : []),
  ])
  return change(deps, key, 'payment recorded', async (tx, invoice, at) => {
    beginPaying(invoice, at)
    if (isBeingPaid(invoice)) throw paymentPending()
    const owed = owedAt(invoice, paidAt)
    throwFaults(amountFaults(amount, sumOf(owed)))
    const { lateness } = await readBillingSettings(tx, invoice.sellerId)
    const rest = lateness === 'WAIVE' && amount >= owed.principal ? 'LATENESS_WAIVED' : 'OWED'
    const source = { reference: reference || null, note: EXTERNAL_NOTE[kind] }
    return recordPaid(deps, tx, invoice, { method: 'EXTERNAL', amount, rest, at, paidAt, source })
  })
}

export function recordReturn(
  deps: Deps,
  { amount, returnedAt: goneAt, reference, ...key }: RecordReturnRequest,
): Promise<Replayable<Invoice>> {
  throwFaults([
    ...amountFaults(amount),
    ...pastFaults('#/returnedAt', goneAt, now()),
    ...wordFaults({ reference }),
  ])
  return change(deps, key, 'return recorded', async (tx, invoice, at) => {
    if (isBeingPaid(invoice)) throw paymentPending()
    const { paidAmount, refundedAmount, disputedAmount } = invoice
    const onItsWay = await pendingRefunds(tx, invoice.id)
    const held = paidAmount - refundedAmount - disputedAmount - onItsWay
    const why = [
      ...(disputedAmount > 0 ? [`card holders dispute ${disputedAmount} of it`] : []),
      ...(onItsWay > 0 ? [`${onItsWay} of it is on its way back by Pix`] : []),
    ]
    const detail = `must be at most ${held}: ${why.join(', ')}`
    if (why.length > 0 && amount > held) throwFaults([fault('#/amountInCents', 'RANGE', detail)])
    throwFaults(amountFaults(amount, held))
    const source = { reference: reference || null }
    const gone = { kind: 'RETURN', method: 'EXTERNAL', amount, fee: 0, goneAt, at, source } as const
    return saveLocked(deps, tx, giveBack(invoice, gone, await readHeld(tx, invoice.id)))
  })
}

export function writeOffInvoice(
  deps: Deps,
  { amount, reason: note, ...key }: WriteOffRequest,
): Promise<Replayable<Invoice>> {
  throwFaults([
    ...amountFaults(amount),
    ...wordFaults({ note }).map((each) => ({ ...each, pointer: '#/reason' })),
    ...(note === '' ? [fault('#/reason', 'REQUIRED', 'is required')] : []),
  ])
  return change(deps, key, 'written off', async (tx, invoice, at) => {
    const decision = writeOff(invoice, { amount, note, at })
    return saveLocked(deps, tx, decision)
  })
}

type Key = { sellerId: number; invoiceId: number }

/** Changes the money of an invoice under its lock: the change, its events and the key's mark commit together. */
function change(
  { pool, log }: Deps,
  { sellerId, invoiceId: id }: Key,
  what: string,
  decide: (tx: PoolClient, invoice: WholeInvoice, at: number) => Promise<WholeInvoice>,
): Promise<Replayable<Invoice>> {
  return withIdempotency(pool, sellerId, Invoice, async (tx) => {
    const invoice = await lockInvoice(tx, { sellerId, id })
    const changed = await decide(tx, invoice, now())
    log.info({ sellerId, invoiceId: id, status: changed.status }, what)
    return toMessage(changed, Math.max(changed.updatedAt, now()))
  })
}
