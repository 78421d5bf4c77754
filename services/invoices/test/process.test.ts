import { join } from 'node:path'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { InvoicesClient, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { PaymentsClient } from '@cofre/proto/invoices/v1/payments'
import { mail, passTime } from './support/emails'
import { create, DAY_MS, get, invoiceFor, newShop, pretendInTime } from './support/invoices'
import { pay, payAgain } from './support/payments'
import { withKey } from './support/repeated'
import { startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let events: TestDatabase
let program: ServiceProgram
let mailServer: TestMailServer
beforeAll(async () => {
  invoices = await startInvoices()
  mailServer = await startMailServer()
  const tls = await invoices.network.tlsFor('invoices')
  events = await createTestDatabase()
  const settings = {
    DATABASE_URL: invoices.url,
    EVENT_LOG_URL: events.url,
    PAST_DUE_EVERY_MS: '50',
    RESOLVE_EVERY_MS: '50',
    RESOLVE_FIRST_MS: '100',
    BASE_URL: 'https://pay.example.com',
    ORDERS_ADDRESS: invoices.behind.ordersAddress,
    NETWORK_TOKEN_ADDRESS: invoices.behind.tokensAddress,
    VAULT_ADDRESS: invoices.behind.vaultAddress,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Cofre <billing@example.com>',
  }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await invoices.stop()
  await events.drop()
  await mailServer.close()
})

test('the migrate argument applies the migrations and ends', async () => {
  const empty = await createTestDatabase()
  expect(await program.start(['migrate'], { DATABASE_URL: empty.url }).exited).toBe(0)
  await empty.pool.query('SELECT FROM customers, products, invoices')
  await empty.drop()
})

test('a bad setting ends the process, which names it', async () => {
  const { exited, stderr } = program.start([], { PAST_DUE_EVERY_MS: '1' })
  expect(await exited).toBe(1)
  expect(stderr()).toContain('PAST_DUE_EVERY_MS is invalid')
})

test('a process killed after it made an invoice goes on to send its events, and ends when asked to', async () => {
  const { network } = invoices
  const first = program.start()
  const dying = await network.clientOf(InvoicesClient, `127.0.0.1:${await first.serving}`, 'gateway')
  const shop = await newShop(invoices)
  const request = invoiceFor(shop, { dueDate: Date.now() - 30 * DAY_MS })
  const made = await withKey('killed', () => create({ client: dying }, request))
  first.kill('SIGKILL')
  await first.exited
  await pretendInTime(invoices, made)

  const second = program.start()
  const living = await network.clientOf(InvoicesClient, `127.0.0.1:${await second.serving}`, 'gateway')
  expect(await withKey('killed', () => create({ client: living }, request))).toEqual(made)
  await eventually(async () => {
    // An event published a moment before the kill may be there twice, with one id: consumers drop the second one.
    const { rows } = await events.pool.query(
      'SELECT type FROM event_log WHERE key = $1 GROUP BY id, type ORDER BY min(position)',
      [String(made.id)],
    )
    expect(rows).toEqual([{ type: 'invoice.created' }, { type: 'invoice.past_due' }])
  })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})

test('a process killed while the mail server holds its e-mail sends it again, under the same Message-ID', async () => {
  const { network } = invoices
  const { hooks, mails } = mailServer
  hooks.onMail = () => 'hang'
  const first = program.start()
  const dying = await network.clientOf(InvoicesClient, `127.0.0.1:${await first.serving}`, 'gateway')
  const invoice = await create({ client: dying }, invoiceFor(await newShop(invoices)))
  const { response } = await withKey('mail', () => mail({ client: dying }, invoice))
  await eventually(async () => expect(mails).toHaveLength(1))
  first.kill('SIGKILL')
  await first.exited
  hooks.onMail = () => undefined

  // The lease of the e-mail has ended.
  await passTime(invoices, 60_000)
  const second = program.start()
  const living = await network.clientOf(InvoicesClient, `127.0.0.1:${await second.serving}`, 'gateway')
  await eventually(async () => expect(mails).toHaveLength(2))
  expect(mails[1]?.messageId).toBe(mails[0]?.messageId)
  expect(await withKey('mail', () => mail({ client: living }, invoice))).toEqual({ response, replayed: true })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  expect(mails).toHaveLength(2)
})

test('a process killed while the orders service charges finds the outcome, and does not charge again', async () => {
  const { network } = invoices
  const { hooks, asked } = invoices.behind.orders
  const first = program.start()
  const port = await first.serving
  const dying = await network.clientOf(PaymentsClient, `127.0.0.1:${port}`, 'gateway')
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  hooks.before = () => held
  const answer = withKey('charged', () => pay({ payments: dying }, invoice)).catch(() => 'lost')
  await eventually(async () => expect(asked.authorize).toHaveLength(1))
  first.kill('SIGKILL')
  await first.exited
  expect(await answer).toBe('lost')
  go()

  const second = program.start()
  const living = await network.clientOf(PaymentsClient, `127.0.0.1:${await second.serving}`, 'gateway')
  await eventually(async () => expect((await get(invoices, invoice)).status).toBe(InvoiceStatus.PAID))
  expect(asked.authorize).toHaveLength(1)
  const repeat = await withKey('charged', () => payAgain({ payments: living }, invoice))
  expect(repeat).toMatchObject({ replayed: true, response: { transactions: [{ chargeId: 1 }] } })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})
