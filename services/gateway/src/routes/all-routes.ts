import type { Route } from '../http/route'
import { cardRoutes } from './cards'
import { chargeRoutes } from './charges'
import { customerRoutes } from './invoices/customers'
import { deliveryRoutes } from './deliveries'
import { documentRoutes } from './document'
import { endpointRoutes } from './endpoints'
import { historyRoutes } from './history'
import { networkTokenRoutes } from './network-tokens'
import { orderRoutes } from './orders'
import { invoiceChargeRoutes } from './invoices/invoice-charges'
import { invoiceRoutes } from './invoices/invoices'
import { productRoutes } from './invoices/products'
import { requestRoutes } from './requests'
import { serviceRoutes } from './service'
import { voucherPaymentRoutes } from './voucher-payments'
import { voucherRedirectRoutes } from './voucher-redirect'
import { voucherRoutes } from './vouchers'
import { webhookRoutes } from './webhooks'

// Network tokens first: a card token's path would take theirs.
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
  ...invoiceRoutes,
  ...invoiceChargeRoutes,
  ...webhookRoutes,
  ...endpointRoutes,
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
