import { mailAddressSetting, mailServerSetting } from '../../src/letters/mailer/mail-settings'

test.each([
  ['smtp://mail.example.com', { port: 587, isSecure: false, mustUpgrade: true, user: undefined }],
  ['smtps://mail.example.com', { port: 465, isSecure: true, mustUpgrade: false }],
  ['smtp://cofre:p%40ss%3A@mail.example.com:2525', { port: 2525, user: 'cofre', password: 'p@ss:' }],
  ['smtp://127.0.0.1:1025', { host: '127.0.0.1', mustUpgrade: false }],
  ['smtp://[::1]:1025', { host: '::1', mustUpgrade: false }],
  ['smtp://localhost:1025', { mustUpgrade: false }],
  ['smtp://localhost.example.com', { mustUpgrade: true }],
  ['smtp://127.0.0.1.example.com', { mustUpgrade: true }],
])('%s', (url, server) => {
  expect(mailServerSetting.parse(url)).toMatchObject(server)
})

test.each(['http://mail.example.com', 'mail.example.com:25', 'smtp://a:%ZZ@example.com', 'smtp://h/?x=1'])(
  'no mail server: %s',
  (url) => expect(mailServerSetting.safeParse(url).success).toBe(false),
)

test.each([
  ['billing@example.com', '', 'billing@example.com'],
  ['Padaria Sol <billing@example.com>', 'Padaria Sol', 'billing@example.com'],
  ['"Sol, Padaria" <billing@example.com>', 'Sol, Padaria', 'billing@example.com'],
])('%s is %s at %s', (text, name, address) => {
  expect(mailAddressSetting.parse(text)).toEqual({ name, address })
})

test.each(['', 'billing', 'A <a@b.example> <c@d.example>', 'A\r\nBcc: x <a@example.com>'])(
  'no address: %j',
  (text) => expect(mailAddressSetting.safeParse(text).success).toBe(false),
)
