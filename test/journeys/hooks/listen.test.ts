import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createAuthority } from '@cofre/testing/certificates'
import { eventually } from '@cofre/testing/testing'
import { EVENT_TYPES } from '@cofre/api/events'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { cofrectl } from '@cofre/cofrectl/cofrectl'
import { askForInvoice, invoiceOf, move, newShop } from '../shop'
import { authorize, cardEndingIn, cardFields, customer, discard, startSystem, type System } from '../system'

type Got = { headers: Record<string, string>; body: string; json: { type: string; test?: true } }

let system: System
let laptop: Server
let got: Got[]
let status: number
beforeAll(async () => {
  system = await startSystem()
  laptop = createServer((request, response) => {
    const take = async () => {
      const body = await text(request)
      got.push({ headers: request.headers as Got['headers'], body, json: JSON.parse(body) })
      response.writeHead(status).end()
    }
    void take()
  })
  await new Promise<void>((resolve) => laptop.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  got = []
  status = 200
})
afterAll(async () => {
  laptop.close()
  await discard(system)
})

/** Runs a command of cofrectl in the folder of the product, as the developer of an integration would. */
function run(...args: string[]) {
  const streams = { output: new PassThrough(), errors: new PassThrough() }
  const said = { output: '', errors: '' }
  for (const name of ['output', 'errors'] as const)
    streams[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()))
  const terminal = { input: Readable.from([]), ...streams, env: {}, cwd: dirname(system.runDir) }
  return { said, code: cofrectl(args, terminal) }
}

async function listenFor(count: number, ...args: string[]) {
  const url = `http://127.0.0.1:${(laptop.address() as AddressInfo).port}/hooks`
  const running = run('listen', '--forward-to', url, '--count', String(count), ...args)
  await eventually(() => expect(running.said.output).toContain('Signing secret: whsec_'))
  const secret = /whsec_\S+/.exec(running.said.output)?.[0] ?? ''
  return { ...running, secret }
}

const types = () => got.map(({ json }) => json.type)

test('each event is posted to the laptop, signed with the printed secret, and shown as a line', async () => {
  const { said, code, secret } = await listenFor(2, '--events', 'charge.*')
  status = 201
  const { id } = (await authorize(system, 1)).body
  await system.api('POST', `/api/v2/charges/${id}/capture`, { body: {} })
  expect(await code).toBe(0)
  expect(types()).toEqual(['charge.authorized', 'charge.captured'])
  for (const { headers, body } of got) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
  const line = new RegExp(`^\\d\\d:\\d\\d:\\d\\d +charge\\.captured +charge ${id} +201 +\\d+ ms$`, 'm')
  expect(said.output).toMatch(line)
})

