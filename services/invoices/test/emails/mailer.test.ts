import { createAuthority } from '@cofre/testing/certificates'
import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import type { MailServer } from '../../src/letters/mailer/mail-settings'
import type { Mail } from '../../src/letters/mailer/mailer'
import { smtpMailer } from '../../src/letters/mailer/smtp-mailer'

let authority: { cert: string }
let secured: TestMailServer
let plain: TestMailServer
beforeAll(async () => {
  const made = await createAuthority()
  authority = { cert: made.cert }
  secured = await startMailServer({ ...(await made.issue('mail')), authOptional: false })
  plain = await startMailServer()
})
afterAll(() => Promise.all([secured.close(), plain.close()]))

const MAIL: Mail = {
  to: { name: 'Ana', address: 'ana@example.com' },
  fromName: null,
  messageId: '6f1e9c4a-20d5-4c3b-9a4e-0d7b5f1c2e3a',
  language: 'pt-BR',
  subject: 'Olá',
  text: 'Olá, Ana!',
  html: '<p>Olá, Ana!</p>',
}
const mailerOf = (changes: Partial<MailServer>, trusted?: string, sendMs?: number) =>
  smtpMailer({
    server: {
      host: 'localhost',
      port: secured.port,
      isSecure: false,
      mustUpgrade: true,
      user: 'cofre',
      password: 'p:@/ss',
      ...changes,
    },
    from: { name: 'Cofre', address: 'billing@example.com' },
    authority: trusted,
    ...(sendMs === undefined ? {} : { sendMs }),
  })

test('a letter leaves over TLS, signed in, under the deployment’s name if the seller has none', async () => {
  expect(await mailerOf({}, authority.cert).send(MAIL)).toEqual({ is: 'sent' })
  expect(secured.mails.at(-1)).toMatchObject({
    user: 'cofre',
    isSecure: true,
    from: { name: 'Cofre', address: 'billing@example.com' },
    messageId: `<${MAIL.messageId}@example.com>`,
  })
  const headers = secured.mails.at(-1)?.headers.map(({ key, value }) => [key, value])
  expect(headers).toContainEqual(['auto-submitted', 'auto-generated'])
})

test('nothing is sent to a server whose certificate no known authority signed', async () => {
  const before = secured.mails.length
  expect(await mailerOf({}).send(MAIL)).toMatchObject({ is: 'failed' })
  expect(secured.mails).toHaveLength(before)
})

test('nothing is sent in clear when TLS is required', async () => {
  expect(await mailerOf({ port: plain.port }).send(MAIL)).toMatchObject({ is: 'failed' })
  expect(plain.mails).toEqual([])
})

test('a server that wants a password, when none is set, is tried again', async () => {
  const outcome = await mailerOf({ user: undefined }, authority.cert).send(MAIL)
  expect(outcome).toMatchObject({ is: 'failed' })
})

test('a server that hangs is abandoned after a timeout', async () => {
  plain.hooks.onFrom = () => 'hang'
  const mailer = mailerOf({ port: plain.port, mustUpgrade: false, user: undefined }, undefined, 200)
  expect(await mailer.send(MAIL)).toMatchObject({ is: 'failed' })
  plain.hooks.onFrom = () => undefined
})

test.each(['ana', 'a@b\r\nRCPT TO:<all@example.com>', 'ana@example.com>,<all@example.com'])(
  'a text that is no address is sent nowhere: %j',
  async (address) => {
    const before = plain.mails.length
    const mailer = mailerOf({ port: plain.port, mustUpgrade: false, user: undefined })
    const outcome = await mailer.send({ ...MAIL, to: { name: 'Ana', address } })
    expect(outcome).toEqual({ is: 'refused', status: 0 })
    expect(plain.mails).toHaveLength(before)
  },
)

test.each([
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  // As DNS has it.
  ['ana@exämple.com', 'ana@xn--exmple-cua.com'],
  // With SMTPUTF8 (RFC 6531).
  ['josé@exemplo.com.br', 'josé@exemplo.com.br'],
])('a letter to %s is addressed to %s', async (address, recipient) => {
  const mailer = mailerOf({ port: plain.port, mustUpgrade: false, user: undefined })
  expect(await mailer.send({ ...MAIL, to: { name: 'Ana', address } })).toEqual({ is: 'sent' })
  // The test's server shows the domain of the envelope in letters, whichever way it came.
  expect(plain.mails.at(-1)).toMatchObject({ recipients: [address], to: [{ address: recipient }] })
})
