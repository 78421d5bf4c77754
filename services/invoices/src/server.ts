import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { BoletosService } from '@cofre/proto/invoices/v1/boletos'
import { BillingClockService } from '@cofre/proto/invoices/v1/clock'
import { CustomersService } from '@cofre/proto/invoices/v1/customers'
import { InvoicesAdminService, InvoicesService } from '@cofre/proto/invoices/v1/invoices'
import { MoneyService } from '@cofre/proto/invoices/v1/money'
import { PaymentPagesService } from '@cofre/proto/invoices/v1/pages'
import { PaymentLinksService } from '@cofre/proto/invoices/v1/payment_links'
import { PaymentsService } from '@cofre/proto/invoices/v1/payments'
import { PixService } from '@cofre/proto/invoices/v1/pix'
import { ProductsService } from '@cofre/proto/invoices/v1/products'
import { RecipientsService } from '@cofre/proto/invoices/v1/recipients'
import { RecurringInvoicesService } from '@cofre/proto/invoices/v1/recurring'
import { InvoiceReportsService } from '@cofre/proto/invoices/v1/reports'
import { ThreeDSecureService } from '@cofre/proto/invoices/v1/three_d_secure'
import { ThemesService } from '@cofre/proto/invoices/v1/themes'
import { UserLettersService } from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from './deps'
import { applyReceipt } from './money/rpc/apply-receipt'
import { exportEntries, listEntries } from './money/rpc/list-entries'
import { exportMovements, listMovements } from './money/rpc/list-movements'
import { recordPayment, recordReturn, writeOffInvoice } from './money/rpc/record-money'
import { listPixRefunds, readPixRefund, refundPix } from './money/rpc/refund-pix'
import { returnReceipt } from './money/rpc/return-receipt'
import { getBillingSettings, replaceBillingSettings } from './catalog/rpc/billing-settings'
import {
  closeReceipt,
  getReceipt,
  listWaitingReceipts,
  listUnexpectedReceipts,
  resolveUnexpectedReceipt,
} from './money/rpc/receipts'
import { closeRefund, listRefusedRefunds, retryRefund } from './cards/rpc/refused-refunds'
import { drawBoleto, getBoleto, listBoletos, readBoleto } from './boletos/rpc/read-boletos'
import { raiseBoletoNumbers } from './boletos/rpc/raise-boleto-numbers'
import { takeBankNotice } from './money/rpc/take-bank-notice'
import { registerPixWebhook } from './money/rpc/register-pix-webhook'
import { takePixNotice } from './money/rpc/take-pix-notice'
import { issueBoletoAndPix } from './pix/registering/issue-beside'
import { getPixCode, getPixCollection, listPix, readPix } from './pix/rpc/pix'
import { advanceClock, getClock } from './recurring/rpc/clock'
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  replaceCustomer,
} from './catalog/rpc/customers'
import { createInvoice } from './invoice/rpc/create-invoice'
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  replaceProduct,
} from './catalog/rpc/products'
import { createRecipient, getRecipient, listRecipients, replaceRecipient } from './catalog/rpc/recipients'
import { exportInvoices } from './invoice/rpc/export-invoices'
import { finalizeInvoice, markUncollectible, voidInvoice } from './invoice/rpc/change-invoice'
import { getInvoice } from './invoice/rpc/get-invoice'
import { getLatestCharge } from './invoice/rpc/get-latest-charge'
import { getPaymentPage } from './payment-page/get-payment-page'
import { removeKeptCards } from './payment-page/remove-kept-cards'
import { buyByLink } from './payment-links/buy-by-link'
import { getPaymentLink, getPaymentLinkSales } from './payment-links/get-payment-link'
import { getTheme, replaceTheme } from './catalog/rpc/themes'
import { listInvoices } from './invoice/rpc/list-invoices'
import { replaceInvoice } from './invoice/rpc/replace-invoice'
import { sumInvoice } from './invoice/rpc/sum-invoice'
import { finishAuthentication } from './cards/rpc/finish-authentication'
import { startAuthentication } from './cards/rpc/start-authentication'
import { payByCard } from './cards/rpc/pay-by-card'
import { retryAutomaticCharge } from './dunning/retry-charge'
import {
  cancelRecurringInvoice,
  pauseRecurringInvoice,
  resumeRecurringInvoice,
} from './recurring/rpc/change-recurring-invoice'
import { listCustomerCards, removeCustomerCard } from './recurring/rpc/customer-cards'
import { createBooklet } from './booklets/rpc/create-booklet'
import { cancelPixPermission, createPixPermission } from './recurring/pix-automatic/ask-permission'
import { issueWithPermission } from './recurring/pix-automatic/issue-with-permission'
import { createRecurringInvoice } from './recurring/rpc/create-recurring-invoice'
import { drawBooklet } from './booklets/rpc/draw-booklet'
import { generateBoletos } from './booklets/rpc/generate-boletos'
import { voidBooklet } from './booklets/rpc/void-booklet'
import { getRecurringInvoice } from './recurring/rpc/get-recurring-invoice'
import { getSchedule } from './recurring/rpc/get-schedule'
import { listCycleInvoices } from './recurring/rpc/list-cycle-invoices'
import { listRecurringInvoices } from './recurring/rpc/list-recurring-invoices'
import { updateRecurringInvoice } from './recurring/rpc/update-recurring-invoice'
import { getCustomerAging, listDebtors, sumOwed } from './reports/owed'
import { sumDays, sumPastDue } from './reports/sum-days'
import { takeDisputeNotices, tellOfDispute } from './letters/rpc/tell-of-dispute'
import { sendPasswordLink } from './letters/rpc/send-password-link'
import { tellOfDisabledEndpoint } from './letters/rpc/tell-of-disabled-endpoint'
import { listInvoiceEmails } from './letters/rpc/list-invoice-emails'
import { sendInvoiceEmail } from './letters/rpc/send-invoice-email'
import { writeInvoiceLetter } from './letters/rpc/write-invoice-letter'

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
    listCustomerCards: [GATEWAY, listCustomerCards],
    removeCustomerCard: [GATEWAY, removeCustomerCard],
  })
  const products = serve(deps, ProductsService, {
    createProduct: [GATEWAY, createProduct],
    getProduct: [GATEWAY, getProduct],
    listProducts: [GATEWAY, listProducts],
    replaceProduct: [GATEWAY, replaceProduct],
    deleteProduct: [GATEWAY, deleteProduct],
  })
  const links = serve(deps, PaymentLinksService, {
    getPaymentLink: [GATEWAY, getPaymentLink],
    buyByLink: [GATEWAY, buyByLink],
    getPaymentLinkSales: [GATEWAY, getPaymentLinkSales],
  })
  const invoices = serve(deps, InvoicesService, {
    createInvoice: [GATEWAY, createInvoice],
    replaceInvoice: [GATEWAY, replaceInvoice],
    sumInvoice: [GATEWAY, sumInvoice],
    getInvoice: [GATEWAY, getInvoice],
    listInvoices: [GATEWAY, listInvoices],
    exportInvoices: [GATEWAY, exportInvoices],
    finalizeInvoice: [GATEWAY, finalizeInvoice],
    voidInvoice: [GATEWAY, voidInvoice],
    markUncollectible: [GATEWAY, markUncollectible],
    getLatestCharge: [GATEWAY, getLatestCharge],
    sendInvoiceEmail: [GATEWAY, sendInvoiceEmail],
    writeInvoiceLetter: [GATEWAY, writeInvoiceLetter],
    listInvoiceEmails: [GATEWAY, listInvoiceEmails],
  })
  const themes = serve(deps, ThemesService, {
    getTheme: [GATEWAY, getTheme],
    replaceTheme: [GATEWAY, replaceTheme],
  })
  return [
    customers,
    products,
    links,
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
  const payments = serve(deps, PaymentsService, {
    payByCard: [GATEWAY, payByCard],
    retryAutomaticCharge: [GATEWAY, retryAutomaticCharge],
  })
  const pages = serve(deps, PaymentPagesService, {
    getPaymentPage: [GATEWAY, getPaymentPage],
    removeKeptCards: [GATEWAY, removeKeptCards],
  })
  const boletos = serve(deps, BoletosService, {
    issueBoleto: [GATEWAY, issueBoletoAndPix],
    getBoleto: [GATEWAY, getBoleto],
    readBoleto: [GATEWAY, readBoleto],
    listBoletos: [GATEWAY, listBoletos],
    drawBoleto: [GATEWAY, drawBoleto],
    takeBankNotice: [GATEWAY, takeBankNotice],
    listUnexpectedReceipts: [GATEWAY, listUnexpectedReceipts],
    resolveUnexpectedReceipt: [GATEWAY, resolveUnexpectedReceipt],
  })
  const pix = serve(deps, PixService, {
    issuePix: [GATEWAY, issueWithPermission],
    getPixCollection: [GATEWAY, getPixCollection],
    getPixCode: [GATEWAY, getPixCode],
    readPix: [GATEWAY, readPix],
    listPix: [GATEWAY, listPix],
    takePixNotice: [GATEWAY, takePixNotice],
    refundPix: [GATEWAY, refundPix],
    readPixRefund: [GATEWAY, readPixRefund],
    listPixRefunds: [GATEWAY, listPixRefunds],
  })
  const money = serve(deps, MoneyService, {
    listMovements: [GATEWAY, listMovements],
    exportMovements: [GATEWAY, exportMovements],
    getReceipt: [GATEWAY, getReceipt],
    applyReceipt: [GATEWAY, applyReceipt],
    returnReceipt: [GATEWAY, returnReceipt],
    recordPayment: [GATEWAY, recordPayment],
    recordReturn: [GATEWAY, recordReturn],
    writeOff: [GATEWAY, writeOffInvoice],
    getBillingSettings: [GATEWAY, getBillingSettings],
    replaceBillingSettings: [GATEWAY, replaceBillingSettings],
  })
  const reports = serve(deps, InvoiceReportsService, {
    sumDays: [GATEWAY, sumDays],
    sumPastDue: [GATEWAY, sumPastDue],
    getCustomerAging: [GATEWAY, getCustomerAging],
    listDebtors: [GATEWAY, listDebtors],
    sumOwed: [GATEWAY, sumOwed],
  })
  const recipients = serve(deps, RecipientsService, {
    createRecipient: [GATEWAY, createRecipient],
    getRecipient: [GATEWAY, getRecipient],
    listRecipients: [GATEWAY, listRecipients],
    replaceRecipient: [GATEWAY, replaceRecipient],
    listEntries: [GATEWAY, listEntries],
    exportEntries: [GATEWAY, exportEntries],
  })
  return [payments, threeDSecure, pages, boletos, pix, money, reports, recipients]
}

