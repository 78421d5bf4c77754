import type { GetPaymentPageRequest, PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { now } from '../../clock/billing-clock'
import { boletoMessage } from '../../boleto-store/boleto-message'
import { findLatestBoleto } from '../../boleto-store/boleto-store'
import type { Deps } from '../../deps'
import { toMessage } from '../../invoice-store/invoice-message'
import { readPublicInvoice } from '../../invoice-store/invoice-store'
import { cardPriceOf } from '../../payments/card-price'
import { cardTermsOf, INSTALLMENTS_MAX } from '../../payments/payment-terms'
import { toMessage as themeMessage } from '../../theme/theme-message'
import { findTheme } from '../../theme/theme-store'

export async function getPaymentPage(
  { pool, rules }: Deps,
  { publicId }: GetPaymentPageRequest,
): Promise<PaymentPage> {
  const invoice = await readPublicInvoice(pool, publicId)
  const [theme, boleto] = [await findTheme(pool, invoice.sellerId), await findLatestBoleto(pool, invoice.id)]
  const at = now()
  const most = cardTermsOf(invoice).maxInstallments ?? INSTALLMENTS_MAX
  return {
    cardPrices: Array.from({ length: most }, (_, n) => cardPriceOf(rules, invoice, n + 1, at).amount),
    invoice: toMessage(invoice, at),
    theme: theme && themeMessage(theme),
    boleto: boleto && boletoMessage(boleto),
  }
}
