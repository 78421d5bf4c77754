import { notFound } from '@cofre/platform/errors'
import { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { Invoice, InvoiceStatus, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingSettings,
  Lateness,
  Movement,
  MovementKind,
  WriteOffReason,
  type ListMovementsRequest,
  type MoneyServer,
  type ReplaceBillingSettingsRequest,
} from '@cofre/proto/invoices/v1/money'
import type { Marks } from '../marks'
import { RECEIPT } from './boletos'

const MADE_AT = 1_767_225_600_000

/** A payment by card of a payer who bore a fee, a return, a write-off, and a dispute that was won. */
const MOVEMENTS = [
  Movement.fromPartial({
    id: 31,
    invoiceId: 77,
    kind: MovementKind.PAYMENT,
    method: MovementMethod.CREDIT_CARD,
    amount: 10_500,
    principal: 10_000,
    fine: 200,
    interest: 3,
    fee: 297,
    at: MADE_AT,
    recordedAt: MADE_AT,
    chargeId: 981,
    card: { nsu: '674532', tid: '0305020554239', authorizationCode: '012345', installments: 3 },
    invoiceNumber: '=1+1',
    customerName: 'Ana; Bia',
    customerDocument: '01234567890',
  }),
  Movement.fromPartial({
    id: 32,
    kind: MovementKind.RETURN,
    method: MovementMethod.BOLETO,
    amount: 20,
    principal: 20,
    at: MADE_AT,
    recordedAt: MADE_AT,
    receiptId: 12,
    boleto: { ourNumber: RECEIPT.ourNumber, bankReceiptId: RECEIPT.bankReceiptId },
    reference: 'TED 1',
  }),
  Movement.fromPartial({
    id: 33,
    invoiceId: 77,
    kind: MovementKind.WRITE_OFF,
    amount: 1,
    interest: 1,
    at: MADE_AT,
    recordedAt: MADE_AT,
    reason: WriteOffReason.BY_SELLER,
    note: 'Acordo.',
  }),
  ...[MovementKind.DISPUTE, MovementKind.DISPUTE_WON].map((kind, nth) =>
    Movement.fromPartial({
      id: 34 + nth,
      invoiceId: 77,
      kind,
      method: MovementMethod.CREDIT_CARD,
      amount: 30,
      principal: 30,
      at: MADE_AT,
      recordedAt: MADE_AT,
      chargeId: 981,
      disputeId: 5,
    }),
  ),
  Movement.fromPartial({
    id: 36,
    invoiceId: 77,
    kind: MovementKind.PAYMENT,
    method: MovementMethod.PIX,
    amount: 40,
    principal: 40,
    at: MADE_AT,
    recordedAt: MADE_AT,
    receiptId: 12,
    pix: { endToEndId: 'E9999900820260709121500f3a91c07b', txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' },
  }),
]

type Answered = Omit<Record<keyof MoneyServer, unknown>, number>

/** Canned answers about money, in the contract's types. `asked`: each request, by the name of its RPC. */
export function createMoney(marks: Marks) {
  const asked: { rpc: keyof Answered; request: unknown }[] = []
  const list = async (request: ListMovementsRequest) => {
    asked.push({ rpc: 'listMovements', request })
    const { endToEndId, txid, receiptId, ourNumber, bankReceiptId } = request
    const movements = MOVEMENTS.filter(
      ({ pix, boleto, ...movement }) =>
        (receiptId === undefined || movement.receiptId === receiptId) &&
        (ourNumber === undefined || boleto?.ourNumber === ourNumber) &&
        (bankReceiptId === undefined || boleto?.bankReceiptId === bankReceiptId) &&
        (endToEndId === undefined || pix?.endToEndId === endToEndId) &&
        (txid === undefined || pix?.txid === txid),
    )
    return { movements, total: movements.length, totalIsLowerBound: false, more: false }
  }
  const receipt = (rpc: keyof Answered) => async (request: { sellerId: number; receiptId: number }) =>
    marks.once(request.sellerId, UnexpectedReceipt, () => {
      if (request.receiptId !== RECEIPT.id) throw notFound()
      asked.push({ rpc, request })
      return { ...RECEIPT, sellerId: request.sellerId }
    })
  const invoice = (rpc: keyof Answered) => async (request: { sellerId: number; invoiceId: number }) =>
    marks.once(request.sellerId, Invoice, () => {
      asked.push({ rpc, request })
      return Invoice.fromPartial({
        id: request.invoiceId,
        customer: {},
        status: InvoiceStatus.PAID,
      })
    })
  const answers = {
    listMovements: list,
    exportMovements: list,
    getReceipt: async ({ receiptId }: { receiptId: number }) => {
      if (receiptId !== RECEIPT.id) throw notFound()
      return RECEIPT
    },
    applyReceipt: receipt('applyReceipt'),
    returnReceipt: receipt('returnReceipt'),
    recordPayment: invoice('recordPayment'),
    recordReturn: invoice('recordReturn'),
    writeOff: invoice('writeOff'),
    getBillingSettings: async () => ({
      lateness: Lateness.WAIVE,
      holidays: [],
      cardFees: [],
      pixReceiver: undefined,
      contact: undefined,
    }),
    replaceBillingSettings: async ({ sellerId, settings }: ReplaceBillingSettingsRequest) =>
      marks.once(
        sellerId,
        BillingSettings,
        () =>
          settings ?? {
            lateness: Lateness.UNSPECIFIED,
            holidays: [],
            cardFees: [],
            pixReceiver: undefined,
            contact: undefined,
          },
      ),
  }
  return { answers, asked }
}
