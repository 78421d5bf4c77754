import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { openPartner } from '@cofre/platform/outbound/partner-call'
import { openTestNetwork } from '@cofre/testing/test-network'
import { ChargePixRequest, type Charge } from '@cofre/proto/orders/v1/orders'
import { Faults, type Fault } from '../../sandbox/src/faults'
import { chargeKey, type Charge as AtBank } from '../../sandbox/src/pix/charges/charge'
import { pay, type Wanted } from '../../sandbox/src/pix/charges/payment'
import { closePixBank, openPixBank } from '../../sandbox/src/pix/pix-bank'
import { pixHost } from '../../sandbox/src/pix/pix-host'
import { compareBooks } from '../../services/orders/src/sweepers/compare-books'
import { resolvePending } from '../../services/orders/test/support/resolve-pending'
import { get, startOrders } from '../../services/orders/test/support/start-orders'
import { ANA, CLIENT, listen, PIX_KEY, withToken } from './start-pix'

export type PixOrders = Awaited<ReturnType<typeof startPixOrders>>

/** The service of orders with a real database, and the sandbox's bank over https. Sweepers run only on a test's call. */
export async function startPixOrders() {
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
  const orders = await startOrders({ absenceGraceMs: 0 }, () => withToken(seller))
  const stop = async () => {
    await orders.stop()
    await network.close()
    await stopBank()
    closePixBank(bank)
  }
  /** Has the books of a charge compared, as a day after its last change. */
  const compare = async ({ id }: Charge) => {
    await orders.pool.query(
      `UPDATE charges SET compare_at = now() - interval '1 minute', updated_at = updated_at - interval '2 days' WHERE id = $1`,
      [id],
    )
    await orders.pool.query("UPDATE comparison_turn SET next_at = now() - interval '1 minute'")
    await compareBooks(orders.deps)
  }
  return { ...orders, bank, faults, compare, stop }
}

/** A seller with a Pix account; each test has its own. */
export function newPixSeller({ accounts }: PixOrders): number {
  const sellerId = 1 + randomBytes(4).readUInt32BE()
  accounts.enabled.set(sellerId, PIX_KEY)
  return sellerId
}

/** For a busy machine. */
const PATIENTLY = { timeoutMs: 60_000 }

export function orderOf(sellerId: number, changes: Partial<ChargePixRequest> = {}): ChargePixRequest {
  return ChargePixRequest.fromPartial({
    sellerId,
    amount: 12_345,
    customer: ANA,
    expiresInSeconds: 3_600,
    orderReference: 'A-1',
    ...changes,
  })
}

/** A charge that the bank has registered. */
export function charge(pix: PixOrders, changes: Partial<ChargePixRequest> = {}): Promise<Charge> {
  const { client } = pix
  return callRpc(client, client.chargePix, orderOf(newPixSeller(pix), changes), PATIENTLY)
}

export function chargeAgain({ client }: PixOrders, request: ChargePixRequest) {
  return callRepeatable(client, client.chargePix, request, PATIENTLY)
}

export function txidOf({ payments: [payment] }: Charge): string {
  return payment?.acquirer?.orderNumber ?? ''
}

export function atBank({ bank }: PixOrders, of: Charge): AtBank {
  const found = bank.charges.get(chargeKey({ client: CLIENT, txid: txidOf(of) }))
  if (!found) throw new Error('the bank has no such charge')
  return found
}

/** Pays at the bank what is asked for, or what `wanted` says. */
export function payAt(pix: PixOrders, of: Charge, wanted: Partial<Wanted> = {}) {
  return pay(pix.bank, atBank(pix, of), { at: Date.now(), forced: false, payer: ANA, ...wanted })
}

/** Hands the service a notice of the bank about these txids. */
export async function tell({ client }: PixOrders, ...txids: string[]): Promise<void> {
  const body = Buffer.from(JSON.stringify({ pix: txids.map((txid) => ({ txid })) }))
  await callRpc(client, client.takePixHint, { body, listed: [] })
}

/** Hands the service what the bank lists of a charge, as invoices do each night. Returns how many charges are due then. */
export async function list({ client, pool, bank }: PixOrders, of: Charge): Promise<number> {
  const received = bank.received.all().filter(({ txid }) => txid === txidOf(of))
  const listed = received.map(({ endToEndId, devolutions }) => {
    const gone = devolutions.filter(({ status }) => status === 'DEVOLVIDO')
    return { txid: txidOf(of), endToEndId, returnedAmount: gone.reduce((sum, { amount }) => sum + amount, 0) }
  })
  await callRpc(client, client.takePixHint, { body: Buffer.alloc(0), listed })
  const { rowCount } = await pool.query('SELECT FROM charges WHERE id = $1 AND ask_at <= now()', [of.id])
  return rowCount ?? 0
}

/** Has the bank report a charge, and looks at it. Returns the charge. */
export async function told(pix: PixOrders, of: Charge): Promise<Charge> {
  await tell(pix, txidOf(of))
  await resolvePending(pix.deps)
  return get(pix, of)
}

/** Pays a charge, and returns it captured. */
export async function paid(pix: PixOrders, of: Charge): Promise<Charge> {
  payAt(pix, of)
  return told(pix, of)
}

/** The money that the bank has of a seller's charge, and what it gave back. */
export function books({ bank }: PixOrders, of: Charge) {
  return bank.received
    .all()
    .filter(({ txid }) => txid === txidOf(of))
    .map(({ amount, devolutions }) => ({
      amount,
      returned: devolutions.filter(({ status }) => status === 'DEVOLVIDO').map((one) => one.amount),
    }))
}

export function nextChange({ faults }: PixOrders, kind: Fault['kind'], times = 1): void {
  faults.add({ partner: 'PIX_BANK', kind, times, delayMs: 0, changes: true, queries: false })
}

/** Lets a charge's time to be paid pass, at the bank too. */
export async function expire(pix: PixOrders, of: Charge): Promise<void> {
  const found = atBank(pix, of)
  pix.bank.charges.save({ ...found, createdAt: found.createdAt - 86_400_000 })
  await pix.pool.query(
    "UPDATE payments SET pix_expires_at = now() - interval '1 second' WHERE charge_id = $1",
    [of.id],
  )
}
