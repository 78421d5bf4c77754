import { BoletoStatus, type Boleto as Message } from '@cofre/proto/invoices/v1/boletos'
import type { Boleto } from '../rules/boleto'
import { slipWarningsOf } from '../rules/slip-warnings'
import { startOf } from '@cofre/platform/calendar-day'

export function boletoMessage(boleto: Boleto): Message {
  const { id, sellerId, invoiceId, status, digitableLine, barcode, dueDay, amount, publicId, createdAt } =
    boleto
  return {
    id,
    sellerId,
    invoiceId,
    status: BoletoStatus[status],
    digitableLine: digitableLine ?? '',
    barcode: barcode ?? '',
    dueDate: startOf(dueDay),
    amount,
    publicId,
    createdAt,
    warnings: slipWarningsOf(boleto),
  }
}
