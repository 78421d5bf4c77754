import { createTransport } from 'nodemailer'
import { startTestSandbox, type Json, type TestSandbox } from '../support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterEach(async () => {
  await sandbox.control('DELETE', '/faults')
  await sandbox.control('DELETE', '/mailbox')
})
afterAll(() => sandbox.end())

const LETTER = {
  from: 'Loja <billing@example.com>',
  to: 'ana@example.com',
  subject: 'Sua fatura chegou: R$ 10,00',
  text: 'Olá, Ana!',
  html: '<p>Olá, <b>Ana</b>!</p>',
}
/** Sends a mail as a client that insists on TLS and signs in. */
const send = (letter: object = {}) =>
  createTransport({
    host: 'localhost',
    port: Number(new URL(sandbox.mailUrl).port),
    requireTLS: true,
    auth: { user: 'anybody', pass: 'anything' },
    tls: { ca: sandbox.config.tls.cert },
  }).sendMail({ ...LETTER, ...letter })
const mailbox = async (to = LETTER.to): Promise<Json[]> =>
  (await sandbox.control('GET', `/mailbox?to=${encodeURIComponent(to)}`)).body
const fault = (kind: string, more: object = {}) =>
  sandbox.control('POST', '/faults', { partner: 'MAIL_SERVER', kind, ...more })

test("a mail is in its receiver's mailbox as it was written", async () => {
  const start = Date.now()
  await send({ attachments: [{ filename: 'boleto.pdf', content: 'PDF', contentType: 'application/pdf' }] })
  const [mail, ...others] = await mailbox('ANA@example.com')
  expect(others).toEqual([])
  const { id, receivedAt, text, html, messageId, ...rest } = mail
  expect(rest).toEqual({
    from: 'billing@example.com',
    to: LETTER.to,
    subject: LETTER.subject,
    attachments: [{ filename: 'boleto.pdf', contentType: 'application/pdf', size: 3 }],
  })
  expect([text.trim(), html.trim(), typeof id]).toEqual([LETTER.text, LETTER.html, 'string'])
  expect(messageId).toMatch(/^<.+@example\.com>$/)
  expect(receivedAt).toBeGreaterThanOrEqual(start)
  expect(await mailbox('bruno@example.com')).toEqual([])
})

test('a mail to two is in both mailboxes; the newest comes first', async () => {
  await send({ to: ['ana@example.com', 'bruno@example.com'], subject: 'first' })
  await send({ subject: 'second' })
  expect((await mailbox()).map(({ subject }) => subject)).toEqual(['second', 'first'])
  expect(await mailbox('bruno@example.com')).toHaveLength(1)
  expect((await sandbox.control('GET', '/mailbox')).body).toHaveLength(3)
})

test('a mail that repeats its Message-ID is shown once', async () => {
  await send({ messageId: '<one@example.com>' })
  await send({ messageId: '<one@example.com>' })
  await send({ messageId: '<two@example.com>' })
  expect(await mailbox()).toHaveLength(2)
})

test('an address that begins with refused has no mailbox', async () => {
  await expect(send({ to: 'refused@example.com' })).rejects.toMatchObject({ responseCode: 550 })
})

test.each(['HTTP_500', 'NOT_REACHED'])('%s: the mail is not accepted, and the next one is', async (kind) => {
  await fault(kind)
  await expect(send()).rejects.toThrow()
  expect(await mailbox()).toEqual([])
  await send()
  expect(await mailbox()).toHaveLength(1)
})

test.each(['DONE_500', 'ANSWER_LOST'])(
  '%s: the mail is accepted, but its sender gets no confirmation',
  async (kind) => {
    await fault(kind)
    await expect(send()).rejects.toThrow()
    expect(await mailbox()).toHaveLength(1)
  },
)

test('SLOW: the mail is accepted, and answered after the delay', async () => {
  await fault('SLOW', { delayMs: 50 })
  await send()
  expect(await mailbox()).toHaveLength(1)
})

test('a mail that is too long is refused', async () => {
  await expect(send({ text: 'a'.repeat(1_200_000) })).rejects.toMatchObject({ responseCode: 552 })
})

test('only the newest 1000 are kept', async () => {
  const to = Array.from({ length: 101 }, (_, at) => `ana${at}@example.com`)
  for (let round = 0; round < 10; round += 1) await send({ to, subject: String(round) })
  expect((await sandbox.control('GET', '/mailbox')).body).toHaveLength(1_000)
  expect((await mailbox('ana0@example.com')).at(-1).subject).toBe('1')
})

test('a mail is shown as a page that runs no script, and the sandbox’s page links to it', async () => {
  await send({ html: '<script>alert(1)</script><p>hello</p>' })
  const [{ id, subject }] = await mailbox()
  const { status, headers, body } = await sandbox.control('GET', `/mailbox/${id}`)
  expect([status, body.trim()]).toEqual([200, '<script>alert(1)</script><p>hello</p>'])
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-popups; default-src 'none'/)
  const page = (await sandbox.control('GET', '/')).body
  expect(page).toContain(`href="/mailbox/${id}">${subject}</a>`)
  expect((await sandbox.control('GET', '/mailbox/none')).status).toBe(404)
})
