import { type Json, startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const list = async (name: string): Promise<Json[]> => (await sandbox.control('GET', `/inbox/${name}`)).body

test('messages over http and https are kept as sent, the oldest first', async () => {
  const start = Date.now()
  const body = '{ "amount": 1.0,\n"nome":"São" }'
  const headers = { 'Content-Type': 'application/json', 'Webhook-Id': 'evt_1' }
  expect((await sandbox.call('POST', `${sandbox.inboxUrl}/both`, { body, headers })).status).toBe(200)
  expect((await sandbox.control('POST', '/inbox/both')).status).toBe(200)
  const messages = await list('both')
  expect(messages.map((message) => message.body)).toEqual([body, ''])
  expect(messages[0]).toMatchObject({ method: 'POST', headers: { 'webhook-id': 'evt_1' } })
  expect(messages[0].receivedAt).toBeGreaterThanOrEqual(start)
})

test('only the newest 1000 are kept', async () => {
  for (let i = 0; i <= 1000; i++) await sandbox.control('POST', '/inbox/many', String(i))
  const messages = await list('many')
  expect(messages).toHaveLength(1000)
  expect(messages[0].body).toBe('1')
})

test('a name can be emptied; an unknown one is an empty list', async () => {
  await sandbox.control('POST', '/inbox/gone', 'x')
  expect((await sandbox.control('DELETE', '/inbox/gone')).status).toBe(204)
  expect(await list('gone')).toEqual([])
  expect(await list('never-used')).toEqual([])
})

test('the receiver answers with the set replies and still keeps each message', async () => {
  expect((await sandbox.control('POST', '/inbox/bad/respond', { status: 500, times: 2 })).status).toBe(201)
  await sandbox.control('POST', '/inbox/bad/respond', { status: 410 })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await sandbox.call('POST', `${sandbox.inboxUrl}/bad`)).status)
  expect(statuses).toEqual([500, 500, 410, 200])
  expect(await list('bad')).toHaveLength(4)
})

test('a redirect leads to its own inbox', async () => {
  await sandbox.control('POST', '/inbox/moved/respond', { status: 302 })
  const { status, headers } = await sandbox.control('POST', '/inbox/moved', 'x')
  expect([status, headers['location']]).toEqual([302, '/inbox/moved.redirected'])
})

test('a body above one MiB is 413 and not kept', async () => {
  expect((await sandbox.control('POST', '/inbox/big', Buffer.alloc(1_048_576, 'a'))).status).toBe(200)
  expect((await sandbox.control('POST', '/inbox/big', Buffer.alloc(1_048_577, 'a'))).status).toBe(413)
  expect(await list('big')).toHaveLength(1)
})

test('the https listener serves the inbox alone', async () => {
  const { origin } = new URL(sandbox.inboxUrl)
  expect((await sandbox.call('GET', `${origin}/faults`)).status).toBe(404)
  expect((await sandbox.call('GET', `${sandbox.inboxUrl}/both`)).status).toBe(200)
})
