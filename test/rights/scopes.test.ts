import { routes } from '../../services/gateway/src/api/all-routes'
import { SCOPES } from '@cofre/api/scopes'
import { startGateway, type Gateway } from '../../services/gateway/test/support/gateway'
import { fillPath } from '../probed/operations'

/** The scope that each operation needs; add a new operation here. */
const NEEDED: Record<string, string> = {
  any: 'getRequest getRequestRecord listRequests',
  'cards:read': 'getCardToken getNetworkToken listNetworkTokens',
  'cards:write': 'createCardToken deactivateNetworkToken deleteCardToken requestNetworkToken',
  'customers:read': 'getCustomer listCustomerCards listCustomers',
  'customers:write': 'createCustomer deleteCustomer removeCustomerCard replaceCustomer',
  'disputes:read': 'getDispute listDisputes',
  'disputes:write': 'acceptDispute submitDisputeEvidence',
  'invoices:read': `getPaymentLinkSales drawBooklet exportInvoices exportMovements exportRecipientEntries getBillingSettings getRecipient
    listRecipientEntries listRecipients getBoleto getInvoice getInvoiceRefund getInvoiceTheme getPix getPixCollection getPixPermission listInvoiceRefunds listPix
    getLatestInvoiceCharge getLatestInvoiceChargeByNumber getRecurringInvoice getRecurringInvoiceSchedule listBoletos
    getUnexpectedReceipt listInvoiceItems listInvoiceMovements listInvoices listMovements
    listInvoicesByOrderReference listInvoicesOfRecurringInvoice listRecurringInvoices listUnexpectedReceipts reportInvoices
    exportAging getCustomerAging reportAging listInvoiceEmails`,
  'invoices:write': `applyUnexpectedReceipt advanceBillingClock createRecipient replaceRecipient cancelPixPermission cancelRecurringInvoice createBooklet createInvoice replaceInvoice createPixPermission createRecurringInvoice
    finalizeInvoice generateBoletos issueBoleto issuePix keepUnexpectedReceipt markInvoiceUncollectible pauseRecurringInvoice payInvoiceByCard
    payInvoiceWithThreeDSecure recordExternalPayment
    recordInvoiceReturn refundInvoice replaceBillingSettings replaceInvoiceTheme resolveUnexpectedReceipt resumeRecurringInvoice
    returnUnexpectedReceipt retryAutomaticCharge updateRecurringInvoice sendInvoiceEmail voidBooklet voidInvoice writeOffInvoice`,
  'orders:read': 'exportCharges getCharge getChargeMetadata listCharges reportCharges',
  'orders:write':
    'authorizeOrder cancelCharge captureCharge chargeCard chargePix refundCharge replaceChargeMetadata',
  'products:read': 'getProduct listProducts',
  'products:write': 'createProduct deleteProduct replaceProduct',
  public: 'getBillingClock getEncryptionKey getJwks getLiveness getOpenApi getReadiness',
  'vouchers:read': 'getVoucherPayment getVoucherToken listVoucherBrands listVoucherPayments reportVouchers',
  'vouchers:write': `beginVoucherRedirect cancelVoucherPayment createVoucherPayment createVoucherToken
    deleteVoucherToken`,
  'webhooks:read':
    'getDelivery getEndpoint getEvent getWebhookSecret listDeliveries listEndpoints listEvents readListener',
  'webhooks:write': `createEndpoint createListener deleteEndpoint deleteListener enableEndpoint pingEndpoint
    recoverEndpoint replaceEndpoint resendDelivery resendEvent rotateEndpointSecret rotateWebhookSecret sendTestEvent`,
}
const neededBy = new Map(
  Object.entries(NEEDED).flatMap(([scope, names]) =>
    names.split(/\s+/).map((name) => [name, scope] as const),
  ),
)

let gateway: Gateway
const tokens = new Map<string, string>()
beforeAll(async () => {
  gateway = await startGateway()
  for (const scope of SCOPES) tokens.set(scope, (await gateway.tokenWith([scope])).accessToken)
})
afterAll(() => gateway.stop())

test('the table names every operation', () => {
  const served = routes.map(({ operationId }) => operationId).filter((name) => !neededBy.has(name))
  expect(served).toEqual([])
  expect(
    [...neededBy.keys()].filter((name) => !routes.some(({ operationId }) => operationId === name)),
  ).toEqual([])
})

const guarded = routes.filter(({ operationId }) => neededBy.get(operationId)?.includes(':'))

test.each(guarded.map(({ operationId }) => operationId))(
  '%s needs its scope, and no other will do',
  async (name) => {
    const { method, path } = routes.find(({ operationId }) => operationId === name)!
    const { sellerId, url } = gateway
    const at = `${url}${fillPath(path, { sellerId, repeatedSellerId: sellerId })}`
    const letIn = await Promise.all(
      [...tokens].map(async ([scope, token]) => {
        const headers = { authorization: `Bearer ${token}` }
        const { status } = await fetch(at, { method, headers })
        return status === 403 ? [] : [scope]
      }),
    )
    expect(letIn.flat()).toEqual([neededBy.get(name)])
  },
)
