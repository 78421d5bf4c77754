import { dayOf, endOf } from '@cofre/platform/calendar-day'
import { InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import type { Request, Response } from 'express'
import { CHECKOUT_ASSETS } from '../../payers/checkout/checkout'
import { createSampleShow, VIEWS_DIR } from '../../payers/checkout/show-page'
import { logosOf } from '../../payers/logos/show-logo'
import { readAssets } from '../../pages/assets'
import type { Portal } from '../portal-context'

const WEEK_MS = 7 * 86_400_000

/** Shows the payment page in a frame: of an invoice that does not exist, in given colors; or of one as it is. */
export function createSample({ baseUrl }: Pick<Portal, 'baseUrl'>) {
  const pathOf = (path: string) => new URL(`${baseUrl}${path}`).pathname
  const assets = readAssets(VIEWS_DIR, CHECKOUT_ASSETS)
  const showSample = createSampleShow({
    root: pathOf('/checkout'),
    boletos: pathOf('/boletos'),
    logos: logosOf(baseUrl),
    assets,
  })
  return {
    showTheme: (req: Request, res: Response, fields: ThemeFields, sellerName: string) =>
      showSample(req, res, samplePage(fields), sellerName, ''),
    showPage: (
      req: Request,
      res: Response,
      page: PaymentPage,
      { sellerName, publicId }: { sellerName: string; publicId: string },
    ) => showSample(req, res, page, sellerName, pathOf(`/checkout/${publicId}`)),
  }
}

function samplePage(fields: ThemeFields): PaymentPage {
  const item = { id: 1, productId: 1, description: 'Plano Mensal', quantity: 1, unitPriceInCents: 12_900 }
  return PaymentPage.fromPartial({
    invoice: {
      id: 1,
      invoiceNumber: '000042',
      status: InvoiceStatus.CLOSED,
      dueDate: endOf(dayOf(Date.now() + WEEK_MS)),
      amount: 12_900,
      payableAmount: 12_900,
      balanceAmount: 12_900,
      customer: { id: 1, name: 'Maria da Silva' },
      items: [{ ...item, totalInCents: 12_900 }],
      acceptedMethods: [PaymentMethod.CREDIT_CARD, PaymentMethod.PIX, PaymentMethod.BOLETO].map((method) => ({
        method,
      })),
    },
    theme: { fields },
    cardPrices: [12_900],
  })
}
