import { readConfig } from '../../src/config'

const LEAST = {
  TLS_CA_FILE: __filename,
  TLS_CERT_FILE: __filename,
  TLS_KEY_FILE: __filename,
  DATABASE_URL: 'postgres://localhost/invoices',
  EVENT_LOG_URL: 'postgres://localhost/events',
  BASE_URL: 'https://pay.example.com/',
  ORDERS_ADDRESS: 'orders:50051',
  NETWORK_TOKEN_ADDRESS: 'network-token:50051',
  VAULT_ADDRESS: 'vault:50051',
}

test('without a mail server there is no mail, and nothing else is missing', () => {
  expect(readConfig(LEAST)).toMatchObject({ baseUrl: 'https://pay.example.com', emailRetryFirstMs: 30_000 })
  expect(readConfig(LEAST).smtpUrl).toBeUndefined()
})

test('a mail server needs a sender address', () => {
  const SMTP_URL = 'smtp://cofre:secret@mail.example.com'
  expect(() => readConfig({ ...LEAST, SMTP_URL })).toThrow('MAIL_FROM is missing')
  const MAIL_FROM = 'Cofre <billing@example.com>'
  expect(readConfig({ ...LEAST, SMTP_URL, MAIL_FROM })).toMatchObject({
    smtpUrl: { host: 'mail.example.com', password: 'secret' },
    mailFrom: { name: 'Cofre', address: 'billing@example.com' },
  })
})

test('a bad setting is named, and its value not shown', () => {
  const read = () =>
    readConfig({ ...LEAST, SMTP_URL: 'http://cofre:secret@mail.example.com', MAIL_FROM: 'x' })
  expect(read).toThrow(/SMTP_URL is invalid(.|\n)*MAIL_FROM is invalid/)
  expect(read).not.toThrow(/secret/)
})

test('days of dunning and reminders are as documented by default, and none when the setting is empty', () => {
  expect(readConfig(LEAST)).toMatchObject({ dunningDays: [1, 3, 5, 7], reminderDays: [-3, 0, 1, 7] })
  const set = { DUNNING_DAYS: ' 2, 10 ', REMINDER_DAYS: '' }
  expect(readConfig({ ...LEAST, ...set })).toMatchObject({ dunningDays: [2, 10], reminderDays: [] })
})

test.each([
  '0',
  '1,1',
  '3,1',
  '1;3',
  '1.5',
  'a',
  '31',
  '1,',
  '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21',
])('DUNNING_DAYS=%s stops the start, and is named', (DUNNING_DAYS) => {
  expect(() => readConfig({ ...LEAST, DUNNING_DAYS })).toThrow(/DUNNING_DAYS is invalid/)
})

test('the brands of expired cards that are charged: none by default, else brands of the contract', () => {
  const brandsOf = (EXPIRED_CARD_BRANDS: string) =>
    readConfig({ ...LEAST, EXPIRED_CARD_BRANDS }).expiredCardBrands
  expect([readConfig(LEAST).expiredCardBrands, brandsOf(' ')]).toEqual([new Set(), new Set()])
  expect(brandsOf('VISA, ELO')).toEqual(new Set(['VISA', 'ELO']))
  expect(() => brandsOf('VISA,MAESTRO')).toThrow(/EXPIRED_CARD_BRANDS is invalid/)
})

test.each(['-61', '366', '1,0', 'x'])('REMINDER_DAYS=%s stops the start, and is named', (REMINDER_DAYS) => {
  expect(() => readConfig({ ...LEAST, REMINDER_DAYS })).toThrow(/REMINDER_DAYS is invalid/)
})
