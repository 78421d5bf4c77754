import type { DoomedSystem } from '../doomed-system'
import { entriesOf, type Entry, type Ledger } from '../ledger'
import { readTold } from '../told/check-invoices-told'
import { owingOf } from './money-story'

/** An invoice whose money did not match, as the database holds it. Amounts in cents. */
type OwingInvoice = {
  id: number
  status: string
  amount: number
  paid: number
  sequence: number
  movements: {
    kind: string
    method: string | null
    amount: number
    receiptId: number | null
    isOurs: boolean
  }[]
  receipts: { id: number; amount: number; open: number; outcome: string | null }[]
}

export type MoneyResult = { invoices: number; breaches: string[] }

function readOwing(system: DoomedSystem, run: string): Promise<OwingInvoice[]> {
  return system.read<OwingInvoice>(
    'invoices',
    `SELECT i.id, i.status, i.amount, i.paid_amount AS paid, i.sequence,
       (SELECT coalesce(json_agg(json_build_object('kind', m.kind, 'method', m.method, 'amount', m.amount,
          'receiptId', m.receipt_id, 'isOurs', m.invoice_id IS NOT NULL)), '[]')
        FROM movements m LEFT JOIN receipts r ON r.id = m.receipt_id
        WHERE m.invoice_id = i.id OR m.invoice_id IS NULL AND r.invoice_id = i.id) AS movements,
       (SELECT coalesce(json_agg(json_build_object('id', r.id, 'amount', r.amount, 'open', r.open_amount,
          'outcome', r.outcome)), '[]') FROM receipts r WHERE r.invoice_id = i.id) AS receipts
     FROM invoices i WHERE starts_with(i.customer_name, $1) ORDER BY i.id`,
    [owingOf(`${run}-`)],
  )
}

/**
 * Checks that each answered decision on money was carried out once, and none that was not asked; that every cent of a
 * receipt waits or is a movement; that sums and status follow from the movements; that events were notified once.
 */
export async function checkMoney(system: DoomedSystem, ledger: Ledger, run: string): Promise<MoneyResult> {
  const invoices = await readOwing(system, run)
  const told = readTold(system)
  const done = entriesOf(
    ledger,
    'external',
    'write-off',
    'receipt-apply',
    'receipt-keep',
    'receipt-return',
  ).filter(({ status }) => status === 200)
  const breaches = invoices.flatMap((invoice) => {
    const heard = new Map((told.get(invoice.id) ?? []).map(({ sequence, type }) => [sequence, type]))
    const faults = [
      ...faultsInSums(invoice),
      ...faultsInDecisions(invoice, done),
      ...faultsInTold(invoice, heard),
    ]
    return faults.map(
      (fault) => `invoice ${invoice.id} (${invoice.status}): ${fault}; ${JSON.stringify(invoice)}`,
    )
  })
  return { invoices: invoices.length, breaches }
}

const sum = (amounts: readonly { amount: number }[]) =>
  amounts.reduce((total, { amount }) => total + amount, 0)

function faultsInSums({ status, amount, paid, movements, receipts }: OwingInvoice): string[] {
  const payments = movements.filter(({ kind }) => kind === 'PAYMENT')
  const taken = sum(payments.filter(({ isOurs }) => isOurs))
  const writtenOff = sum(movements.filter(({ kind }) => kind === 'WRITE_OFF'))
  const isWhole = taken + writtenOff === amount
  return [
    ...(paid === taken ? [] : [`paid is ${paid}, the movements are ${taken}`]),
    ...(isWhole === (status === 'PAID') ? [] : [`${taken} paid and ${writtenOff} written off of ${amount}`]),
    ...receipts.flatMap((receipt) => {
      const moved = sum(payments.filter(({ receiptId }) => receiptId === receipt.id))
      return moved + receipt.open === receipt.amount ? [] : [`receipt ${receipt.id}: ${moved} moved`]
    }),
  ]
}

function faultsInDecisions({ id, movements, receipts }: OwingInvoice, done: readonly Entry[]): string[] {
  const count = (operation: Entry['operation'], isOfIt: (entry: Entry) => boolean) =>
    done.filter((entry) => entry.operation === operation && isOfIt(entry)).length
  const ofInvoice = ({ path }: Entry) => path.includes(`/invoices/${id}/`)
  const outside = movements.filter(({ method, kind }) => method === 'EXTERNAL' && kind === 'PAYMENT').length
  const writeOffs = movements.filter(({ kind }) => kind === 'WRITE_OFF').length
  const applied = receipts.reduce(
    (total, receipt) =>
      total + count('receipt-apply', ({ path }) => path.includes(`/unexpected-receipts/${receipt.id}/`)),
    0,
  )
  return [
    ...(outside === count('external', ofInvoice) ? [] : [`${outside} payments outside`]),
    ...(writeOffs === count('write-off', ofInvoice) + applied ? [] : [`${writeOffs} write-offs`]),
    ...receipts.flatMap((receipt) => faultsInReceipt(receipt, done)),
  ]
}

function faultsInReceipt(
  { id, outcome }: OwingInvoice['receipts'][number],
  done: readonly Entry[],
): string[] {
  const decided = new Set(
    done.flatMap(({ operation, path }) => (path.includes(`/unexpected-receipts/${id}/`) ? [operation] : [])),
  )
  const wanted = { APPLIED: 'receipt-apply', KEPT: 'receipt-keep', RETURNED: 'receipt-return' } as const
  if (outcome === null) return decided.size === 0 ? [] : [`receipt ${id} still waits`]
  const [only] = decided
  return decided.size === 1 && only === wanted[outcome as keyof typeof wanted]
    ? []
    : [`receipt ${id} is ${outcome}, answered: ${[...decided].join(', ')}`]
}

function faultsInTold({ status, sequence }: OwingInvoice, heard: ReadonlyMap<number, string>): string[] {
  const timesPaid = [...heard.values()].filter((type) => type === 'invoice.paid').length
  const isWhole =
    heard.size === sequence && Array.from({ length: sequence }, (_, at) => heard.has(at + 1)).every(Boolean)
  return [
    ...(timesPaid === (status === 'PAID' ? 1 : 0) ? [] : [`invoice.paid was told ${timesPaid} times`]),
    ...(isWhole ? [] : [`${sequence} events, heard: ${[...heard].join(' ')}`]),
  ]
}
