import { cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeEach(async () => {
  pix = await startPixSandbox()
})
afterEach(() => pix.end())

const fault = (kind: string, change = {}) =>
  pix.control('POST', '/faults', { partner: 'PIX_BANK', kind, ...change })
const create = (number: number) =>
  pix.call('PUT', `${pix.pixBankUrl}/cobv/${txid(number)}`, {
    body: cobv(),
    headers: { authorization: `Bearer ${pix.seller.token}` },
    agent: pix.seller.agent,
  })

test('ANSWER_LOST and DONE_500 create the charge, HTTP_500 does not', async () => {
  await fault('ANSWER_LOST')
  await expect(create(1)).rejects.toThrow()
  await fault('HTTP_500')
  expect((await create(2)).status).toBe(500)
  await fault('DONE_500')
  expect((await create(3)).status).toBe(500)
  const statuses = [1, 2, 3].map(async (number) => (await pix.bank('GET', `/cobv/${txid(number)}`)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 200])
})

test('a fault of changes does not hit a call for a token or a query', async () => {
  await fault('HTTP_500')
  expect((await pix.signIn()).status).toBe(200)
  expect((await pix.list('/cobv')).status).toBe(200)
  expect((await create(1)).status).toBe(500)
})

test('NOT_REACHED with queries refuses every connection until the fault is cleared', async () => {
  await fault('NOT_REACHED', { times: 10_000, queries: true })
  await expect(create(1)).rejects.toThrow(/ECONNRESET|before secure TLS|socket hang up/)
  await pix.control('DELETE', '/faults')
  expect((await create(1)).status).toBe(201)
})
