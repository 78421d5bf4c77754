import type { Terms } from '@cofre/platform/operation/terms'
import type { Charge, Order } from '../../charge/charge'
import { newCharge } from '../../charge/authorization'

/** A charge for a Pix: it is captured with its payment. `txid`: the bank's number of it, which is ours. */
export function newPixCharge(
  order: Omit<Order, 'direct'>,
  { txid, account, expiresAt }: { txid: string; account: string; expiresAt: number },
  terms: Terms,
): Charge {
  const payment = {
    orderNumber: txid,
    amount: order.amount,
    installments: 1,
    card: null,
    pix: { account, expiresAt, copyAndPaste: null, payerName: null, payerDocument: null, cancelled: false },
    paymentLimitDate: null,
    dueDate: null,
    initiator: 'CUSTOMER' as const,
    reason: 'UNSCHEDULED' as const,
    exemptFromTestingGuard: true,
    credential: null,
    authentication: null,
  }
  return {
    ...newCharge({ ...order, direct: true, acquirer: 'pix', payments: [payment] }, terms),
    establishmentId: null,
  }
}
