import { join } from 'node:path'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { InvoicesClient } from '@cofre/proto/invoices/v1/invoices'
import { create, DAY_MS, invoiceFor, newShop } from './support/invoices'
import { withKey } from './support/repeated'
import { startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let events: TestDatabase
let program: ServiceProgram
beforeAll(async () => {
  invoices = await startInvoices()
  const tls = await invoices.network.tlsFor('invoices')
  events = await createTestDatabase()
  const settings = { DATABASE_URL: invoices.url, EVENT_LOG_URL: events.url, PAST_DUE_EVERY_MS: '50' }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await invoices.stop()
  await events.drop()
})

test('the migrate argument applies the migrations and ends', async () => {
  const empty = await createTestDatabase()
  expect(await program.start(['migrate'], { DATABASE_URL: empty.url }).exited).toBe(0)
  await empty.pool.query('SELECT FROM customers, products, invoices')
  await empty.drop()
})

test('a bad setting ends it, with its name', async () => {
  const { exited, stderr } = program.start([], { PAST_DUE_EVERY_MS: '1' })
  expect(await exited).toBe(1)
  expect(stderr()).toContain('PAST_DUE_EVERY_MS is bad')
})

test('killed after an invoice was made, it goes on to tell of it and of its lateness; then it ends when asked to', async () => {
  const { network } = invoices
  const first = program.start()
  const dying = await network.clientOf(InvoicesClient, `localhost:${await first.serving}`, 'gateway')
  const shop = await newShop(invoices)
  const request = invoiceFor(shop, { dueDate: Date.now() - 30 * DAY_MS })
  const made = await withKey('killed', () => create({ client: dying }, request))
  first.kill('SIGKILL')
  await first.exited

  const second = program.start()
  const living = await network.clientOf(InvoicesClient, `localhost:${await second.serving}`, 'gateway')
  expect(await withKey('killed', () => create({ client: living }, request))).toEqual(made)
  await eventually(async () => {
    // One that was published a moment before the kill may be there twice, with one id: consumers drop the second.
    const { rows } = await events.pool.query(
      'SELECT type FROM event_log WHERE key = $1 GROUP BY id, type ORDER BY min(position)',
      [String(made.id)],
    )
    expect(rows).toEqual([{ type: 'invoice.created' }, { type: 'invoice.past_due' }])
  })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})
