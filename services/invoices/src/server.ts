import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { BoletosService } from '@cofre/proto/invoices/v1/boletos'
import { BillingClockService } from '@cofre/proto/invoices/v1/clock'
import { CustomersService } from '@cofre/proto/invoices/v1/customers'
import { InvoicesAdminService, InvoicesService } from '@cofre/proto/invoices/v1/invoices'
import { PaymentPagesService } from '@cofre/proto/invoices/v1/pages'
import { PaymentsService } from '@cofre/proto/invoices/v1/payments'
import { ProductsService } from '@cofre/proto/invoices/v1/products'
import { RecurringInvoicesService } from '@cofre/proto/invoices/v1/recurring'
import { ThreeDSecureService } from '@cofre/proto/invoices/v1/three_d_secure'
import { ThemesService } from '@cofre/proto/invoices/v1/themes'
import { UserLettersService } from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from './deps'
import { closeReceipt } from './rpc/admin/close-receipt'
import { closeRefund } from './rpc/admin/close-refund'
import { listRefusedRefunds } from './rpc/admin/list-refused-refunds'
import { listWaitingReceipts } from './rpc/admin/list-waiting-receipts'
import { retryRefund } from './rpc/admin/retry-refund'
import { drawBoleto } from './rpc/boletos/draw-boleto'
import { getBoleto } from './rpc/boletos/get-boleto'
import { issueBoleto } from './rpc/boletos/issue-boleto'
import { listUnexpectedReceipts } from './rpc/boletos/list-unexpected-receipts'
import { resolveUnexpectedReceipt } from './rpc/boletos/resolve-unexpected-receipt'
import { takeBankNotice } from './rpc/boletos/take-bank-notice'
import { advanceClock } from './rpc/clock/advance-clock'
import { getClock } from './rpc/clock/get-clock'
import { createCustomer } from './rpc/customers/create-customer'
import { createInvoice } from './rpc/invoices/create-invoice'
import { createProduct } from './rpc/products/create-product'
import { deleteCustomer } from './rpc/customers/delete-customer'
import { deleteProduct } from './rpc/products/delete-product'
import { exportInvoices } from './rpc/invoices/export-invoices'
import { finalizeInvoice } from './rpc/invoices/finalize-invoice'
import { getCustomer } from './rpc/customers/get-customer'
import { getInvoice } from './rpc/invoices/get-invoice'
import { getLatestCharge } from './rpc/invoices/get-latest-charge'
import { getPaymentPage } from './rpc/payment-pages/get-payment-page'
import { getProduct } from './rpc/products/get-product'
import { getTheme } from './rpc/themes/get-theme'
import { listCustomers } from './rpc/customers/list-customers'
import { listInvoices } from './rpc/invoices/list-invoices'
import { listProducts } from './rpc/products/list-products'
import { markUncollectible } from './rpc/invoices/mark-uncollectible'
import { finishAuthentication } from './rpc/three-d-secure/finish-authentication'
import { startAuthentication } from './rpc/three-d-secure/start-authentication'
import { payByCard } from './rpc/payments/pay-by-card'
import { replaceCustomer } from './rpc/customers/replace-customer'
import { replaceProduct } from './rpc/products/replace-product'
import { replaceTheme } from './rpc/themes/replace-theme'
import { cancelRecurringInvoice } from './rpc/recurring/cancel-recurring-invoice'
import { createBooklet } from './rpc/recurring/create-booklet'
import { createRecurringInvoice } from './rpc/recurring/create-recurring-invoice'
import { drawBooklet } from './rpc/recurring/draw-booklet'
import { generateBoletos } from './rpc/recurring/generate-boletos'
import { getRecurringInvoice } from './rpc/recurring/get-recurring-invoice'
import { getSchedule } from './rpc/recurring/get-schedule'
import { listCycleInvoices } from './rpc/recurring/list-cycle-invoices'
import { listRecurringInvoices } from './rpc/recurring/list-recurring-invoices'
import { pauseRecurringInvoice } from './rpc/recurring/pause-recurring-invoice'
import { resumeRecurringInvoice } from './rpc/recurring/resume-recurring-invoice'
import { tellOfDisabledEndpoint } from './rpc/user-letters/tell-of-disabled-endpoint'
import { sendInvoiceEmail } from './rpc/invoices/send-invoice-email'
import { voidInvoice } from './rpc/invoices/void-invoice'

