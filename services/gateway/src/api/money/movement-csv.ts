import { movementKind, writeOffReason } from '@cofre/api/methods/movement'
import { movementMethod } from '@cofre/api/methods/payment-methods'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind, WriteOffReason, type Movement } from '@cofre/proto/invoices/v1/money'
import { day, documentCell, reais, textCell, type Columns } from '../csv/csv'

const GONE: ReadonlySet<MovementKind> = new Set([
  MovementKind.REFUND,
  MovementKind.RETURN,
  MovementKind.DISPUTE,
])

/** Money that went, as a negative amount. */
function signed(amount: number, { kind }: Movement): number {
  return GONE.has(kind) ? -amount : amount
}

/** Money that moved: a write-off moved none. */
function moved(amount: number, movement: Movement): number {
  return movement.kind === MovementKind.WRITE_OFF ? 0 : signed(amount, movement)
}

/** The columns of a file of movements: one row a movement. */
export const MOVEMENT_COLUMNS: Columns<Movement> = [
  ['id', ({ id }) => String(id)],
  ['date', ({ at }) => day(at)],
  ['recordedDate', ({ recordedAt }) => day(recordedAt)],
  ['kind', ({ kind }) => movementKind.nameOf(kind)],
  ['method', ({ method }) => (method === MovementMethod.UNSPECIFIED ? '' : movementMethod.nameOf(method))],
  ['invoiceId', ({ invoiceId }) => String(invoiceId ?? '')],
  ['invoiceNumber', ({ invoiceNumber }) => textCell(invoiceNumber)],
  ['customerName', ({ customerName }) => textCell(customerName)],
  ['customerDocument', ({ customerDocument }) => documentCell(customerDocument)],
  ['chargeId', ({ chargeId }) => String(chargeId ?? '')],
  ['receiptId', ({ receiptId }) => String(receiptId ?? '')],
  ['disputeId', ({ disputeId }) => String(disputeId ?? '')],
  ['nsu', ({ card }) => textCell(card?.nsu ?? '')],
  ['tid', ({ card }) => textCell(card?.tid ?? '')],
  ['authorizationCode', ({ card }) => textCell(card?.authorizationCode ?? '')],
  ['installments', ({ card }) => String(card?.installments ?? '')],
  ['gross', (movement, dialect) => reais(moved(movement.amount, movement), dialect)],
  ['principal', (movement, dialect) => reais(signed(movement.principal, movement), dialect)],
  ['fine', (movement, dialect) => reais(signed(movement.fine, movement), dialect)],
  ['interest', (movement, dialect) => reais(signed(movement.interest, movement), dialect)],
  ['fee', (movement, dialect) => reais(signed(movement.fee, movement), dialect)],
  ['net', (movement, dialect) => reais(moved(movement.amount - movement.fee, movement), dialect)],
  ['reason', ({ reason }) => (reason === WriteOffReason.UNSPECIFIED ? '' : writeOffReason.nameOf(reason))],
  ['reference', ({ reference }) => textCell(reference)],
  ['note', ({ note }) => textCell(note)],
  ['endToEndId', ({ pix }) => textCell(pix?.endToEndId ?? '')],
  ['txid', ({ pix }) => textCell(pix?.txid ?? '')],
  ['payerName', ({ pix }) => textCell(pix?.payerName ?? '')],
  ['ourNumber', ({ boleto }) => textCell(boleto?.ourNumber ?? '')],
  ['bankReceiptId', ({ boleto, pix }) => textCell(boleto?.bankReceiptId ?? pix?.endToEndId ?? '')],
]
