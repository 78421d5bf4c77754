import { notFound, type DomainError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { Invoice, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import {
  PaymentLink,
  PaymentLinksService,
  type BuyByLinkRequest,
} from '@cofre/proto/invoices/v1/payment_links'
import { standIn } from '../../stand-in'
import type { Marks } from '../marks'

/** Payment links in memory. `addInvoice` makes the page of a purchase, and returns its public id. */
export function createPaymentLinks(marks: Marks, addInvoice: (invoice: Partial<Invoice>) => string) {
  const links = new Map<string, PaymentLink>()
  const asked: BuyByLinkRequest[] = []
  const next: { refusal: DomainError | undefined } = { refusal: undefined }
  const find = (linkToken: string) => {
    const link = links.get(linkToken)
    if (!link) throw notFound()
    return link
  }
  const answers = {
    getPaymentLink: async ({ linkToken }: { linkToken: string }) => find(linkToken),
    buyByLink: async (request: BuyByLinkRequest) => {
      const { product } = find(request.linkToken)
      asked.push(request)
      if (next.refusal) throw next.refusal
      const sellerId = product?.sellerId ?? 0
      return marks.once(sellerId, Invoice, () => {
        const { name, document, email } = request
        const customer = { id: 1, name, document, email }
        const amount = product?.fields?.value ?? 0
        return Invoice.fromPartial({ id: 1, sellerId, publicId: addInvoice({ sellerId, customer, amount }) })
      })
    },
  }
  /** A mug that can be bought by card and Pix. Returns its token. */
  const add = (sellerId: number, change: Parameters<typeof PaymentLink.fromPartial>[0] = {}): string => {
    const linkToken = `link-of-mug-${String(links.size).padStart(10, '0')}`
    const fields = { name: 'Caneca', value: 4_990, description: 'Branca, 300 ml.' }
    links.set(
      linkToken,
      PaymentLink.fromPartial({
        product: { id: links.size + 1, sellerId, fields },
        methods: [PaymentMethod.CREDIT_CARD, PaymentMethod.PIX],
        cardPrices: [4_990, 4_990, 4_990],
        open: true,
        ...change,
      }),
    )
    return linkToken
  }
  const service = (log: Logger): ServedService => standIn(log, PaymentLinksService, answers)
  return { add, asked, next, service }
}