const GATEWAY = ['gateway'] as const
const PLATFORM_TEAM = ['cofrectl'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function invoiceServices(deps: Deps): ServedService[] {
  const customers = serve(deps, CustomersService, {
    createCustomer: [GATEWAY, createCustomer],
    getCustomer: [GATEWAY, getCustomer],
    listCustomers: [GATEWAY, listCustomers],
    replaceCustomer: [GATEWAY, replaceCustomer],
    deleteCustomer: [GATEWAY, deleteCustomer],
  })
  const products = serve(deps, ProductsService, {
    createProduct: [GATEWAY, createProduct],
    getProduct: [GATEWAY, getProduct],
    listProducts: [GATEWAY, listProducts],
    replaceProduct: [GATEWAY, replaceProduct],
    deleteProduct: [GATEWAY, deleteProduct],
  })
  const invoices = serve(deps, InvoicesService, {
    createInvoice: [GATEWAY, createInvoice],
    getInvoice: [GATEWAY, getInvoice],
    listInvoices: [GATEWAY, listInvoices],
    exportInvoices: [GATEWAY, exportInvoices],
    finalizeInvoice: [GATEWAY, finalizeInvoice],
    voidInvoice: [GATEWAY, voidInvoice],
    markUncollectible: [GATEWAY, markUncollectible],
    getLatestCharge: [GATEWAY, getLatestCharge],
    sendInvoiceEmail: [GATEWAY, sendInvoiceEmail],
  })
  const themes = serve(deps, ThemesService, {
    getTheme: [GATEWAY, getTheme],
    replaceTheme: [GATEWAY, replaceTheme],
  })
  return [
    customers,
    products,
    invoices,
    ...payingServices(deps),
    themes,
    ...recurringServices(deps),
    administration(deps),
    idempotencyService(deps),
  ]
}

function payingServices(deps: Deps): ServedService[] {
  const threeDSecure = serve(deps, ThreeDSecureService, {
    startAuthentication: [GATEWAY, startAuthentication],
    finishAuthentication: [GATEWAY, finishAuthentication],
  })
  const payments = serve(deps, PaymentsService, { payByCard: [GATEWAY, payByCard] })
  const pages = serve(deps, PaymentPagesService, {
    getPaymentPage: [GATEWAY, getPaymentPage],
  })
  const boletos = serve(deps, BoletosService, {
    issueBoleto: [GATEWAY, issueBoleto],
    getBoleto: [GATEWAY, getBoleto],
    drawBoleto: [GATEWAY, drawBoleto],
    takeBankNotice: [GATEWAY, takeBankNotice],
    listUnexpectedReceipts: [GATEWAY, listUnexpectedReceipts],
    resolveUnexpectedReceipt: [GATEWAY, resolveUnexpectedReceipt],
  })
  return [payments, threeDSecure, pages, boletos]
}

function recurringServices(deps: Deps): ServedService[] {
  const recurring = serve(deps, RecurringInvoicesService, {
    createRecurringInvoice: [GATEWAY, createRecurringInvoice],
    createBooklet: [GATEWAY, createBooklet],
    getRecurringInvoice: [GATEWAY, getRecurringInvoice],
    getSchedule: [GATEWAY, getSchedule],
    listRecurringInvoices: [GATEWAY, listRecurringInvoices],
    cancelRecurringInvoice: [GATEWAY, cancelRecurringInvoice],
    pauseRecurringInvoice: [GATEWAY, pauseRecurringInvoice],
    resumeRecurringInvoice: [GATEWAY, resumeRecurringInvoice],
    listCycleInvoices: [GATEWAY, listCycleInvoices],
    generateBoletos: [GATEWAY, generateBoletos],
    drawBooklet: [GATEWAY, drawBooklet],
  })
  const clock = serve(deps, BillingClockService, {
    getClock: [GATEWAY, getClock],
    advanceClock: [GATEWAY, advanceClock],
  })
  const userLetters = serve(deps, UserLettersService, {
    tellOfDisabledEndpoint: [GATEWAY, tellOfDisabledEndpoint],
  })
  return [recurring, clock, userLetters]
}

function administration(deps: Deps): ServedService {
  return serve(deps, InvoicesAdminService, {
    listWaitingReceipts: [PLATFORM_TEAM, listWaitingReceipts],
    closeReceipt: [PLATFORM_TEAM, closeReceipt],
    listRefusedRefunds: [PLATFORM_TEAM, listRefusedRefunds],
    retryRefund: [PLATFORM_TEAM, retryRefund],
    closeRefund: [PLATFORM_TEAM, closeRefund],
  })
}
