import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@cofre/testing/testing'
import { authorize, cardFields, customer, discard, startSystem, type System } from './system'

const run = promisify(execFile)
/** A test makes every decline of the guide, one after the other. */
const UNGUARDED = { DECLINES_PER_MINUTE: '1000' }

let system: System
let folder: string
beforeAll(async () => {
  system = await startSystem(undefined, {
    adapt: (name, settings) => (name === 'orders' ? { ...settings, ...UNGUARDED } : settings),
  })
  folder = mkdtempSync(join(tmpdir(), 'samples-'))
})
afterAll(async () => {
  await discard(system)
  rmSync(folder, { recursive: true, force: true })
})

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
}
const unescape = (html: string) => html.replace(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? '')

/** The code that a page shows, by the name of its block: the manual is tested as readers see it. */
async function blocksOf(page: string, attribute: 'data-sample' | 'data-curl'): Promise<Map<string, string>> {
  const html = await (await fetch(`${system.ready.baseUrl}/docs${page}`)).text()
  const found = html.matchAll(new RegExp(`${attribute}="([^"]+)"><code>([^]*?)</code>`, 'g'))
  return new Map([...found].map(([, name = '', text = '']) => [name, unescape(text)]))
}

async function sampleOf(page: string, name: string): Promise<string> {
  const text = (await blocksOf(page, 'data-sample')).get(name)
  if (text === undefined) throw new Error(`${page} shows no ${name}`)
  return text
}

function environment(): NodeJS.ProcessEnv {
  const { token, sellerId, sandboxUrl } = system.ready
  return { ...process.env, COFRE_TOKEN: token, COFRE_SELLER: String(sellerId), SANDBOX: sandboxUrl }
}

/** Runs a sample as if it were pasted into a shell. */
async function paste(page: string, name: string, variables: Record<string, string> = {}): Promise<string> {
  const text = await sampleOf(page, name)
  const { stdout } = await run('bash', ['-ec', text], { env: { ...environment(), ...variables } })
  return stdout
}

/** Runs a sample for Node.js, then `use`, which prints JSON. */
async function runInNode(page: string, name: string, use: string): Promise<any> {
  const file = join(folder, `used-${name}`)
  writeFileSync(file, `${await sampleOf(page, name)}\n${use}\n`)
  const { stdout } = await run(process.execPath, [file], { env: environment() })
  return JSON.parse(stdout)
}

const direct = { amount: 4_990, installments: 1, customer, card: cardFields('4111111111111111') }

test('the first charge of the start page is captured', async () => {
  const answer = await paste('', 'first-charge.sh')
  expect(answer).toMatch(/^HTTP\/1.1 201/)
  expect(answer).toContain('"status":"CAPTURED"')
})

test('the token of the guide reads charges', async () => {
  expect(JSON.parse(await paste('/authentication', 'use-token.sh'))).toHaveProperty('content')
})

test('a charge is authorized, captured and refunded as the guide says', async () => {
  const page = '/life-of-a-charge'
  const { id, status } = JSON.parse(await paste(page, 'authorize.sh'))
  expect(status).toBe('AUTHORIZED')
  const CHARGE = String(id)
  expect(JSON.parse(await paste(page, 'capture.sh', { CHARGE })).status).toBe('PARTIALLY_CAPTURED')
  expect(JSON.parse(await paste(page, 'refund.sh', { CHARGE })).refundedAmount).toBe(2_500)
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
  expect(await runInNode('/idempotency', 'retry.mjs', use)).toEqual([2, 201, 'true'])
})

test('the recipe of lists reads every charge', async () => {
  const use = `
const ids = []
for await (const { id } of listCharges()) ids.push(id)
process.stdout.write(JSON.stringify(ids))`
  const ids = await runInNode('/pagination', 'list-all.mjs', use)
  const { body } = await system.api('GET', '/api/v2/charges')
  expect(ids.length).toBe(body.totalElements)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the recipe of unknown outcomes waits until the charge is settled', async () => {
  const body = { ...direct, card: cardFields('4111111111111129') }
  const { body: charge } = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
  expect(charge.status).toBe('PENDING')
  const use = `process.stdout.write(JSON.stringify(await settled(${charge.id})))`
  expect((await runInNode('/unknown-outcomes', 'wait.mjs', use)).status).toBe('CAPTURED')
})

test('the sandbox gives each decline code in the way that the guide says', async () => {
  await paste('/declines', 'next-decline.sh')
  const charge = async (number: string) => {
    const body = { ...direct, card: cardFields(number) }
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

test('a card that the sample encrypts is charged', async () => {
  const card = JSON.stringify({ ...cardFields('4111111111111111'), cvv: '123' })
  const use = `process.stdout.write(JSON.stringify(await sealCard(${card})))`
  const encryptedCard = await runInNode('/encrypted-card', 'seal.mjs', use)
  const body = { ...direct, card: { encryptedCard } }
  const answer = await system.api('POST', '/api/v2/orders/credit-card/charge', { body })
  expect([answer.status, answer.body.status]).toEqual([201, 'CAPTURED'])
})

test('a network token is requested as the guide says', async () => {
  expect(JSON.parse(await paste('/network-tokens', 'network-token.sh')).status).toBe('PENDING')
})

test('a customer is billed as the guide says', async () => {
  const use = 'process.stdout.write(JSON.stringify(await bill()))'
  const invoice = await runInNode('/invoices', 'bill.mjs', use)
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
    expect(await runInNode('/webhooks', 'verify.mjs', use)).toEqual(EXPECTED)
  })

  testWith('python3', ['--version'], 'in Python', async () => {
    const use = `
import json, sys
cases = json.loads(sys.argv[1])
print(json.dumps([verify(each["secret"], each["headers"], each["body"].encode()) for each in cases]))`
    const text = `${await sampleOf('/webhooks', 'verify.py')}\n${use}`
    const { stdout } = await run('python3', ['-c', text, JSON.stringify(cases())])
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })

  testWith('go', ['version'], 'in Go', async () => {
    const files = ['verify.go', 'main.go'].map((name) => join(folder, name))
    const [sample = '', main = ''] = files
    writeFileSync(sample, await sampleOf('/webhooks', 'verify.go'))
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
    KEY: 'first',
    INVOICENUMBER: '000001',
    ORDERREFERENCE: 'order-1',
    BRAND: 'TICKET',
    TOKEN: 'f3a1'.repeat(16),
  }
  const ask = async (command: string) => {
    const options = { env: { ...environment(), ...variables }, maxBuffer: MOST_BYTES }
    const { stdout } = await run('bash', ['-ec', `${command} -w '\\n%{http_code}'`], options)
    return { status: Number(stdout.split('\n').at(-1)), stdout }
  }
  const reference = await (await fetch(`${system.ready.baseUrl}/docs/reference`)).text()
  const slugs = new Set([...reference.matchAll(/\/docs\/reference\/([\w-]+)"/g)].map(([, slug]) => slug))
  const misunderstood: string[] = []
  for (const slug of slugs) {
    for (const [id, command] of await blocksOf(`/reference/${slug}`, 'data-curl')) {
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
