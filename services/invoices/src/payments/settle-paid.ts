import type { Db } from '@cofre/platform/postgres/postgres'
import { queueEmail, RECEIPT } from '../email/queue-email'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import { beginPaying, pay, type Paid } from '../invoice/transition'
import { saveLocked } from '../invoice-store/invoice-store'
import { insertTransaction, saveTransaction } from '../payment-store/transaction-store'

/**
 * Makes an invoice payable, in the transaction in which the caller has locked it. An OPEN one is finalized, and one
 * without a charge gets one. FAILED_PRECONDITION INVALID_INVOICE_STATE when it can't take money.
 */
export async function makePayable(tx: Db, invoice: WholeInvoice, at: number): Promise<WholeInvoice> {
  const decision = beginPaying(invoice, at)
  return decision ? saveLocked(tx, decision) : invoice
}

/**
 * Takes money for an invoice, in the transaction in which the caller has locked it. The invoice and its charge are
 * PAID, the seller is notified, the customer gets a receipt. `transaction`: the attempt that succeeded, as it is to be
 * saved; without it, a new one is made. FAILED_PRECONDITION INVALID_INVOICE_STATE when the invoice can't take it.
 */
export async function settlePaid(
  tx: Db,
  locked: WholeInvoice,
  { transaction, ...paid }: Paid & { transaction?: Transaction },
): Promise<WholeInvoice> {
  const payable = await makePayable(tx, locked, paid.at)
  const shown = transaction
    ? await saveTransaction(tx, payable, transaction)
    : await insertPaid(tx, payable, paid)
  const invoice = await saveLocked(tx, pay(shown, paid))
  await queueEmail(tx, invoice, RECEIPT)
  return invoice
}

/** Inserts the attempt for money that came without one, such as a boleto's. */
async function insertPaid(
  tx: Db,
  invoice: WholeInvoice,
  { method, amount, at }: Paid,
): Promise<WholeInvoice> {
  const { id: invoiceId, sellerId, charge } = invoice
  if (!charge) throw new Error('an invoice that is paid has no charge')
  const inserted = await insertTransaction(tx, invoice, {
    sellerId,
    invoiceId,
    chargeId: charge.id,
    type: method,
    status: 'SUCCEEDED',
    amount,
    payable: amount,
    orderChargeId: null,
    decline: null,
    failure: null,
    authentication: null,
    operationId: null,
    dispatchDeadline: null,
    cardId: null,
    cardBrand: null,
    keepCardId: null,
    keepCardIsOurs: false,
    giveBack: false,
    askAt: null,
    createdAt: at,
    updatedAt: at,
  })
  return inserted.invoice
}
