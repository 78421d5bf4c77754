import { appendFileSync, cpSync, mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { type Json, startTestSandbox, type TestSandbox, WEBHOOK_SECRET } from './support'
import {
  activeToken,
  callTokens,
  cryptogramFor,
  requestToken,
  sellOnToken,
  settled,
  tokenOf,
  truthOf,
  until,
} from './tokens'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const callback = () => `${sandbox.url}/inbox/pushes`
const setDelay = (delayMs: number) => sandbox.control('POST', '/token-service/settings', { delayMs })
const change = (id: string, path: string, body: object) =>
  sandbox.control('POST', `/token-service/tokens/${id}/${path}`, body)

/** Waits for `count` pushes and returns them; each must have a valid signature. */
async function pushes(count: number): Promise<Json[]> {
  const received = async (): Promise<Json[]> => (await sandbox.control('GET', '/inbox/pushes')).body
  const messages = await until(received, ({ length }) => length >= count)
  return messages.map(({ body, headers }) => new Webhook(WEBHOOK_SECRET).verify(body, headers))
}

test('each change sends a signed push, in order, which only says which token to look up', async () => {
  const { id } = await activeToken(sandbox, 'told', { callbackUrl: callback() })
  await change(id, 'status', { status: 'SUSPENDED' })
  await change(id, 'status', { status: 'ACTIVE' })
  await change(id, 'replace-card', { lastFour: '4321', expirationYear: 2040 })
  await change(id, 'status', { status: 'DELETED' })
  const told = await pushes(5)
  expect(told.map(({ status }) => status)).toEqual(['ACTIVE', 'SUSPENDED', 'ACTIVE', 'ACTIVE', 'DELETED'])
  expect(told[0]).toEqual({ id, reference: 'told', status: 'ACTIVE', occurredAt: expect.any(Number) })
  expect((await tokenOf(sandbox, 'told')).card).toMatchObject({ lastFour: '4321', expirationYear: 2040 })
})

test('a refusal sends a push; a repeated status and the seller’s own change do not', async () => {
  await activeToken(sandbox, 'refused', { year: 2036, callbackUrl: callback() })
  expect(await pushes(1)).toMatchObject([{ reference: 'refused', status: 'FAILED' }])
  const { id } = await activeToken(sandbox, 'quiet', { callbackUrl: callback() })
  await pushes(2)
  expect((await change(id, 'status', { status: 'ACTIVE' })).status).toBe(200)
  expect((await callTokens(sandbox, 'POST', `/${id}/deactivate`)).body.status).toBe('DELETED')
  await activeToken(sandbox, 'last', { callbackUrl: callback() })
  expect((await pushes(3)).map(({ reference }) => reference)).toEqual(['refused', 'quiet', 'last'])
})

test('a push that is not accepted is retried under the same id', async () => {
  await sandbox.control('POST', '/inbox/pushes/respond', { status: 500 })
  await activeToken(sandbox, 'again', { callbackUrl: callback() })
  await pushes(2)
  const messages: Json[] = (await sandbox.control('GET', '/inbox/pushes')).body
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('without a secret nothing is pushed', async () => {
  const mute = await startTestSandbox({ tokenService: { delayMs: 0 } })
  await activeToken(mute, 'mute', { callbackUrl: `${mute.url}/inbox/pushes` })
  await activeToken(mute, 'later')
  expect((await mute.control('GET', '/inbox/pushes')).body).toEqual([])
  await mute.end()
})

test('a push that was not accepted before a restart is sent after it', async () => {
  let status = 500
  const bodies: string[] = []
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.once('end', () => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  await activeToken(sandbox, 'kept', { callbackUrl: `http://127.0.0.1:${port}/` })
  const came = (count: number) =>
    until(
      () => Promise.resolve(bodies.length),
      (length) => length >= count,
    )
  await came(1)
  status = 200
  sandbox = await sandbox.restart()
  await came(2)
  expect(bodies[1]).toBe(bodies[0])
  receiver.closeAllConnections()
  receiver.close()
})

test('a restart keeps tokens, numbers and used cryptograms, and continues tokens that are PENDING', async () => {
  const token = await activeToken(sandbox, 'active')
  const { cryptogram } = (await cryptogramFor(sandbox, token.id)).body
  await sellOnToken(sandbox, token, cryptogram)
  const spare = (await cryptogramFor(sandbox, token.id)).body.cryptogram
  await setDelay(300)
  const { id } = (await requestToken(sandbox, 'pending')).body
  await requestToken(sandbox, 'silent', { number: '4111111111111178' })
  const before = await truthOf(sandbox, 'active')

  sandbox = await sandbox.restart()
  expect(await tokenOf(sandbox, 'active')).toEqual(token)
  expect(await truthOf(sandbox, 'active')).toEqual(before)
  expect((await requestToken(sandbox, 'pending')).body.id).toBe(id)
  expect((await settled(sandbox, 'pending')).status).toBe('ACTIVE')
  expect((await tokenOf(sandbox, 'silent')).status).toBe('PENDING')
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment.ReturnCode).toBe('12')
  expect((await sellOnToken(sandbox, token, spare)).Payment.Status).toBe(1)
  const next = await activeToken(sandbox, 'next')
  expect(next.token.number).not.toBe(token.token.number)
})

test('an answered change is already on disk: a sudden death loses nothing', async () => {
  const token = await activeToken(sandbox, 'answered')
  const { cryptogram } = (await cryptogramFor(sandbox, token.id)).body
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  cpSync(sandbox.config.dataDir, dataDir, { recursive: true })
  appendFileSync(join(dataDir, 'token-service-tokens.jsonl'), '{"id":"cut","merch')
  const heir = await startTestSandbox({ dataDir })
  expect(await tokenOf(heir, 'answered')).toEqual(token)
  expect((await sellOnToken(heir, token, cryptogram)).Payment.Status).toBe(1)
  await heir.end()
})

test('the delay can be set at run time, within limits', async () => {
  expect((await sandbox.control('GET', '/token-service/settings')).body).toEqual({ delayMs: 0 })
  expect((await setDelay(240_000)).body).toEqual({ delayMs: 240_000 })
  expect((await setDelay(600_001)).body.errors[0].pointer).toBe('#/delayMs')
  await requestToken(sandbox, 'four-minutes')
  expect((await tokenOf(sandbox, 'four-minutes')).status).toBe('PENDING')
})

test('controls name the fields that they refuse', async () => {
  const { id } = await activeToken(sandbox, 'controlled')
  expect((await change(id, 'status', { status: 'FAILED' })).body.errors[0].pointer).toBe('#/status')
  expect((await change(id, 'replace-card', { lastFour: '4111111111111111' })).body.errors).toHaveLength(2)
  expect((await change('unknown', 'status', { status: 'DELETED' })).status).toBe(404)
  const failed = await activeToken(sandbox, 'no-card', { year: 2032 })
  expect((await change(failed.id, 'replace-card', { lastFour: '4321', expirationYear: 2040 })).status).toBe(
    422,
  )
})
