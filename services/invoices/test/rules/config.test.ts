import { readConfig } from '../../src/config'

const LEAST = {
  TLS_CA_FILE: __filename,
  TLS_CERT_FILE: __filename,
  TLS_KEY_FILE: __filename,
  DATABASE_URL: 'postgres://localhost/invoices',
  EVENT_LOG_URL: 'postgres://localhost/events',
  BASE_URL: 'https://pay.example.com/',
  ORDERS_ADDRESS: 'orders:50051',
  VAULT_ADDRESS: 'vault:50051',
}

test('without a mail server there is no mail, and nothing else is missing', () => {
  expect(readConfig(LEAST)).toMatchObject({ baseUrl: 'https://pay.example.com', emailRetryFirstMs: 30_000 })
  expect(readConfig(LEAST).smtpUrl).toBeUndefined()
})

test('a mail server needs an address to write from', () => {
  const SMTP_URL = 'smtp://cofre:secret@mail.example.com'
  expect(() => readConfig({ ...LEAST, SMTP_URL })).toThrow('MAIL_FROM is missing')
  const MAIL_FROM = 'Cofre <billing@example.com>'
  expect(readConfig({ ...LEAST, SMTP_URL, MAIL_FROM })).toMatchObject({
    smtpUrl: { host: 'mail.example.com', password: 'secret' },
    mailFrom: { name: 'Cofre', address: 'billing@example.com' },
  })
})

test('a bad one is named, and not shown', () => {
  const read = () =>
    readConfig({ ...LEAST, SMTP_URL: 'http://cofre:secret@mail.example.com', MAIL_FROM: 'x' })
  expect(read).toThrow(/SMTP_URL is bad(.|\n)*MAIL_FROM is bad/)
  expect(read).not.toThrow(/secret/)
})
