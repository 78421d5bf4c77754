import { callRpc } from '@cofre/platform/grpc/client'
import type { Loop } from '@cofre/platform/service/lifecycle'
import {
  EndpointDisablingReason,
  UserLettersClient,
  type SendPasswordLinkRequest,
  type TellOfDisabledEndpointRequest,
} from '@cofre/proto/invoices/v1/user_letters'
import { eventually } from '@cofre/testing/testing'
import { tellOfDisabledEndpoint } from '../../src/letters/rpc/tell-of-disabled-endpoint'
import { sendPasswordLink } from '../../src/letters/rpc/send-password-link'
import { startSendingUserLetters } from '../../src/letters/send-user-letters'
import { forgetUserLetters } from '../../src/letters/users/user-letter-store'
import { saveTheme } from '../../src/catalog/themes/theme-store'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'
import { startMailing, type MailingInvoices } from '../support/emails'

const MOMENT = Date.parse('2027-03-01T12:00:00-03:00')

let invoices: MailingInvoices
let client: UserLettersClient
const sweepers: Loop[] = []
beforeAll(async () => {
  invoices = await startMailing()
  client = await invoices.network.clientOf(UserLettersClient, invoices.address, 'gateway')
})
beforeEach(async () => {
  invoices.server.mails.length = 0
  await invoices.pool.query('DELETE FROM user_letters')
})
afterEach(async () => {
  Object.assign(invoices.server.hooks, { onRecipient: () => undefined })
  await Promise.all(sweepers.splice(0).map((each) => each.stop()))
})
afterAll(() => invoices.stop())

const request = (changes: Partial<TellOfDisabledEndpointRequest> = {}): TellOfDisabledEndpointRequest => ({
  sellerId: 7,
  cause: 'disabled 1',
  recipients: ['ana@example.com', 'rui@example.com'],
  language: 'pt-BR',
  endpointId: 12,
  url: 'https://shop.example/hooks?a=1&b=<2>',
  reason: EndpointDisablingReason.GONE,
  disabledAt: MOMENT,
  ...changes,
})
const tell = (changes: Partial<TellOfDisabledEndpointRequest> = {}) =>
  callRpc(client, client.tellOfDisabledEndpoint, request(changes))
const sweep = () => void sweepers.push(startSendingUserLetters(invoices.emailDeps))
const statuses = async (): Promise<string[]> => {
  const { rows } = await invoices.pool.query<{ status: string }>(
    'SELECT status::text FROM user_letters ORDER BY status::text',
  )
  return rows.map(({ status }) => status)
}
const untilSent = (count: number) =>
  eventually(async () => expect(await statuses()).toEqual(Array(count).fill('SENT')))

test('each user gets one e-mail, for any number of requests and replicas', async () => {
  await Promise.all([tell(), tell(), tell()])
  await tell()
  sweep()
  sweep()
  await untilSent(2)
  await tell()
  await untilSent(2)
  const recipients = invoices.server.mails.map((mail) => mail.recipients.join())
  expect(recipients.toSorted((one, other) => one.localeCompare(other))).toEqual([
    'ana@example.com',
    'rui@example.com',
  ])
})

test('the e-mail explains in Portuguese the failure, its time and the remedy, in the seller’s colors', async () => {
  const updatedAt = Date.now()
  await saveTheme(invoices.pool, { ...DEFAULT_THEME, primaryColor: '#0B7A4B', sellerId: 7, updatedAt })
  await tell({ recipients: ['ana@example.com'] })
  sweep()
  await untilSent(1)
  const [mail] = invoices.server.mails
  expect(mail?.subject).toBe('O endpoint de webhook 12 foi desativado')
  expect(mail?.from).toEqual({ name: 'Cofre', address: 'billing@example.com' })
  for (const part of [
    'Ele respondeu 410 (Gone)',
    '12, https://shop.example/hooks?a=1&b=<2>',
    '01/03/2027',
    'https://pay.example.com/portal/endpoints/12',
  ])
    expect(mail?.text).toContain(part)
  expect(mail?.html).toContain('hooks?a=1&amp;b=&lt;2&gt;')
  expect(mail?.html).toContain('#0B7A4B')
  expect(mail?.html).toContain('<html lang="pt-BR">')
})

