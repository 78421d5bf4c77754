import { request, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Customer } from '@cofre/proto/invoices/v1/customers'
import { pathsOf } from '../../src/http/route'
import { routes } from '../../src/api/all-routes'
import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  for (let id = 1; id <= 100; id += 1) {
    const fields = { name: `Ana Souza ${id}`, document: '12345678909' }
    gateway.invoices.customers.set(id, Customer.fromPartial({ id, sellerId: gateway.sellerId, fields }))
  }
  await gateway.call('POST', '/api/v2/invoices', { body: newInvoice })
})
afterAll(() => gateway.stop())

type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Asks as a client that decodes nothing by itself. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const authorization = `Bearer ${gateway.token}`
  return new Promise((resolve, reject) => {
    const asked = request(
      `${gateway.url}${path}`,
      { method, headers: { authorization, ...headers } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }),
        )
        res.on('error', reject)
      },
    )
    asked.on('error', reject).end()
  })
}

const accepting = (encodings: string) => ({ 'accept-encoding': encodings })

function decoded({ headers, bytes }: Got): string {
  const encoding = headers['content-encoding']
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

/** The styles of the manual, at the address that its pages name. */
async function styles(): Promise<string> {
  const page = decoded(await get('/docs'))
  return /href="([^"]*docs\.css\?v=\w+)"/.exec(page)?.[1] ?? ''
}

const FIXED = ['/openapi.json', '/docs', '/docs/webhooks', '/docs/reference/charges', 'styles']
const LONG = ['/api/v2/customers?size=100', '/api/v2/invoices/csv']
const pathOf = async (name: string) => (name === 'styles' ? styles() : name)

test.each([...FIXED, ...LONG])('the same bytes come out of each encoding of %s', async (name) => {
  const path = await pathOf(name)
  const plain = await get(path)
  expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
    200,
    undefined,
    expect.stringContaining('Accept-Encoding'),
  ])
  for (const encoding of ['br', 'gzip']) {
    const got = await get(path, accepting(encoding))
    expect([got.headers['content-encoding'], got.headers.vary]).toEqual([encoding, plain.headers.vary])
    expect(decoded(got)).toBe(plain.bytes.toString())
  }
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['identity;q=0, *', 'br'],
  ['identity, gzip;q=0.5', undefined],
  ['deflate', undefined],
  ['br;q=0', undefined],
  ['', undefined],
  ['identity;q=0', undefined],
  [';;q=,', undefined],
])('a client that accepts %j gets %j', async (encodings, encoding) => {
  const got = await get('/docs/webhooks', accepting(encodings))
  expect([got.status, got.headers['content-encoding']]).toEqual([200, encoding])
  expect(decoded(got)).toContain('<h1>Webhooks</h1>')
})

describe.each(FIXED)('%s', (name) => {
  test('asked again with its ETag is 304 and has no body', async () => {
    const path = await pathOf(name)
    const first = await get(path, accepting('br'))
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const given of [etag, `"other", W/${etag}`, '*']) {
      const again = await get(path, { ...accepting('br'), 'if-none-match': given })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
      const told = ({ headers }: Got) => [headers['cache-control'], headers.vary]
      expect(told(again)).toEqual(told(first))
    }
  })

  test('has an ETag of its own in each encoding, and an old ETag brings the whole', async () => {
    const path = await pathOf(name)
    const all = await Promise.all(['br', 'gzip', 'identity'].map((each) => get(path, accepting(each))))
    const etags = all.map(({ headers }) => headers.etag)
    expect(new Set(etags).size).toBe(3)
    const other = await get(path, { ...accepting('gzip'), 'if-none-match': etags[0] ?? '' })
    expect([other.status, decoded(other)]).toEqual([200, decoded(all[2] as Got)])
  })

  test('answers HEAD with the headers of GET and no body', async () => {
    const path = await pathOf(name)
    const [whole, head] = [await get(path, accepting('gzip')), await get(path, accepting('gzip'), 'HEAD')]
    const { date: _, 'x-request-id': __, ratelimit: ___, ...headers } = whole.headers
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers).toMatchObject({ ...headers, 'content-length': String(whole.bytes.length) })
  })
})

test('a page or document is asked for each time; its assets are kept under the version that the page names', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    expect((await get(path)).headers['cache-control']).toBe('public, no-cache')
  }
  const path = await styles()
  expect((await get(path)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('an asset of another version is not kept under its name', async () => {
  const path = (await styles()).replace(/v=\w+$/, 'v=0123456789ab')
  expect((await get(path)).headers['cache-control']).toBe('public, no-cache')
})

test('the OpenAPI document is at most a fifth of its size on the way', async () => {
  const [plain, gzip] = [await get('/openapi.json'), await get('/openapi.json', accepting('gzip'))]
  expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 5)
})

test('an API answer of one seller is never stored by a cache, whatever its encoding', async () => {
  const reads = routes.filter(({ method, scope }) => method === 'GET' && scope !== 'public')
  expect(reads.length).toBeGreaterThan(20)
  for (const path of reads.flatMap(pathsOf)) {
    const own = path.replaceAll(/\{\w*[sS]ellerId\}/g, String(gateway.sellerId)).replaceAll(/\{\w+\}/g, '1')
    const { status, headers } = await get(own, accepting('gzip'))
    expect([own, status, headers['cache-control'], headers.etag]).toEqual([
      own,
      expect.any(Number),
      'no-store',
      undefined,
    ])
  }
})

test('a signing secret and a short answer are sent plain', async () => {
  for (const path of ['/api/v2/webhooks/secret', '/api/v2/customers?size=2']) {
    const got = await get(path, accepting('br, gzip'))
    expect([got.status, got.headers['content-encoding']]).toEqual([200, undefined])
  }
})

test('a problem is sent plain', async () => {
  const got = await get('/api/v2/customers?sort=x', accepting('br, gzip'))
  expect([got.status, got.headers['content-encoding']]).toEqual([400, undefined])
})
