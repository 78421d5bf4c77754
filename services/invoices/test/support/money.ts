import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  ApplyReceiptRequest,
  ExternalKind,
  ListMovementsRequest,
  MoneyClient,
  RecordPaymentRequest,
} from '@cofre/proto/invoices/v1/money'
import { issue, newInvoice, noticeOf, receive, startBoletos, tell, unexpected } from './start-boletos'

export type Issued = { invoice: Invoice; publicId: string }

export type TestMoney = Awaited<ReturnType<typeof startMoney>>

/** The service with a bank, and its journal of money. */
export async function startMoney(options: Parameters<typeof startBoletos>[0] = {}) {
  const boletos = await startBoletos(options)
  const money = await boletos.network.clientOf(MoneyClient, boletos.address, 'gateway')

  async function issued(changes: Parameters<typeof newInvoice>[1] = {}): Promise<Issued> {
    const invoice = await newInvoice(boletos, changes)
    const { boleto } = await issue(boletos, invoice)
    return { invoice, publicId: boleto?.publicId ?? '' }
  }

  /** Receives money at the bank for the only open slip, and has the bank report it. */
  async function receiveOf(amount: number, paidAt = Date.now()): Promise<void> {
    const slip = [...boletos.bank.slips.values()].at(-1)
    if (!slip) throw new Error('the bank has no slip')
    await tell(boletos, noticeOf(slip.nossoNumero, receive(slip, amount, paidAt)))
  }

  const movementsOf = async ({ sellerId, id }: Invoice) => {
    const request = ListMovementsRequest.fromPartial({ sellerId, invoiceId: id, size: 100 })
    const { movements } = await callRpc(money, money.listMovements, request)
    return movements.toReversed()
  }

  async function waiting(invoice: Invoice) {
    const [receipt] = (await unexpected(boletos, invoice)).filter(({ openAmount }) => openAmount > 0)
    if (!receipt) throw new Error('no receipt waits')
    return receipt
  }

  const apply = async (invoice: Invoice, changes: Partial<ApplyReceiptRequest> = {}) => {
    const { sellerId } = invoice
    const receiptId = changes.receiptId ?? (await waiting(invoice)).id
    const request = ApplyReceiptRequest.fromPartial({ sellerId, receiptId, ...changes })
    return (await callRepeatable(money, money.applyReceipt, request)).response
  }

  const recordPayment = ({ sellerId, id: invoiceId }: Invoice, changes: Partial<RecordPaymentRequest> = {}) =>
    callRepeatable(
      money,
      money.recordPayment,
      RecordPaymentRequest.fromPartial({
        sellerId,
        invoiceId,
        amount: 9_980,
        paidAt: Date.now() - 1_000,
        kind: ExternalKind.TRANSFER,
        ...changes,
      }),
    )

  const writeOff = ({ sellerId, id: invoiceId }: Invoice, amount?: number, reason = 'Acordo.') =>
    callRepeatable(money, money.writeOff, { sellerId, invoiceId, amount, reason })

  const recordReturn = ({ sellerId, id: invoiceId }: Invoice, amount: number) =>
    callRepeatable(money, money.recordReturn, {
      sellerId,
      invoiceId,
      amount,
      returnedAt: Date.now() - 1_000,
      reference: 'TED 1',
    })

  const eventsOf = async (key: number): Promise<string[]> => {
    const { rows } = await boletos.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
      String(key),
    ])
    return rows.map(({ type }) => type)
  }

  /** Makes an invoice late: due on Monday, 2 March 2026, with a slip of that time. */
  async function makeLate({ invoice }: Issued): Promise<void> {
    const due = `'2026-03-02T12:00:00-03:00'`
    await boletos.pool.query(`UPDATE invoices SET due_date = ${due}, late_on = '2026-03-03' WHERE id = $1`, [
      invoice.id,
    ])
    await boletos.pool.query(
      "UPDATE boletos SET due_day = '2026-03-02', late_on = '2026-03-03', payable_until = '2026-04-01' WHERE invoice_id = $1",
      [invoice.id],
    )
  }
  return {
    boletos,
    money,
    issued,
    receiveOf,
    movementsOf,
    waiting,
    apply,
    recordPayment,
    writeOff,
    recordReturn,
    eventsOf,
    makeLate,
    stop: boletos.stop,
  }
}

/** Noon of the tenth day after 2 March 2026. */
export const TEN_DAYS_LATE = Date.parse('2026-03-12T12:00:00-03:00')
/** A fine of 2 %, and interest of 1 % a month. */
export const LATE_TERMS = {
  fine: { percentageBps: 200, startsAfterDays: 1, amountInCents: undefined },
  interest: { monthlyPercentageBps: 100, startsAfterDays: 1, dailyAmountInCents: undefined },
}
