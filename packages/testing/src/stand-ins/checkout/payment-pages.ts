import { dayOf } from '@cofre/platform/calendar-day'
import { randomBytes } from 'node:crypto'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { Boleto, BoletosService, BoletoStatus, IssueBoletoResponse } from '@cofre/proto/invoices/v1/boletos'
import {
  InvoiceCharge,
  InvoiceStatus,
  InvoiceTransaction,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { PaymentPage, PaymentPagesService, type GetPaymentPageRequest } from '@cofre/proto/invoices/v1/pages'
import { PaymentsService, type PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import {
  ChallengeRefusal,
  ChallengeStatus,
  StartAuthenticationResponse,
  ThreeDSecureService,
  type StartAuthenticationRequest,
} from '@cofre/proto/invoices/v1/three_d_secure'
import { Decline, DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { standIn } from '../../stand-in'
import { createMarks } from '../marks'
import { createPaymentLinks } from './payment-links'

const MADE_AT = 1_767_225_600_000
export const BOLETO_LINE = '00190500954014481606906809350314337370000000100'

/** The outcome for the next cards. Here their last digit says nothing. */
type Outcome = 'PAID' | 'DECLINED' | 'NO_ANSWER' | DomainError

const ISSUERS_PAGE = 'https://acs.example.com/challenges/7'

type Next = {
  outcome: Outcome
  advice: DeclineAdvice
  wait: Promise<void>
  /** Of boletos. */
  refusal: DomainError | undefined
  /** Of a payer who is back. */
  challenge: ChallengeStatus
  challengeRefusal: ChallengeRefusal
}

const usualOutcomes = (): Next => ({
  outcome: 'PAID',
  advice: DeclineAdvice.USE_ANOTHER_CARD,
  wait: Promise.resolve(),
  refusal: undefined,
  challenge: ChallengeStatus.CHARGED,
  challengeRefusal: ChallengeRefusal.UNSPECIFIED,
})

/** The pages of invoices and their payments, in memory. */
export function createPaymentPages() {
  const kept = keepPages()
  const { pages, change, pageOf } = kept
  const marks = createMarks()
  const asked: PayByCardRequest[] = []
  const next = usualOutcomes()
  const links = createPaymentLinks(marks, kept.add)
  const payByCard = async (request: PayByCardRequest) => {
    asked.push(request)
    await next.wait
    const { outcome, advice } = next
    if (outcome instanceof DomainError) throw outcome
    return marks.once(request.sellerId, InvoiceCharge, () => {
      const [publicId, { invoice }] = pageOf(request.invoiceId)
      const tried = transaction(outcome, invoice?.payableAmount ?? 0, advice)
      const transactions = [...(invoice?.charge?.transactions ?? []), tried]
      const charge = InvoiceCharge.fromPartial({ id: 1, transactions })
      const paid = { status: InvoiceStatus.PAID, paidAmount: tried.amount, paymentDate: MADE_AT }
      change(publicId, { charge, ...(outcome === 'PAID' ? paid : {}) })
      return charge
    })
  }
  const issueBoleto = async (request: { sellerId: number; invoiceId: number }) => {
    if (next.refusal) throw next.refusal
    return marks.once(request.sellerId, IssueBoletoResponse, () => {
      const [publicId, { invoice, boleto: former }] = pageOf(request.invoiceId)
      const boleto = former ?? boletoOf(invoice?.payableAmount ?? 0)
      change(publicId, {}, boleto)
      return { boleto, existing: former !== undefined }
    })
  }
  const getPaymentPage = async ({ publicId }: GetPaymentPageRequest) => {
    const page = pages.get(publicId)
    if (!page) throw notFound()
    const { paymentLimitDate: limit, acceptedMethods = [], payableAmount = 0 } = page.invoice ?? {}
    const windowClosed = limit !== undefined && dayOf(Date.now()) > dayOf(limit)
    if (page.cardPrices.length > 0) return { ...page, windowClosed }
    const card = acceptedMethods.find(({ method }) => method === PaymentMethod.CREDIT_CARD)?.cardSettings
    const length = card?.maxInstallments ?? 12
    return { ...page, windowClosed, cardPrices: Array.from({ length }, () => payableAmount) }
  }
  /** Challenges every payer. */
  const startAuthentication = async ({ payment }: StartAuthenticationRequest) => {
    const { sellerId = 0, invoiceId = 0 } = payment ?? {}
    return marks.once(sellerId, StartAuthenticationResponse, () => ({
      challenge: { invoiceId, url: ISSUERS_PAGE, expiresAt: MADE_AT },
      charge: undefined,
    }))
  }
  const finishAuthentication = async () => ({ status: next.challenge, refusal: next.challengeRefusal })
  const services = (log: Logger): ServedService[] => [
    standIn(log, PaymentPagesService, { getPaymentPage, removeKeptCards: kept.removeKeptCards }),
    standIn(log, PaymentsService, { payByCard }),
    standIn(log, BoletosService, { issueBoleto }),
    standIn(log, ThreeDSecureService, { startAuthentication, finishAuthentication }),
    links.service(log),
    marks.service(log),
  ]
  return { services, links, add: kept.add, change, reprice: kept.reprice, invoice: kept.invoice, asked, next }
}

function keepPages() {
  const pages = new Map<string, PaymentPage>()
  const add = (invoice: Partial<Invoice> = {}, rest: Partial<PaymentPage> = {}) => {
    const publicId = randomBytes(16).toString('base64url')
    const id = pages.size + 1
    pages.set(
      publicId,
      PaymentPage.fromPartial({ ...rest, invoice: { ...SAMPLE, id, publicId, ...invoice } }),
    )
    return publicId
  }
  const change = (publicId: string, invoice: Partial<Invoice>, boleto?: Boleto) => {
    const page = pages.get(publicId)
    if (!page?.invoice) throw notFound()
    pages.set(publicId, { ...page, invoice: { ...page.invoice, ...invoice }, boleto: boleto ?? page.boleto })
  }
  const reprice = (publicId: string, cardPrices: number[]) => {
    const page = pages.get(publicId)
    if (!page) throw notFound()
    pages.set(publicId, { ...page, cardPrices })
  }
  const pageOf = (invoiceId: number) => {
    const found = [...pages].find(([, { invoice }]) => invoice?.id === invoiceId)
    if (!found) throw notFound()
    return found
  }
  const removeKeptCards = async ({ publicId }: GetPaymentPageRequest) => {
    const page = pages.get(publicId)
    if (!page) throw notFound()
    pages.set(publicId, { ...page, hasKeptCard: false, keptCards: [] })
    return {}
  }
  const invoice = (publicId: string) => pages.get(publicId)?.invoice
  return { pages, removeKeptCards, add, change, reprice, pageOf, invoice }
}

export function boletoOf(amount: number, status = BoletoStatus.REGISTERED): Boleto {
  const barcode = '00193373700000001000500940144816060680935031'
  const publicId = 'q3JmP0sZ1yXw8VbT'
  const fields = { id: 4, status, digitableLine: BOLETO_LINE, barcode, amount, publicId, dueDate: MADE_AT }
  return Boleto.fromPartial(fields)
}

function transaction(outcome: string, amount: number, advice: DeclineAdvice): InvoiceTransaction {
  const { SUCCEEDED, FAILED, PENDING } = InvoiceTransactionStatus
  const status = outcome === 'PAID' ? SUCCEEDED : outcome === 'DECLINED' ? FAILED : PENDING
  return InvoiceTransaction.fromPartial({
    id: 1,
    type: PaymentMethod.CREDIT_CARD,
    status,
    amount,
    ...(status === FAILED ? { decline: Decline.fromPartial({ code: 'DO_NOT_HONOR', advice }) } : {}),
  })
}

const SAMPLE = {
  sellerId: 1,
  status: InvoiceStatus.CLOSED,
  invoiceNumber: '000042',
  customer: { id: 5, name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
  dueDate: MADE_AT,
  amount: 10_000,
  payableAmount: 10_000,
  acceptedMethods: [
    {
      method: PaymentMethod.CREDIT_CARD,
      cardSettings: { maxInstallments: 3, feePassThrough: false, threeDSecure: false },
      boletoSettings: undefined,
    },
    {
      method: PaymentMethod.BOLETO,
      cardSettings: undefined,
      boletoSettings: { daysAfterDueDate: undefined, instructions: [] },
    },
  ],
  items: [
    {
      id: 1,
      productId: 1,
      description: 'Caneca de cerâmica',
      quantity: 2,
      unitPriceInCents: 4_000,
      totalInCents: 8_000,
    },
    { id: 2, productId: 2, description: 'Frete', quantity: 1, unitPriceInCents: 2_000, totalInCents: 2_000 },
  ],
}