test('the e-mail is in English, after five days of failures', async () => {
  const reason = EndpointDisablingReason.FAILING
  await tell({ cause: 'disabled 2', language: 'en', recipients: ['ana@example.com'], reason })
  sweep()
  await untilSent(1)
  const [mail] = invoices.server.mails
  expect(mail?.subject).toBe('Cofre disabled your webhook endpoint 12')
  expect(mail?.text).toContain('Every delivery to it failed for five days')
})

test('a mail server in trouble delays the e-mail, and a refused address is not tried again', async () => {
  let isBusy = true
  invoices.server.hooks.onRecipient = (address: string) => {
    if (address === 'rui@example.com') return { status: 550 }
    return isBusy ? { status: 451 } : undefined
  }
  await tell()
  sweep()
  await eventually(async () => expect(await statuses()).toEqual(['REFUSED', 'WAITING']))
  await eventually(async () => {
    const { rows } = await invoices.pool.query('SELECT asks FROM user_letters ORDER BY asks DESC LIMIT 1')
    expect(rows[0].asks).toBe(1)
  })
  isBusy = false
  await eventually(async () => {
    await invoices.pool.query(
      "UPDATE user_letters SET ask_at = now() - interval '1 second' WHERE status = 'WAITING'",
    )
    expect(await statuses()).toEqual(['REFUSED', 'SENT'])
  })
  expect(invoices.server.mails).toHaveLength(1)
})

test('a request without a mail server, a cause or a URL is refused', async () => {
  const { pool, log } = invoices.deps
  await expect(tellOfDisabledEndpoint({ pool, log, mailer: undefined }, request())).rejects.toMatchObject({
    reason: 'EMAIL_NOT_SET_UP',
  })
  await expect(tell({ cause: '', url: '' })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  expect(await statuses()).toEqual([])
})

test('addresses are forgotten after 30 days', async () => {
  await tell()
  await invoices.pool.query(
    "UPDATE user_letters SET created_at = now() - interval '31 days' WHERE recipient LIKE 'ana%'",
  )
  expect(await forgetUserLetters(invoices.pool)).toBe(1)
  expect(await statuses()).toEqual(['WAITING'])
})

describe('a link by which a password is chosen', () => {
  const path = (letter: string) => `/portal/join/${letter.repeat(43)}`
  const link = (changes: Partial<SendPasswordLinkRequest> = {}) => ({
    sellerId: 7,
    recipient: 'nova@example.com',
    language: 'pt-BR',
    path: path('a'),
    isInvitation: true,
    sellerName: 'Padaria\nAurora',
    endsAt: MOMENT,
    ...changes,
  })

  test('is mailed once, and forgotten once the e-mail is sent', async () => {
    await Promise.all([1, 2, 3].map(() => callRpc(client, client.sendPasswordLink, link())))
    sweep()
    await untilSent(1)
    await callRpc(client, client.sendPasswordLink, link())
    await untilSent(1)
    const [mail, ...others] = invoices.server.mails
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual(['nova@example.com'])
    expect(mail?.subject).toBe('Padaria Aurora convidou você para o Cofre')
    expect(mail?.text).toContain(`https://pay.example.com${path('a')}`)
    expect(mail?.text).toContain('01/03/2027')
    const { rows } = await invoices.pool.query('SELECT facts::text, cause FROM user_letters')
    expect(JSON.stringify(rows)).not.toContain('a'.repeat(43))
  })

  test('for a new password, in English', async () => {
    const english = link({ path: path('b'), isInvitation: false, language: 'en' })
    await callRpc(client, client.sendPasswordLink, english)
    sweep()
    await untilSent(1)
    expect(invoices.server.mails[0]?.subject).toBe('Choose a new password for Cofre')
  })

  test('leads nowhere else, and needs a mail server', async () => {
    const elsewhere = callRpc(client, client.sendPasswordLink, link({ path: '//evil.example/x' }))
    await expect(elsewhere).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/path', code: 'FORMAT' }] },
    })
    const { pool, log } = invoices.emailDeps
    await expect(sendPasswordLink({ pool, log, mailer: undefined }, link())).rejects.toMatchObject({
      reason: 'EMAIL_NOT_SET_UP',
    })
    expect(await statuses()).toEqual([])
  })
})
