import { startTestSandbox, type TestSandbox } from './support'
import { activeToken, callTokens, cryptogramFor, requestToken, tokenOf, truthOf } from './tokens'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const fault = (kind: string, change = {}) =>
  sandbox.control('POST', '/faults', { partner: 'TOKEN_SERVICE', kind, ...change })

test('ANSWER_LOST: the token is made, its reference finds it, and a repeated request gives the same one', async () => {
  await fault('ANSWER_LOST')
  await expect(requestToken(sandbox, 'lost')).rejects.toThrow()
  const { id } = await tokenOf(sandbox, 'lost')
  expect((await requestToken(sandbox, 'lost')).body.id).toBe(id)
  expect(await truthOf(sandbox, 'lost')).toHaveLength(1)
})

test('ANSWER_LOST on a cryptogram: a new one replaces it', async () => {
  const { id } = await activeToken(sandbox, 'crypt')
  await fault('ANSWER_LOST')
  await expect(cryptogramFor(sandbox, id, 'tx')).rejects.toThrow()
  expect((await cryptogramFor(sandbox, id, 'tx')).status).toBe(201)
  const [{ cryptograms }] = await truthOf(sandbox, 'crypt')
  expect(cryptograms).toMatchObject([{ replacedAt: expect.any(Number) }, { replacedAt: null }])
})

test('HTTP_500 does nothing; DONE_500 completes the call', async () => {
  await fault('HTTP_500')
  await fault('DONE_500')
  expect((await requestToken(sandbox, 'undone')).status).toBe(500)
  expect((await requestToken(sandbox, 'done')).status).toBe(500)
  expect(await truthOf(sandbox, 'undone')).toEqual([])
  expect(await truthOf(sandbox, 'done')).toHaveLength(1)
})

test('a query shows the effect of DONE_500 on deactivate', async () => {
  const { id } = await activeToken(sandbox, 'gone')
  await fault('DONE_500')
  expect((await callTokens(sandbox, 'POST', `/${id}/deactivate`)).status).toBe(500)
  expect((await tokenOf(sandbox, 'gone')).status).toBe('DELETED')
})

test('SLOW completes the call at once and answers after the delay', async () => {
  await fault('SLOW', { delayMs: 150 })
  const start = performance.now()
  expect((await requestToken(sandbox, 'slow')).status).toBe(202)
  expect(performance.now() - start).toBeGreaterThanOrEqual(145)
})

test('NOT_REACHED cuts the call, which does nothing, and spares queries', async () => {
  await fault('NOT_REACHED')
  expect((await tokenOf(sandbox, 'never')).code).toBe('NOT_FOUND')
  await expect(requestToken(sandbox, 'never')).rejects.toThrow()
  expect(await truthOf(sandbox, 'never')).toEqual([])
  expect((await requestToken(sandbox, 'never')).status).toBe(202)
})

test('NOT_REACHED with queries refuses every connection until the fault is cleared', async () => {
  await fault('NOT_REACHED', { times: 10_000, queries: true })
  const refused = /ECONNRESET|before secure TLS/
  await expect(requestToken(sandbox, 'down')).rejects.toThrow(refused)
  await expect(tokenOf(sandbox, 'down')).rejects.toThrow(refused)
  await sandbox.control('DELETE', '/faults')
  expect((await tokenOf(sandbox, 'down')).code).toBe('NOT_FOUND')
})

test('a fault of the acquirer does not affect the token service', async () => {
  await sandbox.control('POST', '/faults', { partner: 'ACQUIRER', kind: 'HTTP_500', times: 9, queries: true })
  expect((await requestToken(sandbox, 'spared')).status).toBe(202)
})
