import { Client, status, type ServiceError } from '@grpc/grpc-js'
import { CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import type { ServedService } from '@cofre/platform/grpc/server'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { SERVICE_NAMES, type ServiceName } from '@cofre/platform/service/services'
import { createLog } from '@cofre/platform/telemetry/log'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { gatewayServices } from '../../services/gateway/src/server'
import { invoiceServices } from '../../services/invoices/src/server'
import { networkTokenServices } from '../../services/network-token/src/server'
import { notifierServices } from '../../services/notifier/src/server'
import { ordersServices } from '../../services/orders/src/server'
import { vaultServices } from '../../services/vault/src/server'
import { voucherServices } from '../../services/vouchers/src/server'

/** The RPCs that each caller may call. Each line: a service, one of its contracts, its RPCs; add a new RPC here. */
const ALLOWED: [caller: string, rpcs: string][] = [
  [
    'gateway',
    `
      orders Orders: AuthorizeOrder CaptureCharge RefundCharge GetCharge ListCharges ExportCharges ReplaceMetadata
      orders Orders: ChargePix CancelCharge GetPixCode TakePixHint
      orders Disputes: ListDisputes GetDispute AcceptDispute SubmitEvidence TakeDisputeHint
      orders ChargeReports: SumDays
      orders Idempotency: FindRequest
      vault Vault: SealCardData StoreCard DescribeCard DeleteCard GetEncryptionKey ListBins
      vault Idempotency: FindRequest
      network-token NetworkTokens: RequestToken GetToken ListTokens DeactivateToken TakePush
      network-token Idempotency: FindRequest
      vouchers Vouchers: ListBrands CreateToken GetToken DeleteToken BeginRedirect FinishRedirect
      vouchers Vouchers: CreatePayment GetPayment ListPayments CancelPayment
      vouchers VoucherReports: SumDays
      vouchers Idempotency: FindRequest
      invoices Customers: CreateCustomer GetCustomer ListCustomers ReplaceCustomer DeleteCustomer
      invoices Customers: ListCustomerCards RemoveCustomerCard
      invoices Products: CreateProduct GetProduct ListProducts ReplaceProduct DeleteProduct
      invoices PaymentLinks: GetPaymentLink BuyByLink GetPaymentLinkSales
      invoices Recipients: CreateRecipient GetRecipient ListRecipients ReplaceRecipient ListEntries ExportEntries
      invoices Invoices: CreateInvoice GetInvoice ListInvoices ExportInvoices FinalizeInvoice VoidInvoice
      invoices Invoices: MarkUncollectible GetLatestCharge SendInvoiceEmail
      invoices Invoices: ReplaceInvoice SumInvoice WriteInvoiceLetter ListInvoiceEmails
      invoices Payments: PayByCard RetryAutomaticCharge
      invoices ThreeDSecure: StartAuthentication FinishAuthentication
      invoices PaymentPages: GetPaymentPage RemoveKeptCards
      invoices Boletos: IssueBoleto GetBoleto DrawBoleto TakeBankNotice ListUnexpectedReceipts
      invoices Boletos: ReadBoleto ListBoletos ResolveUnexpectedReceipt
      invoices Pix: IssuePix GetPixCode ReadPix ListPix TakePixNotice RefundPix ReadPixRefund ListPixRefunds
      invoices Pix: GetPixCollection
      invoices Money: ListMovements ExportMovements GetReceipt ApplyReceipt ReturnReceipt RecordPayment
      invoices Money: RecordReturn WriteOff GetBillingSettings ReplaceBillingSettings
      invoices InvoiceReports: SumDays SumPastDue GetCustomerAging ListDebtors SumOwed
      invoices Themes: GetTheme ReplaceTheme
      invoices RecurringInvoices: CreateRecurringInvoice CreateBooklet GetRecurringInvoice GetSchedule
      invoices RecurringInvoices: ListRecurringInvoices CancelRecurringInvoice UpdateRecurringInvoice PauseRecurringInvoice
      invoices RecurringInvoices: ResumeRecurringInvoice ListCycleInvoices GenerateBoletos VoidBooklet DrawBooklet
      invoices RecurringInvoices: CreatePixPermission CancelPixPermission
      invoices BillingClock: GetClock AdvanceClock
      invoices UserLetters: TellOfDisabledEndpoint TakeDisputeNotices TellOfDispute SendPasswordLink
      invoices Idempotency: FindRequest
      notifier Notifier: GetSigningSecret RotateSigningSecret ListDeliveries GetDelivery ResendDelivery ListEvents GetEvent ResendEvent
      notifier Notifier: CreateEndpoint ListEndpoints GetEndpoint ReplaceEndpoint DeleteEndpoint
      notifier Notifier: EnableEndpoint RotateEndpointSecret PingEndpoint RecoverEndpoint GetEndpointHealth
      notifier Notifier: TakeDisablings AcknowledgeDisabling
      notifier Notifier: CreateListener ReadListener DeleteListener SendTestEvent
      notifier Idempotency: FindRequest
    `,
  ],
  [
    'invoices',
    `
      orders Orders: AuthorizeOrder RefundCharge GetCharge TakePixHint
      orders Idempotency: FindRequest
      vault Vault: StoreCard DescribeCard DeleteCard Forward FindAccount
      network-token NetworkTokens: FindTokenOfCard
    `,
  ],
  [
    'cofrectl',
    `
      orders OrdersAdmin: CreateEstablishment ListEstablishments ResolveTransaction ListPendingTransactions
      invoices InvoicesAdmin: ListWaitingReceipts CloseReceipt ListRefusedRefunds RetryRefund CloseRefund
      invoices InvoicesAdmin: RaiseBoletoNumbers RegisterPixWebhook
      vault VaultAdmin: PutAccount RemoveAccount ListAccounts RotateDataKey RotateEncryptionKey RotateKeyEncryptionKey
      vault VaultAdmin: PutBin RemoveBin ListBins
      vouchers VouchersAdmin: ResolvePayment ListPendingPayments
      gateway GatewayAdmin: CreateSeller ListSellers SetSeller CreatePortalUser CreateToken ListTokens RevokeToken
      gateway GatewayAdmin: ListPortalUsers SetPortalUser RemovePortalUser MakePasswordLink
      gateway GatewayAdmin: RotateSigningKey RevokeSigningKey
    `,
  ],
  [
    'orders',
    `
      vault Vault: DescribeCard FindAccount Forward ForwardFile
      network-token NetworkTokens: DescribeActiveToken ObtainCryptogram
    `,
  ],
  [
    'network-token',
    `
      vault Vault: Forward KeepNetworkToken DestroyNetworkToken FindAccount
    `,
  ],
  [
    'vouchers',
    `
      vault Vault: Forward KeepVoucher KeepAuthorizationCode DestroyVoucher FindAccount
    `,
  ],
]

// A caller without the right is refused before its request is read: the functions need no dependencies.
const bare = { log: createLog('test', 'silent') } as never
const SERVED = new Map<ServiceName, ServedService[]>([
  ['gateway', gatewayServices(bare)],
  ['invoices', invoiceServices(bare)],
  ['network-token', networkTokenServices(bare)],
  ['notifier', notifierServices(bare)],
  ['orders', ordersServices(bare)],
  ['vault', vaultServices(bare)],
  ['vouchers', voucherServices(bare)],
])
const CALLERS = [...SERVICE_NAMES, 'cofrectl', 'stranger']

let network: TestNetwork
const addresses = new Map<ServiceName, string>()
beforeAll(async () => {
  network = await openTestNetwork()
  for (const [name, services] of SERVED) addresses.set(name, (await network.serve(name, services)).address)
})
afterAll(() => network.close())

/** The RPCs of a caller in the table, such as `orders Orders/CaptureCharge`. */
function allowedTo(caller: string): string[] {
  const [, text = ''] = ALLOWED.find(([name]) => name === caller) ?? []
  return text
    .trim()
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [where = '', rpcs = ''] = line.trim().split(': ')
      return rpcs.split(' ').map((rpc) => `${where}/${rpc}`)
    })
}

