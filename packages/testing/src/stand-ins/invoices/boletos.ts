import { DomainError, notFound } from '@cofre/platform/errors'
import {
  Boleto,
  BoletoStatus,
  IssueBoletoResponse,
  UnexpectedReason,
  UnexpectedReceipt,
  type GetBoletoRequest,
  type IssueBoletoRequest,
  type ListBoletosRequest,
  type ListUnexpectedReceiptsRequest,
  type ReadBoletoRequest,
  type ResolveUnexpectedReceiptRequest,
  type TakeBankNoticeRequest,
} from '@cofre/proto/invoices/v1/boletos'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

/** The public id of the only boleto that exists. */
export const PUBLIC_ID = '4fJz1Qm8Tn2bYw0c7Rk5Xg'

export const RECEIPT = UnexpectedReceipt.fromPartial({
  id: 12,
  reason: UnexpectedReason.OVERPAID,
  receivedAmount: 10_020,
  unexpectedAmount: 20,
  openAmount: 20,
  invoiceId: 77,
  boletoId: 4,
  ourNumber: '12345670000000004',
  bankReceiptId: 'LIQ-1',
  paidAt: MADE_AT,
  createdAt: MADE_AT,
})

/** Boletos in memory. An invoice gets one at the first request, with the status that the test chooses. */
export function createBoletos(marks: Marks) {
  const issued = new Map<number, Boleto>()
  const told: TakeBankNoticeRequest[] = []
  const next = { status: BoletoStatus.REGISTERED, isListening: true, refused: 0, unsigned: 0 }
  const answers = {
    issueBoleto: async ({ sellerId, invoiceId }: IssueBoletoRequest) =>
      marks.once(sellerId, IssueBoletoResponse, () => {
        const former = issued.get(invoiceId)
        const boleto = former ?? boletoOf({ sellerId, invoiceId, status: next.status })
        issued.set(invoiceId, boleto)
        return { boleto, existing: former !== undefined }
      }),
    getBoleto: async ({ publicId }: GetBoletoRequest) => {
      if (publicId !== PUBLIC_ID) throw notFound()
      return boletoOf({})
    },
    readBoleto: async ({ sellerId, invoiceId, boletoId }: ReadBoletoRequest) => {
      const boleto = issued.get(invoiceId)
      if (boleto?.sellerId !== sellerId || boleto.id !== boletoId) throw notFound()
      return boleto
    },
    listBoletos: async ({ sellerId, invoiceId }: ListBoletosRequest) => {
      const boleto = issued.get(invoiceId)
      return { boletos: boleto?.sellerId === sellerId ? [boleto] : [] }
    },
    drawBoleto: async ({ publicId }: GetBoletoRequest) => {
      if (publicId !== PUBLIC_ID) throw notFound()
      return { pdf: Buffer.from('%PDF-1.3') }
    },
    takeBankNotice: async (notice: TakeBankNoticeRequest) => {
      if (!next.isListening) {
        next.refused += 1
        throw notFound()
      }
      const isSigned = notice.headers['webhook-signature'] !== undefined
      if (isSigned) told.push(notice)
      else next.unsigned += 1
      if (isSigned && notice.headers['webhook-id'] !== 'evt_forged') return {}
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not the bank’s.')
    },
    listUnexpectedReceipts: async ({ sellerId, ...asked }: ListUnexpectedReceiptsRequest) => {
      const names = ['invoiceId', 'ourNumber', 'bankReceiptId'] as const
      const isAsked = names.every((name) => asked[name] === undefined || asked[name] === RECEIPT[name])
      const receipts = isAsked && asked.resolved !== true ? [{ ...RECEIPT, sellerId }] : []
      return { receipts, total: receipts.length, totalIsLowerBound: false, more: false }
    },
    resolveUnexpectedReceipt: async ({ sellerId, receiptId, note }: ResolveUnexpectedReceiptRequest) => {
      if (receiptId !== RECEIPT.id) throw notFound()
      return { ...RECEIPT, sellerId, resolvedAt: MADE_AT, resolution: note }
    },
  }
  /** Has the bank register the boleto of an invoice. */
  const register = (invoiceId: number) => {
    const { sellerId } = issued.get(invoiceId) ?? {}
    issued.set(invoiceId, boletoOf({ sellerId, invoiceId }))
  }
  return { answers, told, next, issued, register }
}

function boletoOf(changes: Partial<Boleto>): Boleto {
  const isKnown = changes.status !== BoletoStatus.PENDING
  return Boleto.fromPartial({
    id: 4,
    status: BoletoStatus.REGISTERED,
    digitableLine: isKnown ? '00190000090123456700400000042176215030000012345' : '',
    barcode: isKnown ? '00192150300000123450000001234567000000004217' : '',
    dueDate: MADE_AT,
    amount: 12_345,
    publicId: PUBLIC_ID,
    createdAt: MADE_AT,
    ...changes,
  })
}
