import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { startGateway, type Gateway } from '../support/gateway'

const run = promisify(execFile)

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" }

/** The code of a sample as a reader of the page sees it. */
async function sampleOf(name: string): Promise<string> {
  const { text } = await gateway.call('GET', '/docs/webhooks', { token: null })
  const html = new RegExp(`data-sample="${name}"><code>([^]*?)</code>`).exec(text)?.[1]
  if (html === undefined) throw new Error(`the page shows no ${name}`)
  return html.replace(/&(lt|gt|quot|amp|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const EVENT = '{"id":"evt_1","type":"invoice.paid"}'
const FOUND = { id: 'evt_1', type: 'invoice.paid' }
const EXPECTED = [FOUND, 'refused', FOUND, 'refused']

function signedAs(body: string) {
  const at = new Date()
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-event': 'invoice.paid',
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

/** Without a body: right and wrong. With a body: right and changed. */
const cases = () =>
  JSON.stringify([
    { headers: signedAs(''), body: '' },
    { headers: { ...signedAs(''), 'webhook-signature': 'v1,AAAA' }, body: '' },
    { headers: signedAs(EVENT), body: EVENT },
    { headers: signedAs(EVENT), body: `${EVENT} ` },
  ])

// Both classes do what the named libraries do: they parse what they have verified.
describe('beside a library that throws on a message without a body, the page shows how to verify it', () => {
  test('in Node.js', async () => {
    const use = `
const secret = '${secret}'
class Webhook {
  verify(body, headers) {
    if (!verify(secret, headers, body)) throw new Error('wrong')
    return JSON.parse(body)
  }
}
const found = JSON.parse(process.argv[1]).map(({ headers, body }) => {
  try {
    return eventOf(new Webhook(), secret, headers, body)
  } catch {
    return 'refused'
  }
})
process.stdout.write(JSON.stringify(found))`
    const code = [await sampleOf('verify.mjs'), await sampleOf('event.mjs'), use].join('\n')
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code, cases()])
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })

  const inPython = isPythonHere() ? test : test.skip
  inPython('in Python', async () => {
    const use = `
import json, sys
secret = "${secret}"
class Webhook:
    def verify(self, body, headers):
        if not verify(secret, headers, body):
            raise ValueError("wrong")
        return json.loads(body)
def found(each):
    try:
        return event_of(Webhook(), secret, each["headers"], each["body"].encode())
    except ValueError:
        return "refused"
print(json.dumps([found(each) for each in json.loads(sys.argv[1])]))`
    const code = [await sampleOf('verify.py'), await sampleOf('event.py'), use].join('\n')
    const { stdout } = await run('python3', ['-c', code, cases()])
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  })
})

/** The product needs no Python: without it, the test is reported as skipped. */
function isPythonHere(): boolean {
  try {
    return execFileSync('python3', ['--version']).length > 0
  } catch {
    process.stderr.write('skipped: the sample of webhooks in Python: no python3 on the PATH\n')
    return false
  }
}
