import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { freePorts } from '../../engines/src/ports'
import { startDatabase, type DatabaseServer } from '../../local/src/database'
import { eventually } from '@cofre/testing/testing'
import { authorize, cardToken, discard, startSystem, type System } from '../journeys/system'
import { startBusySellers, untilDelivered } from './busy-sellers'

/** How long a database is away; the variable for the long form is that of the other engines. */
const AWAY_MS = Number(process.env['ENGINES_AWAY_SECONDS'] ?? 2) * 1_000
const TIMEOUT_MS = AWAY_MS + 300_000

describe.each(['orders', 'notifier'] as const)('the PostgreSQL of %s alone', (service) => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-database-'))
  let port = 0
  let database: DatabaseServer
  let system: System
  const start = () => startDatabase(join(dir, 'postgres'), port, { unsynced: true })

  beforeAll(async () => {
    chmodSync(dir, 0o755) // For root, PostgreSQL runs as another user, who needs access.
    ;[port = 0] = await freePorts(1)
    database = await start()
    system = await startSystem(undefined, {
      adapt: (name, own) => (name === service ? { ...own, DATABASE_URL: database.url } : own),
    })
  })
  afterAll(async () => {
    await discard(system)
    await database.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const asksIt = () =>
    service === 'orders' ? authorize(system, 0) : system.api('GET', '/api/v2/webhooks/secret')
  const stateOf = async () => (await system.api('GET', '/readyz', { token: null })).body.dependencies[service]

  test.each([
    ['lets nobody in', false, 'ALTER ROLE %I NOLOGIN', 'ALTER ROLE %I LOGIN'],
    [
      'only reads, as an old server after a failover',
      true,
      'ALTER ROLE %I SET default_transaction_read_only = on',
      'ALTER ROLE %I RESET default_transaction_read_only',
    ],
  ])(
    '%s: its calls get 503, /readyz names it, and it is back by itself',
    async (_case, reads, break_, mend) => {
      const admin = new Client({ connectionString: database.url })
      await admin.connect()
      const alter = (statement: string) =>
        admin.query(`SET default_transaction_read_only = off; DO $$ BEGIN
          EXECUTE format('${statement}', current_user);
          PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database(); END $$`)
      await alter(break_)
      await eventually(async () => {
        const { status, body, headers } = await asksIt()
        // The notifier reads its answer, and an old server still answers that.
        const answered =
          reads && service === 'notifier' ? [200, undefined, null] : [503, 'SERVICE_UNAVAILABLE', '1']
        expect([status, body.code, headers.get('retry-after')]).toEqual(answered)
        expect(await stateOf()).toBe('DOWN')
      })
      await alter(mend)
      await admin.end()
      await eventually(async () => {
        expect((await asksIt()).status).toBeLessThan(300)
        expect(await stateOf()).toBe('UP')
      })
    },
    TIMEOUT_MS,
  )

  test(
    'is killed: its calls get 503, or 504 if under way; other calls work; every event arrives once it is back',
    async () => {
      const busy = await startBusySellers(system, 1, service)
      await eventually(() => expect(busy.made.length).toBeGreaterThan(2))
      await database.kill()
      await eventually(async () => {
        const { status, body } = await asksIt()
        expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      })
      expect(await cardToken(system, 0)).toHaveLength(64)
      if (service === 'notifier') expect((await authorize(system, 0)).body.status).toBe('AUTHORIZED')
      await pause(AWAY_MS)
      expect((await asksIt()).status).toBe(503)

      database = await start()
      await eventually(async () => expect((await asksIt()).status).toBeLessThan(300))
      await busy.stop()
      expect(busy.failures.filter((each) => !/ 503 | 504 /.test(each))).toEqual([])
      expect(await untilDelivered(system, busy.made)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
