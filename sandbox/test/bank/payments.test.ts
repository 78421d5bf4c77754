import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { startTestSandbox, WEBHOOK_SECRET, type TestSandbox } from '../support'
import { callBank, slip, startListener } from './bank-slips'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
let listener: Awaited<ReturnType<typeof startListener>>
let sandbox: TestSandbox
const start = async (refusals = 0, billingClockUrl?: string) => {
  listener = await startListener(refusals)
  sandbox = await startTestSandbox({
    bank: { webhookUrl: listener.url, webhookSecret: WEBHOOK_SECRET, billingClockUrl },
  })
}
afterEach(async () => {
  await sandbox.end()
  await listener.close()
})

const register = async (changes: object = {}): Promise<string> =>
  (await callBank(sandbox, 'POST', '', slip(1, changes))).body.linhaDigitavel
const pay = (line: string, body: object = {}) => sandbox.control('POST', `/boletos/${line}/pay`, body)
const told = async (count: number) => {
  while (listener.told.length < count) await new Promise((resolve) => setImmediate(resolve))
  return listener.told.map(({ body }) => JSON.parse(body))
}

test('a payment sends a signed notice', async () => {
  await start()
  const line = await register()
  const paidAt = Date.parse('2030-01-02T12:00:00Z')
  await pay(line, { amountInCents: 5_000, paidAt })
  const [notice] = await told(1)
  expect(notice).toEqual({
    id: expect.any(String),
    tipo: 'BOLETO_LIQUIDADO',
    numeroConvenio: '1234567',
    nossoNumero: '12345670000000001',
    pagamento: { id: expect.any(String), valorPago: 50, dataHora: '2030-01-02T12:00:00.000Z' },
  })
  const [{ headers, body } = { headers: {}, body: '' }] = listener.told
  new Webhook(WEBHOOK_SECRET).verify(body, headers as Record<string, string>)
})

test('a notice is retried until it is accepted, and sent once more on request', async () => {
  await start(2)
  const line = await register()
  await pay(line)
  const notices = await told(3)
  expect(new Set(notices.map(({ id }) => id)).size).toBe(1)
  await sandbox.control('POST', `/boletos/${line}/tell-again`)
  expect(await told(4)).toHaveLength(4)
})

test('each payment of one slip has its own id', async () => {
  await start()
  const line = await register()
  await pay(line)
  await pay(line)
  const ids = (await told(2)).map(({ pagamento }) => pagamento.id)
  expect(new Set(ids).size).toBe(2)
})

test.each([
  // 13 March 2049 is a Saturday: a payment on Monday has no charges, and on Tuesday they count from the due date.
  ['on the next business day', '2049-03-15T12:00:00Z', 10_000],
  ['the day after that', '2049-03-16T12:00:00Z', 10_000 + 200 + 10],
  ['before', '2049-01-01T12:00:00Z', 10_000],
])(
  'a slip due on a weekend and paid %s costs its amount and the charges due then',
  async (_when, moment, amount) => {
    await start()
    const line = await register({
      dataVencimento: '2049-03-13',
      dataLimitePagamento: '2049-06-01',
      valorOriginal: 100,
      multa: { data: '2049-03-14', porcentagem: 2 },
      jurosMora: { data: '2049-03-14', porcentagemMes: 1 },
    })
    const { body } = await pay(line, { paidAt: Date.parse(moment) })
    expect(body.payments).toMatchObject([{ amount }])
  },
)

test('a payer has less to pay until the day of each discount, and not on the moved due day', async () => {
  await start()
  // The due date is a Saturday.
  const line = await register({
    dataVencimento: '2049-03-13',
    dataLimitePagamento: '2049-06-01',
    valorOriginal: 100,
    descontos: [
      { data: '2049-03-10', valor: 5 },
      { data: '2049-03-13', valor: 2.5 },
    ],
  })
  const days = ['2049-03-10', '2049-03-11', '2049-03-13', '2049-03-15']
  for (const paidOn of days) await pay(line, { paidOn })
  const { body: slips } = await sandbox.control('GET', '/boletos')
  expect(slips[0].payments.map(({ amount }: { amount: number }) => amount)).toEqual([
    9_500, 9_750, 9_750, 10_000,
  ])
})

test('a payer pays on a given day, by the control or by the page’s form', async () => {
  await start()
  const line = await register()
  const { body } = await pay(line, { paidOn: '2049-10-12' })
  expect(body.payments).toMatchObject([{ amount: 12_345, paidAt: Date.parse('2049-10-12T12:00:00-03:00') }])
  const form = { body: 'amountInCents=700&paidOn=2049-10-13', headers: FORM }
  const url = `${sandbox.url}/boletos/${line}/pay`
  expect((await sandbox.call('POST', url, form)).status).toBe(303)
  expect((await sandbox.call('POST', url, { ...form, body: 'amountInCents=&paidOn=' })).status).toBe(303)
  const { body: slips } = await sandbox.control('GET', '/boletos')
  expect(slips[0].payments.map(({ amount }: { amount: number }) => amount)).toEqual([12_345, 700, 12_345])
  // The content type that curl sends by default.
  const bare = await sandbox.call('POST', url, { ...form, body: '{"amount":9000}' })
  expect([bare.status, JSON.stringify(bare.body).includes('9000')]).toEqual([400, false])
})

test('money for an unregistered number sends a notice too', async () => {
  await start()
  await sandbox.control('POST', '/bank/receipts', { ourNumber: '12345670000000077', amountInCents: 1 })
  expect(await told(1)).toMatchObject([{ nossoNumero: '12345670000000077' }])
})

test('an unknown slip cannot be paid', async () => {
  await start()
  expect((await pay('0'.repeat(47))).status).toBe(404)
})

test.each([
  ['the day that a moved clock shows', { now: Date.parse('2049-03-16T12:00:00Z') }, 10_000 + 200],
  ['the machine’s day, when the clock’s answer is none', { code: 'NOT_FOUND' }, 10_000],
])('a payer who pays now pays on %s', async (_day, answer, amount) => {
  const clock = createServer((_request, response) => response.end(JSON.stringify(answer))).listen(
    0,
    '127.0.0.1',
  )
  await once(clock, 'listening')
  await start(0, `http://127.0.0.1:${(clock.address() as AddressInfo).port}/clock`)
  const line = await register({
    dataVencimento: '2049-03-13',
    dataLimitePagamento: '2049-06-01',
    valorOriginal: 100,
    multa: { data: '2049-03-14', porcentagem: 2 },
  })
  await pay(line)
  const [{ pagamento }] = await told(1)
  expect(pagamento.valorPago).toBe(amount / 100)
  clock.close()
})
