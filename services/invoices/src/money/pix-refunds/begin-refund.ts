import { DomainError } from '@cofre/platform/errors'
import { randomHex } from '@cofre/platform/random-hex'
import type { PoolClient } from '@cofre/platform/postgres/postgres'
import type { ReturnReceiptRequest } from '@cofre/proto/invoices/v1/money'
import type { RefundPixRequest } from '@cofre/proto/invoices/v1/pix'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { dispatchOf } from '../../invoice/issue-ask'
import { lockInvoice } from '../../invoice/store/invoice-store'
import { canBeGivenBack, type PixRefund } from '../../pix/rules/pix-refund'
import { insertRefund, pendingRefunds } from '../../pix/store/pix-refund-store'
import { fault, throwFaults } from '../../request-check'
import { waitingOf } from '../close-receipt-part'
import { amountFaults } from '../money-request'
import { lockReceipt, saveReceipt } from '../receipt-store'
import { pixOf, type HeldPix } from './pix-of-invoice'

/** 32 characters: API Pix takes up to 35. */
const NUMBER_BYTES = 16

type BeginDeps = { pix: Pick<Deps['pix'], 'rules'> }

/** Saves the intention to give back money of an invoice. Nobody else takes it until the refund is over. */
export async function beginInvoiceRefund(
  deps: BeginDeps,
  tx: PoolClient,
  { sellerId, invoiceId: id, amount: asked, endToEndId, reason: note }: RefundPixRequest,
  operationId: string | null,
): Promise<PixRefund> {
  const invoice = await lockInvoice(tx, { sellerId, id })
  const at = now()
  const pix = chosen(await pixOf(tx, id), endToEndId, at)
  const { paidAmount, refundedAmount, disputedAmount } = invoice
  const held = paidAmount - refundedAmount - disputedAmount - (await pendingRefunds(tx, id))
  const most = Math.min(pix.left, held)
  if (most < 1) throw unavailable()
  throwFaults(amountFaults(asked))
  if (asked !== undefined && asked > most) throw exceeds(asked, most)
  const of = { ...pix, sellerId, invoiceId: id }
  return insertRefund(tx, refundOf(deps, of, { amount: asked ?? most, note, operationId, at }))
}

/** Saves the intention to give back money that waits. FAILED_PRECONDITION RECEIPT_RESOLVED, REFUND_UNAVAILABLE. */
export async function beginReceiptReturn(
  deps: BeginDeps,
  tx: PoolClient,
  { sellerId, receiptId: id, amount: asked, note, reference }: ReturnReceiptRequest,
  operationId: string | null,
): Promise<PixRefund> {
  const receipt = await lockReceipt(tx, { sellerId, id })
  const { method, account, bankId: endToEndId } = receipt
  const detail = 'is required: the money did not come by Pix'
  if (method !== 'PIX') throwFaults([fault('#/returnedAt', 'REQUIRED', detail)])
  const at = now()
  const waiting = waitingOf(receipt)
  if (!canBeGivenBack(receipt, at)) throw unavailable()
  throwFaults(amountFaults(asked, waiting))
  const amount = asked ?? waiting
  await saveReceipt(tx, { ...receipt, returningAmount: receipt.returningAmount + amount }, [])
  const of = { receiptId: id, account, endToEndId, sellerId, invoiceId: null }
  return insertRefund(tx, refundOf(deps, of, { amount, note: note || reference, operationId, at }))
}

/** The Pix that is given back: the named one, or the only one. */
function chosen(pix: readonly HeldPix[], endToEndId: string | undefined, at: number): HeldPix {
  const left = pix.filter((each) => each.left > 0 && canBeGivenBack(each, at))
  const [one, ...others] = left.filter((each) => endToEndId === undefined || each.endToEndId === endToEndId)
  if (left.length === 0) throw unavailable()
  if (!one)
    throwFaults([fault('#/endToEndId', 'UNKNOWN', 'is no Pix of this invoice that has anything left')])
  if (!one || others.length > 0) {
    const detail = 'is required: several Pix of this invoice have something left'
    throwFaults([fault('#/endToEndId', 'REQUIRED', detail)])
    throw unavailable()
  }
  return one
}

type Asked = Pick<PixRefund, 'amount' | 'operationId'> & { note: string; at: number }

function refundOf(
  { pix: { rules } }: BeginDeps,
  of: Pick<PixRefund, 'sellerId' | 'receiptId' | 'invoiceId' | 'account' | 'endToEndId'>,
  { note, at, ...asked }: Asked,
): Omit<PixRefund, 'id'> {
  const { dispatchDeadline, askAt } = dispatchOf(rules, of.account, rules.bankTimeoutMs, at)
  return {
    ...of,
    ...asked,
    number: randomHex(NUMBER_BYTES),
    status: 'PENDING',
    nature: null,
    note: note || null,
    refusal: null,
    dispatchDeadline,
    askAt,
    createdAt: at,
    updatedAt: at,
  }
}

function unavailable(): DomainError {
  const message = 'No Pix of the last 90 days has anything left to give back.'
  return new DomainError('failed_precondition', 'REFUND_UNAVAILABLE', message)
}

/** As for the charge of a card. */
function exceeds(asked: number, most: number): DomainError {
  const errors = [{ pointer: '#/amountInCents', code: 'MAX', detail: `must be at most ${most}` }]
  const message = `${asked} cents were requested; ${most} can still be refunded.`
  return new DomainError('failed_precondition', 'REFUND_EXCEEDS_CAPTURED', message, { errors })
}
