import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { openPartner } from '@cofre/platform/outbound/partner-call'
import { createLog } from '@cofre/platform/telemetry/log'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork } from '@cofre/testing/test-network'
import { BoletosClient } from '@cofre/proto/invoices/v1/boletos'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { Webhook } from 'standardwebhooks'
import { openBankAccounts } from '../../src/boletos/bank/accounts'
import { BANK_PARTNER } from '../../src/boletos/bank/bank'
import { isAgreement } from '../../src/boletos/rules/our-number'
import type { BoletoDeps, BoletoRules } from '../../src/boletos/bank/boleto-deps'
import { openRestBank } from '../../src/boletos/bank/rest-bank'
import { BOLETO_LOOK } from '../../src/money/look-at-boletos'
import { create, finalize, invoiceFor, newShop } from './invoices'
import { SmallBank, type BankPayment, type BankSlip } from './small-bank'
import { startInvoices } from './start-invoices'

export const AGREEMENT = '1234567'
export const BANK_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

const RULES: BoletoRules = {
  // More than our own work takes on a busy machine.
  bankTimeoutMs: 30_000,
  resolveEveryMs: 250,
  resolveFirstMs: 20,
  resolveMaxMs: 50,
  absenceGraceMs: 0,
}

/** For a busy machine. */
const PATIENTLY = { timeoutMs: 60_000 }

export type TestBoletos = Awaited<ReturnType<typeof startBoletos>>

/** A vault and a bank that registers boletos, over real connections. */
export async function startSlipBank() {
  const network = await openTestNetwork()
  const { authority } = network
  const bank = new SmallBank(await authority.issue('bank'))
  await bank.start()
  const partner = openPartner(bank.url, { ca: authority.cert })
  network.onClose(() => partner.close())
  /** Runs before each answer of the vault: a test makes it refuse. */
  const vaultHooks: { onCall: (rpc: string) => void } = { onCall: () => {} }
  const behind = createVault({ partner, onCall: (rpc) => vaultHooks.onCall(rpc) })
  const { address } = await network.serve('vault', behind.services(createLog('vault', 'silent')))
  const vault = await network.clientOf(VaultClient, address, 'invoices')
  // A call's time is for its work: the first call must not spend it on the connection.
  await promisify(vault.waitForReady.bind(vault))(Date.now() + 15_000)
  const boletos: BoletoDeps = {
    bank: openRestBank(vault),
    accounts: openBankAccounts(vault, BANK_PARTNER, isAgreement),
    rules: RULES,
    secret: BANK_SECRET,
    isPayable: false,
  }
  const stop = async () => {
    await network.close()
    await bank.stop()
  }
  return { boletos, bank, accounts: behind.accounts, vaultHooks, stop }
}

/** The service with a real database, a vault and a bank over real connections. Sweepers run only on a test's call. */
export async function startBoletos(
  options: Pick<Parameters<typeof startInvoices>[0] & object, 'mailer'> = {},
) {
  const { boletos, stop: stopBank, ...behind } = await startSlipBank()
  const invoices = await startInvoices({ ...options, boletos })
  const slips = await invoices.network.clientOf(BoletosClient, invoices.address, 'gateway')
  const stop = async () => {
    await invoices.stop()
    await stopBank()
  }
  return { ...invoices, ...behind, slips, stop }
}

/** A finalized invoice of a seller with an account at the bank: 99.80, with `changes`. */
export async function newInvoice(
  boletos: TestBoletos,
  changes: Parameters<typeof invoiceFor>[1] = {},
): Promise<Invoice> {
  const shop = await newShop(boletos)
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  const invoice = await create(boletos, invoiceFor(shop, changes))
  await finalize(boletos, invoice)
  return invoice
}

export function issue(
  { slips }: Pick<TestBoletos, 'slips'>,
  { sellerId, id }: Pick<Invoice, 'sellerId' | 'id'>,
) {
  return callRpc(slips, slips.issueBoleto, { sellerId, invoiceId: id }, PATIENTLY)
}

export function issueAgain({ slips }: TestBoletos, { sellerId, id }: Pick<Invoice, 'sellerId' | 'id'>) {
  return callRepeatable(slips, slips.issueBoleto, { sellerId, invoiceId: id }, PATIENTLY)
}

export function slipOf({ slips }: Pick<TestBoletos, 'slips'>, publicId: string) {
  return callRpc(slips, slips.getBoleto, { publicId })
}

/** Runs one turn of the sweeper over the slips that are due, 100 at most. */
export async function look({ deps, pool }: Pick<TestBoletos, 'deps' | 'pool'>): Promise<void> {
  for (const ourNumber of await BOLETO_LOOK.take({ ...deps, pool }, 100))
    await BOLETO_LOOK.at(deps, ourNumber)
}

/** Receives money at the bank for a slip, in cents. */
export function receive(slip: BankSlip, amount: number, paidAt = Date.now()): BankPayment {
  const payment = {
    id: `LIQ-${randomUUID()}`,
    valorPago: amount / 100,
    dataHora: new Date(paidAt).toISOString(),
  }
  slip.pagamentos.push(payment)
  return payment
}

/** The bank's notice of a payment. */
export function noticeOf(nossoNumero: string, pagamento: BankPayment): object {
  return { id: randomUUID(), tipo: 'BOLETO_LIQUIDADO', numeroConvenio: AGREEMENT, nossoNumero, pagamento }
}

/** Sends the notice to the service, signed like the bank's. */
export function tell({ slips }: TestBoletos, notice: object, secret = BANK_SECRET) {
  const body = JSON.stringify(notice)
  const id = randomUUID()
  const now = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  return callRpc(slips, slips.takeBankNotice, { body: Buffer.from(body), headers })
}

export async function unexpected({ slips }: TestBoletos, { sellerId }: Pick<Invoice, 'sellerId'>) {
  const request = { sellerId, page: 0, size: 100, after: undefined, resolved: undefined }
  return (await callRpc(slips, slips.listUnexpectedReceipts, request)).receipts
}
