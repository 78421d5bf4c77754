import type { GetPaymentPageRequest, PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { boletoMessage } from '../../boleto-store/boleto-message'
import { findLatestBoleto } from '../../boleto-store/boleto-store'
import type { Deps } from '../../deps'
import { toMessage } from '../../invoice-store/invoice-message'
import { readPublicInvoice } from '../../invoice-store/invoice-store'
import { toMessage as themeMessage } from '../../theme/theme-message'
import { findTheme } from '../../theme/theme-store'

export async function getPaymentPage(
  { pool }: Deps,
  { publicId }: GetPaymentPageRequest,
): Promise<PaymentPage> {
  const invoice = await readPublicInvoice(pool, publicId)
  const [theme, boleto] = [await findTheme(pool, invoice.sellerId), await findLatestBoleto(pool, invoice.id)]
  return {
    invoice: toMessage(invoice, Date.now()),
    theme: theme && themeMessage(theme),
    boleto: boleto && boletoMessage(boleto),
  }
}
