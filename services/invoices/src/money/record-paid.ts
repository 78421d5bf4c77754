import type { Db } from '@cofre/platform/postgres/postgres'
import { queueEmail, RECEIPT } from '../letters/queue/queue-email'
import type { Transaction, WholeInvoice } from '../invoice/rules/invoice'
import { pay, type Paid } from '../invoice/rules/money'
import { makePayable } from '../invoice/make-payable'
import { saveLocked, type Saving } from '../invoice/store/invoice-store'
import { insertTransaction, saveTransaction } from '../invoice/store/transaction-store'

/**
 * Takes money for an invoice, in the transaction in which the caller has locked it. The seller is notified. Once nothing
 * stays open, the invoice and its charge are PAID, and the customer gets a receipt. `transaction`: the attempt that succeeded, as it is to be
 * saved; without it, a new one is made. FAILED_PRECONDITION INVALID_INVOICE_STATE when the invoice can't take it.
 */
export async function recordPaid(
  deps: Saving,
  tx: Db,
  locked: WholeInvoice,
  { transaction, ...paid }: Paid & { transaction?: Transaction },
): Promise<WholeInvoice> {
  const payable = await makePayable(deps, tx, locked, paid.at)
  const { invoice: shown, transaction: attempt } = transaction
    ? { invoice: await saveTransaction(tx, payable, transaction), transaction }
    : await insertPaid(tx, payable, paid)
  const source = {
    transactionId: attempt?.id ?? null,
    chargeId: attempt?.orderChargeId ?? null,
    ...paid.source,
  }
  const invoice = await saveLocked(deps, tx, pay(shown, { ...paid, source }))
  if (invoice.status === 'PAID') await queueEmail(tx, invoice, RECEIPT)
  return invoice
}

/** Inserts the attempt for money that came without one, such as a boleto's. What a seller recorded is no attempt. */
async function insertPaid(
  tx: Db,
  invoice: WholeInvoice,
  { method, amount, at }: Paid,
): Promise<{ invoice: WholeInvoice; transaction: Transaction | undefined }> {
  const { id: invoiceId, sellerId, charge } = invoice
  if (method === 'EXTERNAL') return { invoice, transaction: undefined }
  if (!charge) throw new Error('an invoice that is paid has no charge')
  return insertTransaction(tx, invoice, {
    sellerId,
    invoiceId,
    chargeId: charge.id,
    type: method,
    status: 'SUCCEEDED',
    amount,
    payable: amount,
    refunded: 0,
    disputed: 0,
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
    keepConsent: null,
    giveBack: false,
    askAt: null,
    createdAt: at,
    updatedAt: at,
  })
}
