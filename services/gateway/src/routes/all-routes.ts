import type { Route } from '../http/route'
import { cardRoutes } from './cards'
import { chargeRoutes } from './charges'
import { boletoRoutes } from './invoices/boletos'
import { unexpectedReceiptRoutes } from './invoices/unexpected-receipts'
import { customerRoutes } from './invoices/customers'
import { deliveryRoutes } from './webhooks/deliveries'
import { documentRoutes } from './document'
import { endpointRoutes } from './webhooks/endpoints'
import { historyRoutes } from './history'
import { networkTokenRoutes } from './network-tokens'
import { orderRoutes } from './orders'
import { invoiceChargeRoutes } from './invoices/invoice-charges'
import { invoiceEmailRoutes } from './invoices/invoice-email'
import { invoiceExportRoutes } from './invoices/invoice-export'
import { threeDSecureRoutes } from './invoices/three-d-secure'
import { invoicePaymentRoutes } from './invoices/invoice-payments'
import { invoiceRoutes } from './invoices/invoices'
import { themeRoutes } from './invoices/themes'
import { productRoutes } from './invoices/products'
import { billingClockRoutes } from './recurring/billing-clock'
import { bookletRoutes } from './recurring/booklets'
import { cycleRoutes } from './recurring/cycles'
import { recurringRoutes } from './recurring/recurring-invoices'
import { requestRoutes } from './requests'
import { serviceRoutes } from './service'
import { voucherPaymentRoutes } from './vouchers/voucher-payments'
import { voucherRedirectRoutes } from './vouchers/voucher-redirect'
import { voucherRoutes } from './vouchers/vouchers'
import { webhookRoutes } from './webhooks/webhooks'
import { listenerRoutes } from './webhooks/listeners'
import { testEventRoutes } from './webhooks/test-events'

// Network tokens stand before cards and themes before invoices: the `{id}` paths of the latter would match their paths.
const apiRoutes = [
  ...networkTokenRoutes,
  ...cardRoutes,
  ...orderRoutes,
  ...chargeRoutes,
  ...voucherRoutes,
  ...voucherRedirectRoutes,
  ...voucherPaymentRoutes,
  ...customerRoutes,
  ...productRoutes,
  ...themeRoutes,
  ...invoiceExportRoutes,
  ...invoiceEmailRoutes,
  ...unexpectedReceiptRoutes,
  ...boletoRoutes,
  ...invoiceRoutes,
  ...invoiceChargeRoutes,
  ...invoicePaymentRoutes,
  ...threeDSecureRoutes,
  ...recurringRoutes,
  ...cycleRoutes,
  ...bookletRoutes,
  ...billingClockRoutes,
  ...webhookRoutes,
  ...endpointRoutes,
  ...testEventRoutes,
  ...listenerRoutes,
  ...deliveryRoutes,
]

/** Every route of the HTTP API. */
export const routes: readonly Route[] = [
  ...apiRoutes,
  ...requestRoutes(apiRoutes),
  ...historyRoutes,
  ...serviceRoutes,
  ...documentRoutes(() => routes),
]
