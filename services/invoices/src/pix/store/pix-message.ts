import { dayOf, endOf } from '@cofre/platform/calendar-day'
import { PixStatus, type PixCharge as Message } from '@cofre/proto/invoices/v1/pix'
import type { PixCharge } from '../rules/pix-charge'
import { pixAskedOn } from '../rules/pix-terms'

/** A charge as it is at a moment (epoch milliseconds). */
export function pixMessage(charge: PixCharge, at: number): Message {
  const { id, sellerId, invoiceId, status, txid, copyAndPaste, payableUntil, publicId, createdAt } = charge
  return {
    id,
    sellerId,
    invoiceId,
    status: PixStatus[status],
    txid,
    copyAndPaste: copyAndPaste ?? '',
    amount: pixAskedOn(charge, dayOf(at)),
    expiresAt: endOf(payableUntil) + 1,
    publicId,
    createdAt,
  }
}
