import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@cofre/testing/testing'
import { authorize, customer, discard, startSystem, typedCard, type System } from '../system'
import { openManual } from './open-manual'

const run = promisify(execFile)
/** A test makes every decline of the guide, one after the other. */
const UNGUARDED = { GUESSES_PER_MINUTE: '1000' }

let system: System
let folder: string
let manual: ReturnType<typeof openManual>
beforeAll(async () => {
  system = await startSystem(undefined, {
    adapt: (name, settings) => (name === 'orders' ? { ...settings, ...UNGUARDED } : settings),
  })
  folder = mkdtempSync(join(tmpdir(), 'samples-'))
  manual = openManual(system, folder)
})
afterAll(async () => {
  await discard(system)
  rmSync(folder, { recursive: true, force: true })
})

const direct = { amount: 4_990, installments: 1, customer, card: typedCard('4111111111111111') }

test('the first charge of the start page is captured', async () => {
  const answer = await manual.paste('', 'first-charge.sh')
  expect(answer).toMatch(/^HTTP\/1.1 201/)
  expect(answer).toContain('"status":"CAPTURED"')
})

test('the token of the guide reads charges', async () => {
  expect(JSON.parse(await manual.paste('/authentication', 'use-token.sh'))).toHaveProperty('content')
})

test('a charge is authorized, captured and refunded as the guide says', async () => {
  const page = '/life-of-a-charge'
  const { id, status } = JSON.parse(await manual.paste(page, 'authorize.sh'))
  expect(status).toBe('AUTHORIZED')
  const CHARGE = String(id)
  expect(JSON.parse(await manual.paste(page, 'capture.sh', { CHARGE })).status).toBe('PARTIALLY_CAPTURED')
  expect(JSON.parse(await manual.paste(page, 'refund.sh', { CHARGE })).refundedAmount).toBe(2_500)
})

test('the retry recipe charges once, though the first answer is lost', async () => {
  const use = `
let sent = 0
const real = globalThis.fetch
globalThis.fetch = async (...call) => {
  const answer = await real(...call)
  if (++sent === 1) throw new TypeError('the connection broke')
  return answer
}
const answer = await post('/api/v2/orders/credit-card/charge', ${JSON.stringify(direct)}, 'recipe')
process.stdout.write(JSON.stringify([sent, answer.status, answer.headers.get('idempotency-replayed')]))`
  expect(await manual.runInNode('/idempotency', 'retry.mjs', use)).toEqual([2, 201, 'true'])
})

test('the recipe of lists reads every charge', async () => {
  const use = `
const ids = []
for await (const { id } of listCharges()) ids.push(id)
process.stdout.write(JSON.stringify(ids))`
  const ids = await manual.runInNode('/pagination', 'list-all.mjs', use)
  const { body } = await system.api('GET', '/api/v2/charges')
  expect(ids.length).toBe(body.totalElements)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the recipe of unknown outcomes waits until the charge is settled', async () => {
  const body = { ...direct, card: typedCard('4111111111111129') }
  const { body: charge } = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
  expect(charge.status).toBe('PENDING')
  const use = `process.stdout.write(JSON.stringify(await settled(${charge.id})))`
  expect((await manual.runInNode('/unknown-outcomes', 'wait.mjs', use)).status).toBe('CAPTURED')
})

test('the sandbox gives each decline code in the way that the guide says', async () => {
  await manual.paste('/declines', 'next-decline.sh')
  const charge = async (number: string) => {
    const body = { ...direct, card: typedCard(number) }
    const answer = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
    return answer.body.payments[0].decline.code
  }
  expect(await charge('4111111111111111')).toBe('INSUFFICIENT_FUNDS')
  const html = await (await fetch(`${system.ready.baseUrl}/docs/declines`)).text()
  const entries = [...html.matchAll(/<dt id="([A-Z_]+)">[^]*?<\/dd>/g)]
  let tried = 0
  for (const [text, code] of entries) {
    const [, way, value = ''] = /Sandbox: (Card|Next decline) ([\d ]+)/.exec(text) ?? []
    if (way === undefined) continue
    tried++
    if (way === 'Next decline') await system.sandbox('POST', '/acquirer/next', { returnCode: value.trim() })
    expect([code, await charge(way === 'Card' ? value.replaceAll(' ', '') : '4111111111111111')]).toEqual([
      code,
      code,
    ])
  }
  expect(tried).toBeGreaterThan(15)
})

