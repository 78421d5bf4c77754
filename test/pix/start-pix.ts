import { mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { openPartner, type Partner } from '@cofre/platform/outbound/partner-call'
import { createLog } from '@cofre/platform/telemetry/log'
import { createVault } from '@cofre/testing/stand-ins/vault'
import { openTestNetwork } from '@cofre/testing/test-network'
import { BoletosClient } from '@cofre/proto/invoices/v1/boletos'
import { PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { MoneyClient, type Movement } from '@cofre/proto/invoices/v1/money'
import { PixClient, type PixCharge } from '@cofre/proto/invoices/v1/pix'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { Faults } from '../../sandbox/src/faults'
import { chargeKey, type Charge } from '../../sandbox/src/pix/charges/charge'
import { pay, type Wanted } from '../../sandbox/src/pix/charges/payment'
import { closePixBank, openPixBank } from '../../sandbox/src/pix/pix-bank'
import { pixHost } from '../../sandbox/src/pix/pix-host'
import { lookAtKey, takeDueKeys } from '../../services/invoices/src/money/look-at-pix-keys'
import { PIX_LOOK } from '../../services/invoices/src/money/look-at-pix'
import { openPixDeps } from '../../services/invoices/src/pix/bank/pix-deps'
import { create, finalize, invoiceFor, newShop } from '../../services/invoices/test/support/invoices'
import { startInvoices } from '../../services/invoices/test/support/start-invoices'

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
export const CLIENT = 'padaria-sol'
const SECRET = 'secret-of-the-client-0123456789'
export const ANA = { name: 'Ana Souza', document: '12345678909' }
/** For a busy machine. */
const PATIENTLY = { timeoutMs: 60_000 }

const RULES = {
  // More than our own work takes on a busy machine.
  bankTimeoutMs: 30_000,
  resolveEveryMs: 250,
  resolveFirstMs: 20,
  resolveMaxMs: 50,
  absenceGraceMs: 0,
}

export type TestPix = Awaited<ReturnType<typeof startPix>>

/** The service with a real database, and the sandbox's bank over https. Sweepers run only on a test's call. */
export async function startPix(
  options: Pick<Parameters<typeof startInvoices>[0] & object, 'boletos' | 'mailer'> = {},
) {
  const network = await openTestNetwork()
  const { authority } = network
  const faults = new Faults()
  const tls = await authority.issue('bank')
  const bank = openPixBank({ dataDir: mkdtempSync(join(tmpdir(), 'pix-')), tls, bank: {} }, faults)
  // News is handed to the service by the test.
  bank.sender.holding = true
  const { url, stop: stopBank } = await listen(pixHost(bank), tls)
  const seller = openPartner(url, { ca: authority.cert, pair: await authority.issue('seller') })
  network.onClose(() => seller.close())
  const vault: { refuses: Error | undefined } = { refuses: undefined }
  const onCall = () => {
    if (vault.refuses) throw vault.refuses
  }
  const behind = createVault({ partner: withToken(seller), onCall })
  const { address } = await network.serve('vault', behind.services(createLog('vault', 'silent')))
  const pix = openPixDeps(await network.clientOf(VaultClient, address, 'invoices'), RULES)
  const invoices = await startInvoices({ ...options, pix })
  const charges = await invoices.network.clientOf(PixClient, invoices.address, 'gateway')
  const money = await invoices.network.clientOf(MoneyClient, invoices.address, 'gateway')
  const receipts = await invoices.network.clientOf(BoletosClient, invoices.address, 'gateway')
  const stop = async () => {
    await invoices.stop()
    await network.close()
    await stopBank()
    closePixBank(bank)
  }
  const accounts = behind.accounts
  return { ...invoices, charges, money, receipts, bank, faults, vault, accounts, stopBank, stop }
}

export async function listen(app: Parameters<typeof createServer>[1], tls: { cert: string; key: string }) {
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/** Signs in as the vault does. */
export function withToken(partner: Partner): Partner {
  const basic = Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')
  const signIn = async () => {
    const asked = await partner.call({
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
      timeoutMs: 10_000,
    })
    const body = asked.outcome === 'answered' ? asked.answer.body.toString() : '{}'
    return (JSON.parse(body) as { access_token?: string }).access_token ?? ''
  }
  return {
    close: () => partner.close(),
    call: async (call) => {
      const headers = { ...call.headers, authorization: `Bearer ${await signIn()}` }
      return partner.call({ ...call, headers })
    },
  }
}

/** A finalized invoice of a seller with a Pix account: 99.80, with `changes`. */
export async function newInvoice(
  pix: TestPix,
  changes: Parameters<typeof invoiceFor>[1] = {},
): Promise<Invoice> {
  const shop = await newShop(pix)
  pix.accounts.enabled.set(shop.sellerId, PIX_KEY)
  const invoice = await create(pix, invoiceFor(shop, changes))
  await finalize(pix, invoice)
  return invoice
}

export const ONLY_PIX = [
  {
    method: PaymentMethod.PIX,
    cardSettings: undefined,
    boletoSettings: undefined,
    pixSettings: { daysAfterDueDate: 30 },
  },
]

type Key = Pick<Invoice, 'sellerId' | 'id'>

export async function issue({ charges }: TestPix, { sellerId, id }: Key): Promise<PixCharge> {
  const { pix } = await callRpc(charges, charges.issuePix, { sellerId, invoiceId: id }, PATIENTLY)
  if (!pix) throw new Error('no charge was issued')
  return pix
}

export function issueAgain({ charges }: TestPix, { sellerId, id }: Key) {
  return callRepeatable(charges, charges.issuePix, { sellerId, invoiceId: id }, PATIENTLY)
}

export function read({ charges }: TestPix, { sellerId, invoiceId, id }: PixCharge): Promise<PixCharge> {
  return callRpc(charges, charges.readPix, { sellerId, invoiceId, pixId: id })
}

export function atBank({ bank }: TestPix, { txid }: Pick<PixCharge, 'txid'>): Charge {
  const charge = bank.charges.get(chargeKey({ client: CLIENT, txid }))
  if (!charge) throw new Error('the bank has no such charge')
  return charge
}

/** Pays at the bank what is due, or what `wanted` says. */
export function payAt(pix: TestPix, charge: PixCharge, wanted: Partial<Wanted> = {}) {
  return pay(pix.bank, atBank(pix, charge), { at: Date.now(), forced: false, payer: ANA, ...wanted })
}

/** Runs one turn of the sweeper over the charges that are due. */
export async function look({ deps, pool }: TestPix): Promise<void> {
  for (const txid of await PIX_LOOK.take({ ...deps, pool }, 100)) await PIX_LOOK.at(deps, txid)
}

/** Runs one turn of the sweeper over the Pix keys that are due. */
export async function lookAtKeys({ deps, pool }: TestPix): Promise<void> {
  for (const key of await takeDueKeys({ ...deps, pool }, 100)) await lookAtKey(deps, key)
}

/** Hands the service a notice of the bank about these txids. */
export async function tell(
  { charges, pool }: TestPix,
  txids: readonly string[],
  token?: string,
): Promise<void> {
  const { rows } = await pool.query<{ token: string }>('SELECT token FROM pix_accounts WHERE account = $1', [
    PIX_KEY,
  ])
  const pix = txids.map((txid) => ({ txid, endToEndId: 'E'.repeat(32), valor: '0.01' }))
  const body = Buffer.from(JSON.stringify({ pix }))
  await callRpc(charges, charges.takePixNotice, { token: token ?? rows[0]?.token ?? '', body })
}

export async function movementsOf(
  { money }: TestPix,
  { sellerId, id }: Key,
  of: { endToEndId?: string; txid?: string } = {},
): Promise<Movement[]> {
  const request = { sellerId, invoiceId: id, invoiceMustExist: false, page: 0, size: 100, ...of }
  return (await callRpc(money, money.listMovements, { ...ALL, ...request })).movements
}

const ALL = {
  from: undefined,
  to: undefined,
  kind: undefined,
  method: undefined,
  after: undefined,
  recordedFrom: undefined,
  recordedTo: undefined,
  invoiceMustExist: false,
  endToEndId: undefined,
  txid: undefined,
}

export async function unexpected({ receipts }: TestPix, { sellerId }: Pick<Invoice, 'sellerId'>) {
  const request = { sellerId, page: 0, size: 100, after: undefined, resolved: undefined }
  return (await callRpc(receipts, receipts.listUnexpectedReceipts, request)).receipts
}