test('a laptop with a certificate of its own gets events after one warning, and is named as the reason without it', async () => {
  const pair = await (await createAuthority()).issue('laptop')
  const secure = createSecureServer(pair, (request, response) => {
    got.push({ headers: request.headers as Got['headers'], body: '', json: { type: '' } })
    response.end()
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const at = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/hooks`
  const refused = await listenFor(1, '--events', 'charge.authorized', '--forward-to', at)
  const trusted = await listenFor(2, '--events', 'charge.*', '--forward-to', at, '--skip-verify')
  const { id } = (await authorize(system, 1)).body
  await system.api('POST', `/api/v2/charges/${id}/capture`, { body: {} })
  expect([await refused.code, await trusted.code]).toEqual([0, 0])
  expect(refused.said.output).toMatch(
    /CERTIFICATE_NOT_TRUSTED +\d+ ms {2}Your server’s certificate is self-signed/,
  )
  expect(trusted.said.errors.match(/is not verified/g)).toHaveLength(1)
  expect(got).toHaveLength(2)
  await new Promise((resolve) => secure.close(resolve))
})

test('no event is lost while the gateway is away', async () => {
  const { said, code } = await listenFor(2, '--events', 'charge.captured')
  const one = (await authorize(system, 1)).body.id
  await system.api('POST', `/api/v2/charges/${one}/capture`, { body: {} })
  await eventually(() => expect(got).toHaveLength(1))
  await system.stopService('gateway')
  await eventually(() => expect(said.errors).toContain('the connection was lost'))
  system.startService('gateway')
  const two = await eventually(async () => (await authorize(system, 1)).body.id as number)
  await system.api('POST', `/api/v2/charges/${two}/capture`, { body: {} })
  expect(await code).toBe(0)
  expect(types()).toEqual(['charge.captured', 'charge.captured'])
  expect(said.errors).toContain('connected again')
})

test('a sample of every type arrives, matches the reference, and says that it is a test', async () => {
  const { code } = await listenFor(EVENT_TYPES.length)
  for (const type of EVENT_TYPES) expect(await run('trigger', type).code).toBe(0)
  expect(await code).toBe(0)
  expect(types()).toEqual(EVENT_TYPES)
  const schemas = await schemasOfEvents()
  for (const { headers, json } of got) {
    expect([headers['webhook-test'], headers['webhook-id']]).toEqual([
      'true',
      expect.stringMatching(/^evt_test_/),
    ])
    expect(json.test).toBe(true)
    expect([json.type, schemas(json.type).safeParse(json).error]).toEqual([json.type, undefined])
  }
})

test('the events of real work match the reference', async () => {
  const told = 11
  const { code } = await listenFor(told)
  const { id } = (await authorize(system, 1)).body
  await system.api('POST', `/api/v2/charges/${id}/capture`, { body: {} })
  await system.api('POST', `/api/v2/charges/${id}/refund`, { body: {} })
  await authorize(system, 5)
  await system.api('POST', '/api/v2/cards/tokens/network', {
    body: { ...cardFields(cardEndingIn(1)), notificationUrl: `${system.ready.sandboxInboxUrl}/listen` },
  })
  const voucher = { cardType: 'MEAL', cardBrand: 'VR' }
  const at = `/api/v2/sellers/${system.ready.sellerId}/vouchers`
  const card = { ...voucher, cardNumber: '6370361234567890', expires: { month: 12, year: 49 } }
  const { token } = (
    await system.api('POST', `${at}/tokens`, { body: { ...card, holder: { name: 'ANA SOUZA' } } })
  ).body
  const paid = { amount: 3_500, customer, card: { ...voucher, token } }
  const payment = (await system.api('POST', `${at}/payments`, { body: paid })).body
  await system.api('POST', `${at}/payments/${payment.id}/cancel`)
  const shop = await newShop(system)
  const invoice = (await askForInvoice(system, invoiceOf(shop))).body
  await move(system, invoice.id, 'finalize')
  await move(system, invoice.id, 'void')
  expect(await code).toBe(0)
  const schemas = await schemasOfEvents()
  for (const { json, headers } of got) {
    expect([json.type, schemas(json.type).safeParse(json).error]).toEqual([json.type, undefined])
    expect([json.test, headers['webhook-test']]).toEqual([undefined, undefined])
  }
  expect(new Set(types()).size).toBeGreaterThanOrEqual(8)
})

test('a wrong type, a wrong URL and a wrong token are refused, and each command explains itself', async () => {
  const wrong = run('trigger', 'charge.lost')
  expect(await wrong.code).toBe(1)
  expect(wrong.said.errors).toContain('VALIDATION_FAILED')
  expect(await run('listen', '--forward-to', 'localhost').code).toBe(2)
  expect(
    await run(
      'listen',
      '--forward-to',
      'http://127.0.0.1:1',
      '--url',
      system.ready.baseUrl,
      '--token-file',
      __filename,
    ).code,
  ).toBe(1)
  for (const command of ['listen', 'trigger']) {
    const help = run(command, '--help')
    expect([await help.code, help.said.output]).toEqual([0, expect.stringContaining('Example')])
  }
})

/** Reads the reference; returns the function that gives the schema of an event's body by type. */
async function schemasOfEvents() {
  const document = (await system.api('GET', '/openapi.json')).body
  return (type: string) => {
    const { schema } = document.webhooks[type].post.requestBody.content['application/json']
    const whole = JSON.stringify({ ...schema, $defs: document.components.schemas })
    return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')))
  }
}
