import { join } from 'node:path'
import { createTestDatabase } from '@cofre/testing/testing'
import { serviceProgram, type Program } from '@cofre/testing/service-program'
import type { TestInvoices } from './start-invoices'

export type Killable = {
  /** The port of the running program. */
  port(): Promise<number>
  /** Kills the running program, as the machine would. */
  kill(): void
  /** Waits for its end, runs `meanwhile`, and starts another one in its place. */
  startAgain(meanwhile?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** The built service on the database of a test, with its sweepers, and with short waits. */
export async function startKillable(invoices: TestInvoices): Promise<Killable> {
  const events = await createTestDatabase()
  const { ordersAddress, tokensAddress, vaultAddress } = invoices.behind
  const settings = {
    DATABASE_URL: invoices.url,
    EVENT_LOG_URL: events.url,
    BILLING_EVERY_MS: '50',
    RESOLVE_EVERY_MS: '50',
    RESOLVE_FIRST_MS: '100',
    RESOLVE_MAX_MS: '1000',
    ORDERS_TIMEOUT_MS: '3000',
    ABSENCE_GRACE_MS: '1000',
    BASE_URL: 'https://pay.example.com',
    ORDERS_ADDRESS: ordersAddress,
    NETWORK_TOKEN_ADDRESS: tokensAddress,
    VAULT_ADDRESS: vaultAddress,
  }
  const tls = await invoices.network.tlsFor('invoices')
  const service = serviceProgram(join(__dirname, '../../dist/main.js'), { tls, settings })
  let program: Program = service.start()
  return {
    port: () => program.serving,
    kill: () => program.kill('SIGKILL'),
    startAgain: async (meanwhile = async () => {}) => {
      await program.exited
      await meanwhile()
      program = service.start()
      await program.serving
    },
    stop: async () => {
      await service.remove()
      await events.drop()
    },
  }
}

/** Ends the leases of automatic charges, and their waits after calls that did not reach the acquirer. */
export async function endWaits({ pool }: Pick<TestInvoices, 'pool'>): Promise<void> {
  await pool.query(
    `UPDATE automatic_charges SET leased_until = 'epoch', next_attempt_at = least(next_attempt_at, now())
     WHERE status = 'WAITING'`,
  )
}
