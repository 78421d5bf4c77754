import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { eventually } from '@cofre/testing/testing'
import { startBusySellers, untilDelivered } from '../engines/busy-sellers'
import { authorize, forget, type Answer } from '../journeys/system'
import { startBusyInvoices } from './busy-invoices'
import { startBusyPayers, takenFor } from './busy-payers'
import { startBusyVouchers, type GivenBack } from './busy-vouchers'
import { startReplicas, type Replicated } from './replicas'

/** Rounds of restarting each replica of each service. ROLLED_ROUNDS=10 npx jest test/rolled is the long form. */
const ROUNDS = Number(process.env['ROLLED_ROUNDS'] ?? 1)
const SELLERS = 4
// Ends a test that hangs. The slowest machine that was met took 25 s to start a service; a round starts fourteen.
const TIMEOUT_MS = 300_000 + ROUNDS * 600_000

let replicas: Replicated
beforeAll(async () => {
  replicas = await startReplicas({
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    HTTP_DRAIN_MS: '5000', // As in production; `npm start` has less.
    // A busy partner or database must not count as one that is away.
    HTTP_TIMEOUT_MS: '120000',
    DATABASE_TIMEOUT_MS: '60000',
    ISSUER_TIMEOUT_MS: '25000',
    BANK_TIMEOUT_MS: '25000',
  })
})
afterAll(async () => {
  await replicas.stop()
  forget(replicas.system.runDir)
})

/** The warnings of the services, without those about answers that are lost on purpose. */
function warningsOf(runDir: string): string {
  const logs = join(runDir, 'logs')
  const lines = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'))
  return lines.filter((line) => /"level":(40|50)/.test(line) && !line.includes('POST /1/sales')).join('\n')
}

test(
  'a rolling restart of every service under load fails no request and does nothing twice',
  async () => {
    const { balanced, system } = replicas
    const busy = await startBusySellers(balanced, SELLERS, 'rolled')
    const vouchers = startBusyVouchers(balanced, 'rolled-vouchers')
    const invoices = await startBusyInvoices(balanced)
    const payers = await startBusyPayers(balanced)
    const lost: Answer[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const service of SERVICE_NAMES) {
        for (const replica of [0, 1] as const) {
          const made = busy.made.length
          // The acquirer's answer is lost: the sweepers of both replicas settle the charge while they are restarted.
          lost.push(await authorize(balanced, 9))
          await replicas.restart(service, replica)
          await eventually(() => expect(busy.made.length).toBeGreaterThan(made))
        }
      }
    }
    await Promise.all([busy, vouchers, invoices, payers].map((load) => load.stop()))
    const failures = [busy, vouchers, invoices, payers].flatMap((load) => load.failures)
    if (failures.length > 0) process.stderr.write(`${warningsOf(system.runDir)}\n`)
    expect(failures).toEqual([])
    expect(vouchers.holders()).toBeGreaterThan(0)
    expect(invoices.billed.length).toBeGreaterThan(0)
    const { card, boleto, cycle } = payers.paid
    expect(Math.min(card.length, boleto.length, cycle.length)).toBeGreaterThan(0)

    expect(await untilDelivered(system, busy.made)).toEqual([])
    const told = await webhookIds(busy.made.map(({ inbox }) => inbox))
    expect(told.length).toBe(new Set(told).size)
    await invoices.untilTold()
    const numbers = invoices.billed.map(({ invoiceNumber }) => invoiceNumber).toSorted()
    expect(numbers).toEqual(numbers.map((_number, at) => String(at + 1).padStart(6, '0')))
    expect(await takenFor(balanced, card)).toEqual(card.map(() => [9_980]))
    expect(await takenFor(balanced, cycle)).toEqual(cycle.map(() => [4_990]))
    for (const { body } of lost) await settlesOnce(body.id)
    for (const payment of vouchers.givenBack) await isGivenBackOnce(payment)
    await eventually(async () => expect(await openGrants()).toBe(0))
    const cut = [...replicas.logs()].filter(([, text]) => text.includes('did not stop within'))
    expect(cut.map(([name]) => name)).toEqual([])
    process.stderr.write(
      `${busy.made.length} charges, ${vouchers.givenBack.length} vouchers, ${vouchers.holders()} redirects, ${told.length} notifications, ${invoices.billed.length} invoices, paid ${card.length} by card, ${boleto.length} by boleto, ${cycle.length} cycles, ${ROUNDS * SERVICE_NAMES.length * 2} restarts\n`,
    )
  },
  TIMEOUT_MS,
)

async function webhookIds(inboxes: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const inbox of new Set(inboxes)) {
    const messages: { headers: Record<string, string> }[] = await replicas.system.sandbox(
      'GET',
      `/inbox/${inbox}`,
    )
    ids.push(...messages.map(({ headers }) => headers['webhook-id'] ?? ''))
  }
  return ids
}

async function settlesOnce(id: number): Promise<void> {
  const charge = await eventually(async () => {
    const { body } = await replicas.balanced.api('GET', `/api/v2/charges/${id}`)
    expect(body.status).toBe('AUTHORIZED')
    return body
  })
  const { orderNumber } = charge.payments[0].acquirer
  const payments = await replicas.system.sandbox('GET', `/acquirer/payments?merchantOrderId=${orderNumber}`)
  expect(payments).toHaveLength(1)
}

async function isGivenBackOnce({ orderNumber }: GivenBack): Promise<void> {
  const payments = await replicas.system.sandbox('GET', `/vouchers/payments?orderNumber=${orderNumber}`)
  expect(payments).toEqual([expect.objectContaining({ status: 'CANCELED' })])
}

/** The number of open grants at the identity provider: every token by redirect is deleted at the end. */
async function openGrants(): Promise<number> {
  const grants: { revoked: boolean }[] = await replicas.system.sandbox('GET', '/identity/grants')
  return grants.filter(({ revoked }) => !revoked).length
}