test.each([0, -20, 20, -1_440, 1_440])('a sealed card is charged at a clock %d min fast', async (fast) => {
  const card = JSON.stringify(typedCard('4111111111111111'))
  const use = `const right = Date.now
Date.now = () => right() + ${fast * 60_000}
process.stdout.write(JSON.stringify(await sealCard(${card})))`
  const encryptedCard = await manual.runInNode('/encrypted-card', 'seal.mjs', use)
  const body = { ...direct, card: { encryptedCard } }
  const answer = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
  expect([answer.status, answer.body.status]).toEqual([201, 'CAPTURED'])
})

test('a network token is requested as the guide says', async () => {
  expect(JSON.parse(await manual.paste('/network-tokens', 'network-token.sh')).status).toBe('PENDING')
})

test('a dispute is found and contested as the guide says', async () => {
  const { body: charge } = await system.api('POST', '/api/v2/orders/credit-card/charge', { body: direct })
  const { tid } = charge.payments[0].acquirer
  await system.sandbox('POST', '/acquirer/chargebacks', { tid, webhook: 'sent' })
  const dispute = await eventually(async () => {
    const { content } = JSON.parse(await manual.paste('/disputes', 'open-disputes.sh'))
    const [found] = content.filter(({ chargeId }: { chargeId: number }) => chargeId === charge.id)
    expect(found).toBeDefined()
    return found
  })
  const EVIDENCE = join(folder, 'delivery.pdf')
  writeFileSync(EVIDENCE, '%PDF-1.4\nsigned')
  const variables = { DISPUTE: String(dispute.id), STAGE: dispute.stage, EVIDENCE }
  const contested = await manual.paste('/disputes', 'contest.sh', variables)
  expect(JSON.parse(contested)).toMatchObject({ id: dispute.id, status: 'UNDER_REVIEW' })
})

test('an order is paid by Pix as the guide says', async () => {
  const charge = JSON.parse(await manual.paste('/pix', 'pix-order.sh', { ORDER: 'manual-pix' }))
  const { txid, copyAndPaste } = charge.payments[0].pix
  expect([charge.status, copyAndPaste]).toEqual(['PENDING', expect.stringMatching(/^000201/)])
  await manual.paste('/pix', 'pix-pay.sh', { TXID: txid })
  await eventually(async () => {
    const { body } = await system.api('GET', `/api/v2/charges/${charge.id}`)
    expect([body.status, body.capturedAmount]).toEqual(['CAPTURED', 4_200])
  })
})

test('a customer is billed as the guide says', async () => {
  const use = 'process.stdout.write(JSON.stringify(await bill()))'
  const invoice = await manual.runInNode('/invoices', 'bill.mjs', use)
  expect(invoice.payableInCents).toBe(10_000)
  expect((await fetch(invoice.paymentUrl)).status).toBe(200)
})

