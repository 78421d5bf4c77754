import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { BoletosService } from '@cofre/proto/invoices/v1/boletos'
import { BillingClockService } from '@cofre/proto/invoices/v1/clock'
import { CustomersService } from '@cofre/proto/invoices/v1/customers'
import { InvoicesAdminService, InvoicesService } from '@cofre/proto/invoices/v1/invoices'
import { MoneyService } from '@cofre/proto/invoices/v1/money'
import { PixService } from '@cofre/proto/invoices/v1/pix'
import { PaymentLinksService } from '@cofre/proto/invoices/v1/payment_links'
import { PaymentsService } from '@cofre/proto/invoices/v1/payments'
import { ProductsService } from '@cofre/proto/invoices/v1/products'
import { RecipientsService } from '@cofre/proto/invoices/v1/recipients'
import { RecurringInvoicesService } from '@cofre/proto/invoices/v1/recurring'
import { InvoiceReportsService } from '@cofre/proto/invoices/v1/reports'
import { ThreeDSecureService } from '@cofre/proto/invoices/v1/three_d_secure'
import { ThemesService } from '@cofre/proto/invoices/v1/themes'
import { UserLettersService } from '@cofre/proto/invoices/v1/user_letters'
import { standIn, type OnCall } from '../../stand-in'
import { createBoletos } from './boletos'
import { createCustomers } from './customers'
import { createDrafts } from './invoice-drafts'
import { createInvoicesAdmin } from './invoices-admin'
import { createInvoicePayments } from './invoice-payments'
import { createLetters } from './letters'
import { createMoney } from './money'
import { createMarks } from '../marks'
import { createPix } from './pix'
import { createProducts } from './products'
import { createRecipients } from './recipients'
import { createBillingClock, createRecurring } from './recurring'
import { createInvoiceReports } from '../reports'
import { createThreeDSecure } from './three-d-secure'
import { createThemes } from './themes'
import { createUserLetters } from './user-letters'

/** The invoices service in memory. `asked` holds the requests of the gateway; `onAdminCall` gets those of cofrectl. */
export function createInvoices({ onAdminCall }: { onAdminCall?: OnCall } = {}) {
  /** Runs before each answer: a test makes it refuse or wait. */
  const hooks: { onCall: (rpc: string) => Promise<void> | void } = { onCall: () => {} }
  const onCall = (rpc: string) => hooks.onCall(rpc)
  const marks = createMarks()
  const customers = createCustomers(marks)
  const products = createProducts(marks)
  const recipients = createRecipients(marks)
  const drafts = createDrafts(marks)
  const letters = createLetters(drafts.invoices)
  const boletos = createBoletos(marks)
  const pix = createPix(marks)
  const money = createMoney(marks)
  const payments = createInvoicePayments(marks, drafts.invoices)
  const threeDSecure = createThreeDSecure(marks, payments.answers.payByCard)
  const recurring = createRecurring(marks, drafts.invoices)
  const reports = createInvoiceReports()
  const admin = createInvoicesAdmin()
  const userLetters = createUserLetters()
  const services = (log: Logger): ServedService[] => [
    standIn(log, CustomersService, customers.answers, { onCall }),
    standIn(log, ProductsService, products.answers, { onCall }),
    standIn(log, PaymentLinksService, products.links, { onCall }),
    standIn(log, RecipientsService, recipients.answers, { onCall }),
    standIn(log, InvoicesService, { ...drafts.answers, ...letters.answers }, { onCall }),
    standIn(log, BoletosService, boletos.answers, { onCall }),
    standIn(log, PixService, pix.answers, { onCall }),
    standIn(log, MoneyService, money.answers, { onCall }),
    standIn(log, InvoiceReportsService, reports.answers, { onCall }),
    standIn(log, PaymentsService, payments.answers, { onCall }),
    standIn(log, ThreeDSecureService, threeDSecure.answers, { onCall }),
    standIn(log, RecurringInvoicesService, recurring.answers, { onCall }),
    standIn(log, BillingClockService, createBillingClock(marks), { onCall }),
    standIn(log, ThemesService, createThemes(marks).answers, { onCall }),
    standIn(log, UserLettersService, userLetters.answers, { onCall }),
    standIn(log, InvoicesAdminService, admin.answers, { onCall: onAdminCall, callers: ['cofrectl'] }),
    marks.service(log),
  ]
  return {
    services,
    hooks,
    links: userLetters.links,
    admin,
    customers: customers.customers,
    customerCards: customers.cards,
    products: products.products,
    recipients: recipients.recipients,
    invoices: drafts.invoices,
    recurring: recurring.made,
    emails: letters.emails,
    boletos,
    pix,
    reports,
    asked: {
      invoices: drafts.asked,
      money: money.asked,
      payments: payments.asked,
      threeDSecure: threeDSecure.asked,
      customers: customers.asked,
      products: products.asked,
      recipients: recipients.asked,
      recurring: recurring.asked,
    },
  }
}
