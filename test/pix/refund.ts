import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { PixCharge, PixRefund, RefundPixRequest } from '@cofre/proto/invoices/v1/pix'
import type { ReturnReceiptRequest } from '@cofre/proto/invoices/v1/money'
import { addDevolution } from '../../sandbox/src/pix/received/settle'
import { newMessageId, type Nature } from '../../sandbox/src/pix/received/received'
import { lookAtRefund, takeDueRefunds } from '../../services/invoices/src/money/pix-refunds/look-at-refunds'
import { issue, look, newInvoice, payAt, tell, type TestPix } from './start-pix'

/** For a busy machine. */
const PATIENTLY = { timeoutMs: 60_000 }

type Key = Pick<Invoice, 'sellerId' | 'id'>
type Paid = { invoice: Invoice; charge: PixCharge; endToEndId: string }

/** An invoice of 99.80 that is paid by Pix. */
export async function paidInvoice(
  pix: TestPix,
  changes: Parameters<typeof newInvoice>[1] = {},
  wanted: Parameters<typeof payAt>[2] = {},
): Promise<Paid> {
  const invoice = await newInvoice(pix, changes)
  return { invoice, ...(await payWith(pix, await issue(pix, invoice), wanted)) }
}

/** Pays a charge at the bank, and has the service hear of it. */
export async function payWith(pix: TestPix, charge: PixCharge, wanted: Parameters<typeof payAt>[2] = {}) {
  const { endToEndId } = payAt(pix, charge, wanted)
  await hear(pix, charge)
  return { charge, endToEndId }
}

/** The bank sends its notice of a charge, and the sweeper comes to it. */
export async function hear(pix: TestPix, charge: PixCharge): Promise<void> {
  await tell(pix, [charge.txid])
  await look(pix)
}

export function refund(
  { charges }: TestPix,
  { sellerId, id }: Key,
  asked: Partial<RefundPixRequest> = {},
): Promise<PixRefund> {
  const request = { sellerId, invoiceId: id, amount: undefined, endToEndId: undefined, reason: '', ...asked }
  return callRpc(charges, charges.refundPix, request, PATIENTLY)
}

/** A refund, and what became of it once the sweeper has asked: the bank answers a new one before it is settled. */
export async function refunded(...asked: Parameters<typeof refund>): Promise<PixRefund> {
  const made = await refund(...asked)
  await lookAtRefunds(asked[0])
  return readRefund(asked[0], made)
}

export function refundAgain({ charges }: TestPix, { sellerId, id }: Key, amount?: number) {
  const request = { sellerId, invoiceId: id, amount, endToEndId: undefined, reason: '' }
  return callRepeatable(charges, charges.refundPix, request, PATIENTLY)
}

export function readRefund({ charges }: TestPix, { sellerId, invoiceId, id }: PixRefund): Promise<PixRefund> {
  return callRpc(charges, charges.readPixRefund, { sellerId, invoiceId, refundId: id })
}

export async function refundsOf({ charges }: TestPix, { sellerId, id }: Key): Promise<PixRefund[]> {
  return (await callRpc(charges, charges.listPixRefunds, { sellerId, invoiceId: id })).refunds
}

export function giveReceiptBack(
  { money }: TestPix,
  { sellerId, id }: Key,
  asked: Partial<ReturnReceiptRequest> = {},
) {
  const request = {
    sellerId,
    receiptId: id,
    amount: undefined,
    byPix: asked.returnedAt === undefined,
    returnedAt: 0,
    note: '',
    reference: '',
  }
  return callRpc(money, money.returnReceipt, { ...request, ...asked }, PATIENTLY)
}

/** As `giveReceiptBack`, and what became of it once the sweeper has asked. */
export async function receiptGivenBack(...asked: Parameters<typeof giveReceiptBack>) {
  const [pix, { sellerId, id: receiptId }] = asked
  await giveReceiptBack(...asked)
  await lookAtRefunds(pix)
  return callRpc(pix.money, pix.money.getReceipt, { sellerId, receiptId })
}

/** What the bank has of the money that goes back of a Pix. */
export function returnsAt({ bank }: TestPix, endToEndId: string) {
  return bank.received.get(endToEndId)?.devolutions ?? []
}

/** The bank gives money back that Cofre did not ask it for. */
export function takenBack(
  { bank }: TestPix,
  endToEndId: string,
  { amount, nature = 'MED_FRAUDE' }: { amount: number; nature?: Nature },
): void {
  const pix = bank.received.get(endToEndId)
  if (!pix) throw new Error('the bank has no such Pix')
  const at = Date.now()
  const rtrId = newMessageId('D', at)
  const asked = { id: rtrId, rtrId, amount, nature, status: 'EM_PROCESSAMENTO', askedAt: at } as const
  addDevolution(bank, pix, asked, 'DEVOLVIDO')
}

/** Runs one turn of the sweeper over refunds, once the bank's silence proves something. */
export async function lookAtRefunds({ deps, pool }: TestPix): Promise<void> {
  await pool.query(
    "UPDATE pix_refunds SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL",
  )
  for (const id of await takeDueRefunds({ ...deps, pool }, 100)) await lookAtRefund(deps, id)
}
