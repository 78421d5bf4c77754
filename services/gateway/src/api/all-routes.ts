import type { Route } from '../http/route'
import { cardRoutes } from './cards'
import { chargeRoutes } from './charges'
import { disputeRoutes } from './disputes/disputes'
import { boletoRoutes } from './invoices/boletos'
import { pixRoutes } from './invoices/pix'
import { billingSettingsRoutes } from './money/billing-settings'
import { invoiceMoneyRoutes } from './money/invoice-money'
import { invoiceRefundRoutes } from './money/invoice-refunds'
import { recipientEntryRoutes } from './money/recipient-entries'
import { movementRoutes } from './money/movements'
import { unexpectedReceiptRoutes } from './money/unexpected-receipts'
import { customerCardRoutes } from './invoices/customer-cards'
import { customerRoutes } from './invoices/customers'
import { deliveryRoutes } from './webhooks/deliveries'
import { eventRoutes } from './webhooks/events'
import { documentRoutes } from './document'
import { endpointRoutes } from './webhooks/endpoints'
import { historyRoutes } from './history'
import { networkTokenRoutes } from './network-tokens'
import { orderRoutes } from './orders'
import { pixOrderRoutes } from './pix-orders'
import { invoiceChargeRoutes } from './invoices/invoice-charges'
import { invoiceEmailRoutes } from './invoices/invoice-email'
import { invoiceExportRoutes } from './invoices/invoice-export'
import { threeDSecureRoutes } from './invoices/three-d-secure'
import { retryChargeRoutes } from './invoices/retry-charge'
import { invoicePaymentRoutes } from './invoices/invoice-payments'
import { invoiceRoutes } from './invoices/invoices'
import { themeRoutes } from './invoices/themes'
import { recipientRoutes } from './invoices/recipients'
import { productRoutes } from './invoices/products'
import { billingClockRoutes } from './recurring/billing-clock'
import { bookletRoutes } from './recurring/booklets'
import { changeRecurringRoutes } from './recurring/change-recurring'
import { cycleRoutes } from './recurring/cycles'
import { pixPermissionRoutes } from './recurring/pix-permissions'
import { recurringRoutes } from './recurring/recurring-invoices'
import { requestRoutes } from './requests'
import { serviceRoutes } from './service'
import { agingRoutes } from './reports/aging'
import { reportRoutes } from './reports/reports'
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
  ...pixOrderRoutes,
  ...chargeRoutes,
  ...disputeRoutes,
  ...voucherRoutes,
  ...voucherRedirectRoutes,
  ...voucherPaymentRoutes,
  ...customerRoutes,
  ...customerCardRoutes,
  ...productRoutes,
  ...recipientRoutes,
  ...recipientEntryRoutes,
  ...themeRoutes,
  ...invoiceExportRoutes,
  ...invoiceEmailRoutes,
  ...unexpectedReceiptRoutes,
  ...billingSettingsRoutes,
  ...movementRoutes,
  ...invoiceMoneyRoutes,
  ...invoiceRefundRoutes,
  ...boletoRoutes,
  ...pixRoutes,
  ...invoiceRoutes,
  ...invoiceChargeRoutes,
  ...invoicePaymentRoutes,
  ...threeDSecureRoutes,
  ...recurringRoutes,
  ...pixPermissionRoutes,
  ...changeRecurringRoutes,
  ...retryChargeRoutes,
  ...cycleRoutes,
  ...bookletRoutes,
  ...billingClockRoutes,
  ...webhookRoutes,
  ...endpointRoutes,
  ...testEventRoutes,
  ...listenerRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...reportRoutes,
  ...agingRoutes,
]

/** Every route of the HTTP API. */
export const routes: readonly Route[] = [
  ...apiRoutes,
  ...requestRoutes(apiRoutes),
  ...historyRoutes,
  ...serviceRoutes,
  ...documentRoutes(() => routes),
]
