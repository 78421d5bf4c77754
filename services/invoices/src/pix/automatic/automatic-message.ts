import { startOf } from '@cofre/platform/calendar-day'
import {
  PixCollectionStatus,
  PixPermissionStatus,
  PixTryStatus,
  type PixCollection,
  type PixPermission as Message,
} from '@cofre/proto/invoices/v1/pix'
import type { PixCharge } from '../rules/pix-charge'
import type { PixPermission } from '../rules/permission'

export function permissionMessage(permission: PixPermission): Message {
  const { copyAndPaste, code, endedBy, firstDay, amount, firstCycle, receiver: _receiver, ...of } = permission
  return {
    id: of.id,
    recurringInvoiceId: of.recurringInvoiceId,
    status: PixPermissionStatus[of.status],
    copyAndPaste: (of.status === 'CREATED' && copyAndPaste) || '',
    publicId: of.publicId,
    recId: of.recId ?? '',
    amount: amount ?? undefined,
    firstCycle,
    firstDate: startOf(firstDay),
    code: code ?? '',
    endedBy: endedBy ?? '',
    cancelling: of.cancelling,
    createdAt: of.createdAt,
    updatedAt: of.updatedAt,
  }
}

export function collectionMessage(charge: PixCharge): PixCollection {
  const { id, sellerId, invoiceId, status, txid, amount, dueDay, refusal, collection } = charge
  return {
    id,
    sellerId,
    invoiceId,
    status: PixCollectionStatus[statusOf(charge)],
    txid,
    recId: collection?.recId ?? '',
    amount,
    dueDate: startOf(dueDay ?? ''),
    code: refusal ?? collection?.code ?? '',
    tries: (collection?.tries ?? []).map((one) => ({
      date: startOf(one.day),
      status: PixTryStatus[one.status],
      code: one.code ?? '',
    })),
    isWithdrawn: status === 'CANCELLED' && statusOf(charge) === 'CANCELLED',
    createdAt: charge.createdAt,
  }
}

function statusOf({ status, collection }: PixCharge): keyof typeof PixCollectionStatus {
  if (status === 'REFUSED') return 'REFUSED'
  return collection?.status ?? 'PENDING'
}
