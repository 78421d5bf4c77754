import { startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())
afterEach(() => sandbox.control('DELETE', '/faults'))

const secret = '4111111111111111'
test.each([
  ['/faults', { partner: secret, kind: 'SLOW' }, '#/partner'],
  ['/faults', { partner: 'BANKS', kind: 'SLOW' }, '#/partner'],
  ['/bank/receipts', { ourNumber: secret, amountInCents: 1 }, '#/ourNumber'],
  ['/faults', { partner: 'ACQUIRER', kind: secret }, '#/kind'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', times: 10_001 }, '#/times'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', delayMs: 600_001 }, '#/delayMs'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', queries: secret }, '#/queries'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', changes: secret }, '#/changes'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', changes: false }, '#/queries'],
  ['/faults', `{"partner":${secret}`, '#'],
  ['/acquirer/next', { returnCode: `${secret}x` }, '#/returnCode'],
  ['/inbox/a/respond', { status: secret }, '#/status'],
  ['/inbox/a/respond', { status: 99 }, '#/status'],
  ['/faults', { partner: 'ACQUIRER', kind: 'SLOW', tims: 2 }, '#/tims'],
  ['/acquirer/next', { returnCode: '51', count: 2 }, '#/count'],
  ['/inbox/a/respond', { status: 500, time: 3 }, '#/time'],
  ['/bank/receipts', { ourNumber: '12345679999999999', amountInCents: 1, paidOnn: secret }, '#/paidOnn'],
  ['/boletos/1/pay', { amount: 9_000 }, '#/amount'],
  ['/boletos/1/pay', { [secret]: 9_000 }, '#'],
  ['/boletos/1/pay', { paidOn: '2027-02-30' }, '#/paidOn'],
  ['/boletos/1/pay', { paidOn: '2027-03-01', paidAt: 1 }, '#/paidOn'],
  ['/boletos/1/tell-again', { times: 2 }, '#/times'],
  ['/three-d-secure/authentications/1/expire', { after: 2 }, '#/after'],
  ['/token-service/settings', { delayMs: 1, delay: 1 }, '#/delay'],
  ['/token-service/tokens/1/status', { status: 'ACTIVE', at: 1 }, '#/at'],
  ['/vouchers/payments/1/age', { days: 1, hours: 1 }, '#/hours'],
  ['/identity/revoke', { email: 'ana@example.com', of: 1 }, '#/of'],
])("%s with %j is refused with the field's name and without its value", async (path, body, pointer) => {
  const { status, headers, body: problem } = await sandbox.control('POST', path, body)
  expect(status).toBe(400)
  expect(headers['content-type']).toContain('application/problem+json')
  expect(problem.errors).toEqual([{ pointer, detail: expect.any(String) }])
  expect(JSON.stringify(problem)).not.toContain(secret)
})

test('unreadable JSON is refused and not quoted', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await sandbox.call('POST', `${sandbox.url}/faults`, { body: `{"a":${secret}x`, headers })
  expect([answer.status, answer.body.title]).toEqual([400, 'The body cannot be read'])
  expect(JSON.stringify(answer.body)).not.toContain(secret)
})

test('an unknown path is 404, a wrong method 405 with Allow', async () => {
  expect((await sandbox.control('GET', '/mailboxes')).status).toBe(404)
  const answer = await sandbox.control('PUT', '/faults')
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST, DELETE'])
  expect((await sandbox.control('DELETE', '/acquirer/payments')).status).toBe(405)
})

test('faults wait in order, with their defaults, until they are cleared', async () => {
  const made = await sandbox.control('POST', '/faults', { partner: 'ACQUIRER', kind: 'SLOW' })
  const slow = { partner: 'ACQUIRER', kind: 'SLOW', times: 1, delayMs: 0, changes: true, queries: false }
  expect([made.status, made.body]).toEqual([201, slow])
  await sandbox.control('POST', '/faults', { ...slow, kind: 'HTTP_500', times: 3 })
  expect((await sandbox.control('GET', '/faults')).body).toEqual([
    slow,
    { ...slow, kind: 'HTTP_500', times: 3 },
  ])
  await sandbox.control('DELETE', '/faults')
  expect((await sandbox.control('GET', '/faults')).body).toEqual([])
})

test('at most a hundred faults may wait', async () => {
  const add = () => sandbox.control('POST', '/faults', { partner: 'ACQUIRER', kind: 'SLOW' })
  for (let i = 0; i < 100; i++) await add()
  expect((await add()).status).toBe(422)
})
