import { listDeclines } from '@cofre/api/declines/decline-table'
import { hasShopperWords } from '@cofre/api/declines/shopper-words'
import { chargeStatus } from '@cofre/api/charge'
import { ENDPOINT_EVENTS } from '@cofre/api/events'
import { GUIDES } from '../../src/openapi/manual/guides'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const read = async (path: string) => {
  const page = await gateway.call('GET', path, { token: null })
  return { path, ...page }
}
type Content = Record<string, { examples: Record<string, { value: { status: number } }> }>
type Operation = {
  operationId: string
  description?: string
  'x-internal'?: true
  responses: Record<string, { content?: Content }>
}
async function readPaths(): Promise<Record<string, Record<string, Operation>>> {
  return (await gateway.call('GET', '/openapi.json', { token: null })).body.paths
}
const linksOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')

/** Reads every page of the manual, following the links from its start page. */
async function readManual() {
  const pages = new Map<string, Awaited<ReturnType<typeof read>>>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const page = await read(path)
    pages.set(path, page)
    if (!page.headers.get('content-type')?.startsWith('text/html')) continue
    waiting.push(
      ...linksOf(page.text)
        .map((link) => link.split('#')[0] ?? '')
        .filter((link) => link.startsWith('/docs') && !pages.has(link)),
    )
  }
  return pages
}

test('every page can be reached from the start page, and every link leads somewhere', async () => {
  const pages = await readManual()
  expect([...pages.values()].filter(({ status }) => status !== 200).map(({ path }) => path)).toEqual([])
  for (const { path } of GUIDES) expect([...pages.keys()]).toContain(`/docs${path}`)
  const broken = [...pages.values()].flatMap(({ path, text }) =>
    linksOf(text).filter((link) => {
      const [page = '', anchor] = link.split('#')
      if (anchor === undefined || link.startsWith('http')) return false
      const target = pages.get(page === '' ? path : page)
      return anchor !== 'content' && !target?.text.includes(`id="${anchor}"`)
    }),
  )
  expect(broken).toEqual([])
})

test('the start page is also at the root', async () => {
  const [root, docs] = [await read('/'), await read('/docs')]
  expect(root.status).toBe(200)
  expect(root.text).toBe(docs.text)
})

test('an unknown page of the reference is not found, as any other unknown page, by every method', async () => {
  const other = await read('/docs/no-such-page')
  for (const method of ['GET', 'POST']) {
    const page = await gateway.call(method, '/docs/reference/no-such-page', { token: null })
    expect(page).toMatchObject({ status: 404, body: { code: other.body.code, title: other.body.title } })
    expect(page.headers.get('allow')).toBeNull()
  }
  expect((await gateway.call('POST', '/docs/reference/cards', { token: null })).status).toBe(405)
})

test('pages contain nothing that their policy forbids', async () => {
  for (const { path, text, headers } of (await readManual()).values()) {
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect([path, /\sstyle="|<style|<script>|\son\w+="/.test(text)]).toEqual([path, false])
    const foreign = [...text.matchAll(/(?:src|<link[^>]*href)="(https?:[^"]+)"/g)]
    expect(foreign).toEqual([])
  }
})

test('the guide of declines has every code, each with its own text for the shopper', async () => {
  const { text } = await read('/docs/declines')
  for (const { code } of listDeclines()) {
    expect(text).toContain(`id="${code}"`)
    expect([code, hasShopperWords(code)]).toEqual([code, true])
  }
})

test('the guides name every event and every state of a charge', async () => {
  const [webhooks, life] = [await read('/docs/webhooks'), await read('/docs/life-of-a-charge')]
  for (const type of [...ENDPOINT_EVENTS, 'test.ping'])
    expect(webhooks.text).toContain(`data-event="${type}"`)
  for (const status of chargeStatus.schema.options) {
    expect(life.text).toContain(`<td><code>${status}</code></td>`)
    expect(life.text).toContain(`>${status}</text>`)
  }
})

test('the reference shows each operation once, with its other paths in its description', async () => {
  const paths = await readPaths()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  const { text } = await read('/docs/reference')
  for (const { path, operationId, ...operation } of operations) {
    const shown = text.split(`#${operationId}"`).length - 1
    expect([operationId, shown]).toEqual([operationId, operation['x-internal'] ? 0 : 1])
    if (!operation['x-internal']) continue
    const main = operations.find((each) => !each['x-internal'] && each.description?.includes(`${path}\``))
    expect([path, main === undefined]).toEqual([path, false])
  }
})

test('the examples of a problem have the status of their response', async () => {
  const paths = await readPaths()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const problems = content['application/problem+json']
      if (!problems) continue
      const examples = Object.values(problems.examples)
      for (const { value } of examples) expect(value.status).toBe(Number(status))
      expect(examples.length).toBeGreaterThan(0)
    }
  }
})

test('the reference of a card body shows its required members, and that the card may be encrypted', async () => {
  const cards = (await read('/docs/reference/cards')).text
  const section = cards.slice(cards.indexOf('id="createCardToken"'))
  expect(section).toContain('<code>encryptedCard</code> <span class="type">string</span>')
  expect(section).toContain('required without encryptedCard')
  const orders = (await read('/docs/reference/orders')).text
  expect(orders).toContain('Exactly one of card, cardToken and networkToken.')
  expect(orders).toContain('<code>encryptedCard</code>')
})

test('every operation that takes a body describes it', async () => {
  const { text } = await read('/docs/reference/charges')
  const section = text.slice(text.indexOf('<section class="operation" id="replaceChargeMetadata"'))
  expect(section).toContain('<h3>Body <span class="type">required</span></h3>\n<p>Up to 50 keys')
})

test('no page shows the backticks of code', async () => {
  for (const { path, text, headers } of (await readManual()).values()) {
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    const shown = text.replaceAll(/<pre[\s\S]*?<\/pre>/g, '').replaceAll(/data-words="[^"]*"/g, '')
    expect([path, /`[^`\n]*`/.exec(shown)?.[0]]).toEqual([path, undefined])
  }
})
