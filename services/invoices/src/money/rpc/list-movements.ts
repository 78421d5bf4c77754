import {
  MovementKind,
  WriteOffReason,
  type ListMovementsRequest,
  type ListMovementsResponse,
  type Movement as Message,
} from '@cofre/proto/invoices/v1/money'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import type { MovementKind as MovementName, MovementMethod as Method } from '../../invoice/rules/movement'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { checkPage, fault, throwFaults } from '../../request-check'
import {
  exportMovements as exportFound,
  listMovements as list,
  type MovementFilter,
  type ShownMovement,
} from '../movement-store'

const EXPORTED_MAX = 1_000

/** Neither compiles when a name is missing. */
const EACH_KIND: Record<MovementName, true> = {
  PAYMENT: true,
  REFUND: true,
  RETURN: true,
  WRITE_OFF: true,
  DISPUTE: true,
  DISPUTE_WON: true,
}
const KINDS = Object.keys(EACH_KIND) as MovementName[]
const EACH_METHOD: Record<Method, true> = { CREDIT_CARD: true, BOLETO: true, PIX: true, EXTERNAL: true }
const METHODS = Object.keys(EACH_METHOD) as Method[]

export async function listMovements(
  { pool }: Deps,
  { page, size, after, place, ...request }: ListMovementsRequest,
): Promise<ListMovementsResponse> {
  checkPage({ page, size })
  const { sellerId, invoiceId: id } = request
  if (id !== undefined && request.invoiceMustExist) await readInvoice(pool, { sellerId, id })
  const { entries, ...end } = await list(pool, filterOf(request), { page, size, after, place })
  return { movements: entries.map(movementMessage), ...end }
}

export async function exportMovements(
  { pool }: Deps,
  { size, after, place, ...request }: ListMovementsRequest,
): Promise<ListMovementsResponse> {
  if (size < 1 || size > EXPORTED_MAX) {
    throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${EXPORTED_MAX}`)])
  }
  const { entries, ...end } = await exportFound(pool, filterOf(request), { size, after, place })
  return { movements: entries.map(movementMessage), ...end, total: 0, totalIsLowerBound: false }
}

type Asked = Omit<ListMovementsRequest, 'page' | 'size' | 'after' | 'place'>

function filterOf({ kind, method, ...asked }: Asked): MovementFilter {
  return {
    ...asked,
    kind: KINDS.find((name) => MovementKind[name] === kind),
    method: METHODS.find((name) => MovementMethod[name] === method),
  }
}

function movementMessage({ kind, method, reason, card, pix, boleto, ...movement }: ShownMovement): Message {
  return {
    ...movement,
    invoiceId: movement.invoiceId ?? undefined,
    kind: MovementKind[kind],
    method: method ? MovementMethod[method] : MovementMethod.UNSPECIFIED,
    chargeId: movement.chargeId ?? undefined,
    receiptId: movement.receiptId ?? undefined,
    disputeId: movement.disputeId ?? undefined,
    card: card ?? undefined,
    pix: pix ?? undefined,
    boleto: boleto ?? undefined,
    reason: reason ? WriteOffReason[reason] : WriteOffReason.UNSPECIFIED,
    note: movement.note ?? '',
    reference: movement.reference ?? '',
    invoiceNumber: movement.invoiceNumber ?? '',
    customerName: movement.customerName ?? '',
    customerDocument: movement.customerDocument ?? '',
  }
}
