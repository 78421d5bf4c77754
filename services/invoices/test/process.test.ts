import { join } from 'node:path'
import { callRpc } from '@cofre/platform/grpc/client'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase } from '@cofre/testing/testing'
import { CustomersClient } from '@cofre/proto/invoices/v1/customers'
import { ANA } from './support/customers'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let program: ServiceProgram
beforeAll(async () => {
  invoices = await startInvoices()
  const tls = await invoices.network.tlsFor('invoices')
  const settings = { DATABASE_URL: invoices.url }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await invoices.stop()
})

test('the migrate argument applies the migrations and ends', async () => {
  const empty = await createTestDatabase()
  expect(await program.start(['migrate'], { DATABASE_URL: empty.url }).exited).toBe(0)
  await empty.pool.query('SELECT FROM customers, products')
  await empty.drop()
})

test('a bad setting ends it, with its name', async () => {
  const { exited, stderr } = program.start([], { DATABASE_POOL: '1' })
  expect(await exited).toBe(1)
  expect(stderr()).toContain('DATABASE_POOL is bad')
})

test('it serves, and ends when it is asked to', async () => {
  const running = program.start()
  const { network } = invoices
  const client = await network.clientOf(CustomersClient, `localhost:${await running.serving}`, 'gateway')
  const sellerId = newSeller()
  expect(await callRpc(client, client.createCustomer, { sellerId, fields: ANA })).toMatchObject({
    fields: ANA,
  })
  running.kill('SIGTERM')
  expect(await running.exited).toBe(0)
})
