import { notFound } from '@cofre/platform/errors'
import {
  IssuePixResponse,
  PixCharge,
  PixCollection,
  PixCollectionStatus,
  PixRefund,
  PixRefundStatus,
  PixStatus,
  PixTryStatus,
  type GetPixCodeRequest,
  type GetPixCollectionRequest,
  type IssuePixRequest,
  type ListPixRefundsRequest,
  type ListPixRequest,
  type ReadPixRefundRequest,
  type ReadPixRequest,
  type RefundPixRequest,
  type TakePixNoticeRequest,
} from '@cofre/proto/invoices/v1/pix'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

const REFUND = {
  status: PixRefundStatus.SUCCEEDED,
  number: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
  createdAt: MADE_AT,
  updatedAt: MADE_AT,
}

/** The public id of the only charge that exists, the text behind its QR code, and the secret of the only account. */
export const PIX_PUBLIC_ID = '7gHz1Qm8Tn2bYw0c7Rk5Xg'
export const COPY_AND_PASTE =
  '00020101021226750014br.gov.bcb.pix2553pix.example.com/qr/v2/cobv/8b3da2f39a4140d1a91abd93b5204000053039865802BR5911Padaria Sol6009SAO PAULO62070503***6304A1B2'
export const PIX_TOKEN = 'n5Qw0c7Rk5Xg4fJz1Qm8Tn2bYw0c7Rk5Xg4fJz1Qm8T'

/** Pix charges in memory. An invoice gets one at the first request, with the status that the test chooses. */
export function createPix(marks: Marks) {
  const issued = new Map<number, PixCharge>()
  const told: TakePixNoticeRequest[] = []
  const next = { status: PixStatus.REGISTERED }
  const refunds: PixRefund[] = []
  const nextRefund: Partial<PixRefund> = {}
  const answers = {
    issuePix: async ({ sellerId, invoiceId }: IssuePixRequest) =>
      marks.once(sellerId, IssuePixResponse, () => {
        const former = issued.get(invoiceId)
        const pix = former ?? pixOf({ sellerId, invoiceId, status: next.status })
        issued.set(invoiceId, pix)
        return { pix, existing: former !== undefined }
      }),
    getPixCode: async ({ publicId }: GetPixCodeRequest) => {
      if (publicId !== PIX_PUBLIC_ID) throw notFound()
      return { copyAndPaste: COPY_AND_PASTE }
    },
    readPix: async ({ sellerId, invoiceId, pixId }: ReadPixRequest) => {
      const pix = issued.get(invoiceId)
      if (pix?.sellerId !== sellerId || pix.id !== pixId) throw notFound()
      return pix
    },
    listPix: async ({ sellerId, invoiceId }: ListPixRequest) => {
      const pix = issued.get(invoiceId)
      return { pix: pix?.sellerId === sellerId ? [pix] : [] }
    },
    refundPix: async ({ sellerId, invoiceId, amount = 12_345, reason, endToEndId }: RefundPixRequest) =>
      marks.once(sellerId, PixRefund, () => {
        const of = { sellerId, invoiceId, amount, reason, endToEndId }
        const refund = PixRefund.fromPartial({ ...REFUND, ...of, id: refunds.length + 1, ...nextRefund })
        refunds.push(refund)
        return refund
      }),
    readPixRefund: async ({ sellerId, invoiceId, refundId }: ReadPixRefundRequest) => {
      const refund = refunds.find(({ id }) => id === refundId)
      if (refund?.sellerId !== sellerId || refund.invoiceId !== invoiceId) throw notFound()
      return refund
    },
    listPixRefunds: async ({ sellerId, invoiceId }: ListPixRefundsRequest) => ({
      refunds: refunds.filter((each) => each.sellerId === sellerId && each.invoiceId === invoiceId),
    }),
    getPixCollection: async ({ sellerId, invoiceId }: GetPixCollectionRequest) => {
      if (!issued.has(invoiceId)) throw notFound()
      const tries = [{ date: MADE_AT, status: PixTryStatus.REJECTED, code: 'AM02' }]
      const status = PixCollectionStatus.ACTIVE
      const named = { id: 31, txid: REFUND.number, recId: 'RR9999901220270201k3j9d8f7a2b' }
      const of = { sellerId, invoiceId, status, amount: 12_345, dueDate: MADE_AT, tries, createdAt: MADE_AT }
      return PixCollection.fromPartial({ ...named, ...of })
    },
    takePixNotice: async (notice: TakePixNoticeRequest) => {
      if (notice.token !== PIX_TOKEN) throw notFound()
      told.push(notice)
      return {}
    },
  }
  return { answers, told, next, nextRefund }
}

export function pixOf(changes: Partial<PixCharge>): PixCharge {
  const isKnown = changes.status !== PixStatus.PENDING
  return PixCharge.fromPartial({
    id: 9,
    status: PixStatus.REGISTERED,
    txid: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
    copyAndPaste: isKnown ? COPY_AND_PASTE : '',
    amount: 12_345,
    expiresAt: MADE_AT,
    publicId: PIX_PUBLIC_ID,
    createdAt: MADE_AT,
    ...changes,
  })
}
