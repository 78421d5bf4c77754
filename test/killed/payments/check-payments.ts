import { readAcquirer, type AcquirerPayment } from '../books'
import type { DoomedSystem } from '../doomed-system'
import { readTold } from '../told/check-invoices-told'
import { entriesOf, type Ledger } from '../ledger'
import {
  readBank,
  readInvoiceCharges,
  readPaidInvoices,
  type BankAsk,
  type InvoiceCharge,
  type PaidInvoice,
} from './payment-books'

export type PaymentResult = { invoices: number; paid: number; breaches: string[] }

type Books = {
  charges: readonly InvoiceCharge[]
  acquirer: ReadonlyMap<string, AcquirerPayment>
  bank: ReadonlyMap<string, BankAsk>
}

/**
 * Checks that an invoice is paid once, by one card, boleto or Pix; that every other cent went back to its card, or is on
 * the list of unexpected receipts; that acquirer, bank and invoices agree; that the payment was notified once.
 */
export async function checkPayments(
  system: DoomedSystem,
  ledger: Ledger,
  run: string,
): Promise<PaymentResult> {
  const invoices = await readPaidInvoices(system, run)
  const books: Books = {
    charges: await readInvoiceCharges(system),
    acquirer: new Map((await readAcquirer(system)).map((payment) => [payment.merchantOrderId, payment])),
    bank: new Map((await readBank(system)).map((ask) => [ask.number, ask])),
  }
  const told = readTold(system)
  const answeredPaid = new Set(
    entriesOf(ledger, 'pay').flatMap(({ status, answer }) => {
      const charge = answer as { invoiceId?: number; status?: string } | null
      return status === 201 && charge?.status === 'PAID' ? [charge.invoiceId] : []
    }),
  )
  const breaches = invoices.flatMap((invoice) => {
    const types = new Map((told.get(invoice.id) ?? []).map(({ sequence, type }) => [sequence, type]))
    const faults = [
      ...faultsInMoney(invoice, books),
      ...faultsInBank(invoice, books),
      ...faultsInTold(invoice, types),
      ...(answeredPaid.has(invoice.id) && invoice.status !== 'PAID' ? ['was answered as PAID'] : []),
    ]
    return faults.map(
      (fault) => `invoice ${invoice.id} (${invoice.status}): ${fault}; ${JSON.stringify(invoice)}`,
    )
  })
  const paid = invoices.filter(({ status }) => status === 'PAID').length
  return { invoices: invoices.length, paid, breaches }
}

function faultsInMoney(invoice: PaidInvoice, { charges, acquirer }: Books): string[] {
  const orderNumbers = charges
    .filter(({ invoiceId }) => invoiceId === invoice.id)
    .flatMap((charge) => charge.orderNumbers)
  const there = orderNumbers.flatMap((number) => acquirer.get(number) ?? [])
  const byCard = there.reduce((sum, { capturedAmount, voidedAmount }) => {
    return sum + (capturedAmount > 0 ? capturedAmount - voidedAmount : 0)
  }, 0)
  const held = there.filter(({ status }) => status === 1).length
  const byBank = invoice.receipts.reduce((sum, { amount, unexpected }) => sum + amount - unexpected, 0)
  const succeeded = invoice.transactions.filter(({ status }) => status === 'SUCCEEDED')
  const pending = invoice.transactions.filter(({ status }) => status === 'PENDING')
  const due = invoice.status === 'PAID' ? invoice.amount : 0
  return [
    ...(byCard + byBank === due
      ? []
      : [`${due} is due; the acquirer holds ${byCard}, the bank gave ${byBank}`]),
    ...(held === 0 ? [] : [`${held} authorizations are held`]),
    ...(invoice.paid === due ? [] : [`paid is ${invoice.paid}`]),
    ...(succeeded.length === (due === 0 ? 0 : 1) ? [] : [`${succeeded.length} payments succeeded`]),
    ...(pending.length === 0 ? [] : [`${pending.length} payments are pending`]),
  ]
}

function faultsInBank({ status, asks, receipts }: PaidInvoice, { bank }: Books): string[] {
  const kept = new Map(receipts.map(({ bankId, amount }) => [bankId, amount]))
  const came = asks.flatMap(({ number }) => bank.get(number)?.payments ?? [])
  const lost = came.filter(({ id, amount }) => kept.get(id) !== amount)
  const isOver = status === 'PAID' || status === 'CANCELLED'
  const payable = asks.filter(({ number }) => {
    const ask = bank.get(number)
    return ask !== undefined && !ask.cancelled && ask.payments.length === 0
  })
  return [
    ...(lost.length === 0 && kept.size === came.length
      ? []
      : [`the bank took ${JSON.stringify(came)}, receipts are ${JSON.stringify(receipts)}`]),
    ...(isOver && payable.length > 0 ? [`${payable.length} asks can still be paid`] : []),
    ...(asks.some(({ status: each, withdrawing }) => each === 'PENDING' || withdrawing)
      ? ['an ask is not resolved']
      : []),
  ]
}

function faultsInTold({ status, sequence }: PaidInvoice, types: ReadonlyMap<number, string>): string[] {
  const heard = [...types.values()]
  const timesPaid = heard.filter((type) => type === 'invoice.paid').length
  const isWhole =
    heard.length === sequence &&
    Array.from({ length: sequence }, (_, at) => at + 1).every((n) => types.has(n))
  return [
    ...(timesPaid === (status === 'PAID' ? 1 : 0) ? [] : [`invoice.paid was told ${timesPaid} times`]),
    ...(isWhole ? [] : [`${sequence} events, heard: ${[...types].join(' ')}`]),
  ]
}