describe('the verification of webhooks', () => {
  type Post = { headers: Record<string, string>; body: string }
  let post: Post
  let secret: string
  beforeAll(async () => {
    const notificationUrl = `${system.ready.sandboxUrl}/inbox/manual`
    const body = { ...direct, notificationUrl }
    const { status } = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
    expect(status).toBe(201)
    await eventually(async () => {
      const posts: Post[] = await system.sandbox('GET', '/inbox/manual')
      expect(posts).not.toEqual([])
      post = posts[0] as Post
    })
    secret = (await system.api('GET', '/api/v2/webhooks/secret')).body.secret
  })
  const cases = () => [
    { secret, headers: post.headers, body: post.body },
    { secret, headers: post.headers, body: `${post.body} ` },
    { secret: `whsec_${Buffer.alloc(32).toString('base64')}`, headers: post.headers, body: post.body },
    { secret, headers: { ...post.headers, 'webhook-timestamp': '1' }, body: post.body },
  ]
  const EXPECTED = [true, false, false, false]

  test('in Node.js', async () => {
    const use = `
const cases = ${JSON.stringify(cases())}
process.stdout.write(JSON.stringify(cases.map(({ secret, headers, body }) => verify(secret, headers, body))))`
    expect(await manual.runInNode('/webhooks', 'verify.mjs', use)).toEqual(EXPECTED)
  })

  testWith('python3', ['--version'], 'in Python', async () => {
    const use = `
import json, sys
cases = json.loads(sys.argv[1])
print(json.dumps([verify(each["secret"], each["headers"], each["body"].encode()) for each in cases]))`
    const text = `${await manual.sampleOf('/webhooks', 'verify.py')}\n${use}`
    const { stdout } = await run('python3', ['-c', text, JSON.stringify(cases())])
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })

  testWith('go', ['version'], 'in Go', async () => {
    const [sample = '', main = ''] = ['verify.go', 'main.go'].map((name) => join(folder, name))
    writeFileSync(sample, await manual.sampleOf('/webhooks', 'verify.go'))
    writeFileSync(main, GO_MAIN)
    const { stdout } = await run('go', ['run', sample, main, JSON.stringify(cases())], {
      cwd: folder,
      env: { ...process.env, GOTOOLCHAIN: 'local', GOCACHE: join(folder, 'go-cache') },
    })
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })
})

const GO_MAIN = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range cases {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		results = append(results, Verify(each.Secret, headers, []byte(each.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`

/** Defines a test, reported as skipped without the program: the product needs none of these languages. */
function testWith(program: string, version: string[], name: string, body: () => Promise<void>): void {
  const isHere = () => {
    try {
      return execFileSync(program, version).length > 0
    } catch {
      return false
    }
  }
  if (isHere()) return void test(name, body)
  process.stderr.write(`skipped: the verification of webhooks ${name}: no ${program} on the PATH\n`)
  test.skip(name, body)
}

/** The most that a command may print: the OpenAPI document is one of the answers. */
const MOST_BYTES = 64 * 1024 * 1024
const NO_PATH = 'There is no operation at this path'

test('the API understands every command of the reference', async () => {
  const { body: charge } = await authorize(system, 1)
  const variables = {
    ID: String(charge.id),
    CARD: '1',
    CARDID: '1',
    KEY: 'first',
    INVOICENUMBER: '000001',
    ORDERREFERENCE: 'order-1',
    BRAND: 'TICKET',
    FROM: '2026-01-01',
    TO: '2026-01-31',
    TOKEN: 'f3a1'.repeat(16),
  }
  const ask = async (command: string) => {
    const options = {
      env: { ...manual.environment(), ...variables, EVIDENCE: '/dev/null' },
      maxBuffer: MOST_BYTES,
    }
    const { stdout } = await run('bash', ['-ec', `${command} -w '\\n%{http_code}'`], options)
    return { status: Number(stdout.split('\n').at(-1)), stdout }
  }
  const reference = await (await fetch(`${system.ready.baseUrl}/docs/reference`)).text()
  const slugs = new Set([...reference.matchAll(/\/docs\/reference\/([\w-]+)"/g)].map(([, slug]) => slug))
  const misunderstood: string[] = []
  for (const slug of slugs) {
    for (const [id, command] of await manual.blocksOf(`/reference/${slug}`, 'data-curl')) {
      const { status, stdout } = await ask(command)
      // An unknown id is no fault; a body, path or header that the API refuses is a fault of the reference.
      const refused = status === 0 || [400, 401, 403, 405, 415, 500].includes(status)
      if (refused || stdout.includes(NO_PATH)) misunderstood.push(`${id} ${stdout}`)
    }
  }
  expect(slugs.size).toBeGreaterThan(10)
  expect(misunderstood).toEqual([])
  expect((await ask(`curl -sS "${system.ready.baseUrl}/api/v2/nothing"`)).stdout).toContain(NO_PATH)
})