function codeOf(client: Client, path: string): Promise<status> {
  const asBytes = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    const done = (error: ServiceError | null) => resolve(error?.code ?? status.OK)
    client.makeUnaryRequest(path, asBytes, asBytes, Buffer.alloc(0), { deadline: Date.now() + 60_000 }, done)
  })
}

/** The RPCs of a service that a caller may call. */
async function openedTo(caller: string, name: ServiceName): Promise<string[]> {
  const credentials = clientCredentials(await network.tlsFor(caller))
  const client = new Client(addresses.get(name) ?? '', credentials, CLIENT_OPTIONS)
  const paths = (SERVED.get(name) ?? []).flatMap(({ definition }) =>
    Object.values(definition).map(({ path }) => path),
  )
  const codes = await Promise.all(paths.map(async (path) => [path, await codeOf(client, path)] as const))
  client.close()
  return codes.flatMap(([path, code]) =>
    code === status.PERMISSION_DENIED ? [] : [`${name} ${path.replace(/^\/\w+\.v1\./, '')}`],
  )
}

test.each(CALLERS)('%s may call the RPCs in the table, and no others', async (caller) => {
  const opened = await Promise.all(SERVICE_NAMES.map((name) => openedTo(caller, name)))
  expect(opened.flat().sort()).toEqual(allowedTo(caller).sort())
})

test('every service is tested', () => {
  expect([...SERVED.keys()].sort()).toEqual(SERVICE_NAMES.toSorted())
})
