import { addressesOf } from '@cofre/platform/service/addresses'
import type { Boot } from '@cofre/platform/service/run-service'
import type { CalledBy } from '@cofre/platform/service/services'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { BoletosClient } from '@cofre/proto/invoices/v1/boletos'
import { BillingClockClient } from '@cofre/proto/invoices/v1/clock'
import { CustomersClient } from '@cofre/proto/invoices/v1/customers'
import { InvoicesClient } from '@cofre/proto/invoices/v1/invoices'
import { MoneyClient } from '@cofre/proto/invoices/v1/money'
import { PaymentPagesClient } from '@cofre/proto/invoices/v1/pages'
import { PaymentLinksClient } from '@cofre/proto/invoices/v1/payment_links'
import { PaymentsClient } from '@cofre/proto/invoices/v1/payments'
import { PixClient } from '@cofre/proto/invoices/v1/pix'
import { ProductsClient } from '@cofre/proto/invoices/v1/products'
import { RecipientsClient } from '@cofre/proto/invoices/v1/recipients'
import { RecurringInvoicesClient } from '@cofre/proto/invoices/v1/recurring'
import { InvoiceReportsClient } from '@cofre/proto/invoices/v1/reports'
import { ThreeDSecureClient } from '@cofre/proto/invoices/v1/three_d_secure'
import { ThemesClient } from '@cofre/proto/invoices/v1/themes'
import { UserLettersClient } from '@cofre/proto/invoices/v1/user_letters'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { DisputesClient } from '@cofre/proto/orders/v1/disputes'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { ChargeReportsClient } from '@cofre/proto/orders/v1/reports'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { VoucherReportsClient } from '@cofre/proto/vouchers/v1/reports'
import { VouchersClient } from '@cofre/proto/vouchers/v1/vouchers'
import type { Config } from './config'

/** The services behind the routes. */
export type Services = {
  vault: VaultClient
  orders: OrdersClient
  disputes: DisputesClient
  notifier: NotifierClient
  networkTokens: NetworkTokensClient
  vouchers: VouchersClient
  customers: CustomersClient
  products: ProductsClient
  invoices: InvoicesClient
  invoicePayments: PaymentsClient
  threeDSecure: ThreeDSecureClient
  themes: ThemesClient
  pages: PaymentPagesClient
  paymentLinks: PaymentLinksClient
  boletos: BoletosClient
  pix: PixClient
  money: MoneyClient
  recipients: RecipientsClient
  recurring: RecurringInvoicesClient
  clock: BillingClockClient
  userLetters: UserLettersClient
  chargeReports: ChargeReportsClient
  invoiceReports: InvoiceReportsClient
  voucherReports: VoucherReportsClient
  /** Each service keeps its own requests. */
  idempotency: Record<CalledBy<'gateway'>, IdempotencyClient>
}

/** Connects on first use. */
export function openServices(config: Config, { connect }: Boot): Services {
  const addresses = addressesOf('gateway', config)
  const owners = Object.entries(addresses).map(([name, address]) => [
    name,
    connect(IdempotencyClient, address),
  ])
  return {
    vault: connect(VaultClient, addresses.vault),
    orders: connect(OrdersClient, addresses.orders),
    disputes: connect(DisputesClient, addresses.orders),
    notifier: connect(NotifierClient, addresses.notifier),
    networkTokens: connect(NetworkTokensClient, addresses['network-token']),
    vouchers: connect(VouchersClient, addresses.vouchers),
    customers: connect(CustomersClient, addresses.invoices),
    products: connect(ProductsClient, addresses.invoices),
    invoices: connect(InvoicesClient, addresses.invoices),
    invoicePayments: connect(PaymentsClient, addresses.invoices),
    threeDSecure: connect(ThreeDSecureClient, addresses.invoices),
    themes: connect(ThemesClient, addresses.invoices),
    pages: connect(PaymentPagesClient, addresses.invoices),
    paymentLinks: connect(PaymentLinksClient, addresses.invoices),
    boletos: connect(BoletosClient, addresses.invoices),
    pix: connect(PixClient, addresses.invoices),
    money: connect(MoneyClient, addresses.invoices),
    recipients: connect(RecipientsClient, addresses.invoices),
    recurring: connect(RecurringInvoicesClient, addresses.invoices),
    clock: connect(BillingClockClient, addresses.invoices),
    userLetters: connect(UserLettersClient, addresses.invoices),
    chargeReports: connect(ChargeReportsClient, addresses.orders),
    invoiceReports: connect(InvoiceReportsClient, addresses.invoices),
    voucherReports: connect(VoucherReportsClient, addresses.vouchers),
    idempotency: Object.fromEntries(owners) as Services['idempotency'],
  }
}