function recurringServices(deps: Deps): ServedService[] {
  const recurring = serve(deps, RecurringInvoicesService, {
    createRecurringInvoice: [GATEWAY, createRecurringInvoice],
    createBooklet: [GATEWAY, createBooklet],
    getRecurringInvoice: [GATEWAY, getRecurringInvoice],
    getSchedule: [GATEWAY, getSchedule],
    listRecurringInvoices: [GATEWAY, listRecurringInvoices],
    cancelRecurringInvoice: [GATEWAY, cancelRecurringInvoice],
    updateRecurringInvoice: [GATEWAY, updateRecurringInvoice],
    pauseRecurringInvoice: [GATEWAY, pauseRecurringInvoice],
    resumeRecurringInvoice: [GATEWAY, resumeRecurringInvoice],
    listCycleInvoices: [GATEWAY, listCycleInvoices],
    generateBoletos: [GATEWAY, generateBoletos],
    voidBooklet: [GATEWAY, voidBooklet],
    createPixPermission: [GATEWAY, createPixPermission],
    cancelPixPermission: [GATEWAY, cancelPixPermission],
    drawBooklet: [GATEWAY, drawBooklet],
  })
  const clock = serve(deps, BillingClockService, {
    getClock: [GATEWAY, getClock],
    advanceClock: [GATEWAY, advanceClock],
  })
  const userLetters = serve(deps, UserLettersService, {
    sendPasswordLink: [GATEWAY, sendPasswordLink],
    tellOfDisabledEndpoint: [GATEWAY, tellOfDisabledEndpoint],
    takeDisputeNotices: [GATEWAY, takeDisputeNotices],
    tellOfDispute: [GATEWAY, tellOfDispute],
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
    raiseBoletoNumbers: [PLATFORM_TEAM, raiseBoletoNumbers],
    registerPixWebhook: [PLATFORM_TEAM, registerPixWebhook],
  })
}
