import { X509Certificate } from 'node:crypto'
import { cobv, KEY, startPixSandbox, txid, type PixSandbox } from './pix-bank'
import { startListener } from './listener'

let pix: PixSandbox
let listener: Awaited<ReturnType<typeof startListener>>
const start = async (refusals = 0) => {
  pix = await startPixSandbox()
  listener = await startListener(pix.config.tls, refusals)
  await pix.bank('PUT', `/webhook/${KEY}`, { webhookUrl: listener.url })
}
beforeAll(() => {
  // The listener's certificate is its own issuer.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
})
afterAll(() => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
})
afterEach(async () => {
  await pix.end()
  await listener.close()
})

const create = (number: number) => pix.bank('PUT', `/cobv/${txid(number)}`, cobv())
const pay = (number: number, body: object = {}) =>
  pix.control('POST', '/pix/pay', { txid: txid(number), ...body })
const control = (path: string, body: object = {}) => pix.control('POST', `/pix/${path}`, body)
const txidsOf = (bodies: { pix: { txid: string }[] }[]) =>
  bodies.map((body) => body.pix.map((one) => one.txid))

test('a payment is told to the webhook of its key, with the bank’s certificate', async () => {
  await start()
  await create(1)
  await pay(1)
  const [body] = await listener.heard(1)
  const { body: charge } = await pix.bank('GET', `/cobv/${txid(1)}`)
  expect(body).toEqual({ pix: charge.pix })
  const [{ path, certificate } = { path: '', certificate: '' }] = listener.told
  expect(path).toBe('/partners/pix/a-secret-path/pix')
  expect(certificate).toBe(new X509Certificate(pix.config.tls.cert).fingerprint256)
})

test('a call is made again until it is answered 2xx', async () => {
  await start(2)
  await create(1)
  await pay(1)
  const bodies = await listener.heard(3)
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  while ((await pix.control('GET', '/pix/notices')).body[0].state !== 'TAKEN');
})

test('the end of a return and one by the bank itself are told too', async () => {
  await start()
  await create(1)
  const { body } = await pay(1)
  const [{ endToEndId }] = body.payments
  await pix.bank('PUT', `/pix/${endToEndId}/devolucao/a1`, { valor: '1.00' })
  await control(`received/${endToEndId}/med`, { amountInCents: 200 })
  const bodies = await listener.heard(3)
  const states = bodies.map(({ pix: [one] }) => one.devolucoes?.length ?? 0)
  expect(states.toSorted((a, b) => a - b)).toEqual([0, 1, 2])
  await control(`received/${endToEndId}/tell-again`)
  await listener.heard(4)
})

test('a call can be lost, doubled or late, and told again', async () => {
  await start()
  for (const number of [1, 2, 3]) await create(number)
  await control('webhooks/next', { kind: 'LOST' })
  await control('webhooks/next', { kind: 'DOUBLED' })
  await control('webhooks/next', { kind: 'DELAYED', delayMs: 300 })
  const { body } = await pay(1)
  await pay(3)
  await pay(2)
  expect(txidsOf(await listener.heard(3))).toEqual([[txid(3)], [txid(3)], [txid(2)]])
  await control(`received/${body.payments[0].endToEndId}/tell-again`)
  expect(txidsOf(await listener.heard(4)).at(-1)).toEqual([txid(1)])
})

test('held news goes out many in one call', async () => {
  await start()
  await control('webhooks/hold')
  for (let number = 1; number <= 5; number += 1) {
    await create(number)
    await pay(number)
  }
  expect((await control('webhooks/release', { perCall: 2 })).body).toEqual({ calls: 3 })
  const sizes = txidsOf(await listener.heard(3)).map(({ length }) => length)
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 2, 2])
})

test('the news can come before the answer', async () => {
  await start()
  await pix.control('POST', '/faults', { partner: 'PIX_BANK', kind: 'SLOW', delayMs: 1_500 })
  const created = create(1)
  while ((await pay(1)).status !== 200);
  await listener.heard(1)
  const { body } = await pix.bank('GET', `/cobv/${txid(1)}`)
  expect(body.status).toBe('CONCLUIDA')
  expect((await created).body.status).toBe('ATIVA')
})

test('a Pix without a txid, or of a key without a webhook, is told to nobody', async () => {
  await start()
  await create(1)
  await control('received', { key: KEY, amountInCents: 500 })
  await pix.bank('DELETE', `/webhook/${KEY}`)
  await pay(1)
  expect((await pix.control('GET', '/pix/notices')).body).toEqual([])
})

test('a webhook is set, shown, listed and removed', async () => {
  await start()
  const { body } = await pix.bank('GET', `/webhook/${KEY}`)
  expect(body).toMatchObject({ webhookUrl: listener.url, cnpj: expect.stringMatching(/^\d{14}$/) })
  expect((await pix.bank('GET', '/webhook')).body.webhooks).toEqual([body])
  expect((await pix.bank('DELETE', `/webhook/${KEY}`)).status).toBe(204)
  expect((await pix.bank('GET', `/webhook/${KEY}`)).status).toBe(404)
  const wrong = await pix.bank('PUT', `/webhook/${KEY}`, { webhookUrl: 'no url' }, { wrong: true })
  expect([wrong.status, wrong.body.type.split('/').at(-1)]).toEqual([400, 'WebhookOperacaoInvalida'])
  expect((await pix.bank('PUT', '/webhook/no-key', { webhookUrl: listener.url })).status).toBe(400)
})
