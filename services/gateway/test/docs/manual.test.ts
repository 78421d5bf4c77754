import { listDeclines } from '@cofre/api/declines/decline-table'
import { REFUSALS, VERIFICATION_REFUSAL } from '@cofre/api/declines/refusal-table'
import { hasShopperWords } from '@cofre/api/declines/shopper-words'
import { chargeStatus } from '@cofre/api/charge'
import { ENDPOINT_EVENTS } from '@cofre/api/events'
import { GUIDES } from '../../src/docs/manual/guides'
import { routes } from '../../src/api/all-routes'
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
/** A response, or a reference to one that operations share. */
type Shared = { $ref?: string; description?: string }
type Operation = { operationId: string; description?: string; responses: Record<string, Shared> }
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

test('the guide of declines has every code of a refused payment, with the member that it is about', async () => {
  const { text } = await read('/docs/declines')
  for (const { codes, member, message } of [...REFUSALS, VERIFICATION_REFUSAL]) {
    for (const code of codes) expect(text).toContain(`<code>${code}</code>`)
    expect(text).toContain(`<span class="tag">${member}</span>`)
    expect(text).toContain(message)
  }
  expect(text).toContain('<code>214</code>')
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
  for (const { operationId } of operations) {
    const shown = text.split(`#${operationId}"`).length - 1
    expect([operationId, shown]).toEqual([operationId, 1])
  }
  for (const { method, operationId, also = [] } of routes) {
    const main = operations.find((each) => each.operationId === operationId)
    for (const path of also) expect(main?.description).toContain(`\`${method} ${path}\``)
  }
})

test('the examples of a problem have the status of their response', async () => {
  const { components } = (await gateway.call('GET', '/openapi.json', { token: null })).body
  for (const operation of Object.values(await readPaths()).flatMap((methods) => Object.values(methods))) {
    for (const [status, { $ref, description }] of Object.entries(operation.responses)) {
      if ($ref === undefined) continue
      const shared = components.responses[$ref.split('/').at(-1) ?? '']
      const { examples } = shared.content['application/problem+json']
      const codes = [...(description ?? shared.description).matchAll(/`(\w+)`/g)].map(([, code]) => code)
      expect(codes.length).toBeGreaterThan(0)
      for (const code of codes) expect(examples[code].value).toMatchObject({ code, status: Number(status) })
    }
  }
})

test('the reference of a card body says which members go together, and that the card may be encrypted', async () => {
  const cards = (await read('/docs/reference/cards')).text
  const section = cards.slice(cards.indexOf('id="createCardToken"'))
  expect(section).toContain('<code>encryptedCard</code> <span class="type">string</span>')
  expect(section).toContain('Either encryptedCard, or cardNumber with holder and expiration.')
  const orders = (await read('/docs/reference/orders')).text
  expect(orders).toContain('Exactly one of card, cardToken and networkToken.')
  expect(orders).toContain('<code>encryptedCard</code>')
})

test('the reference of an operation shows an example of each of its problems, and of no other', async () => {
  const paths = await readPaths()
  const charges = (await read('/docs/reference/charges')).text
  const section = charges.slice(charges.indexOf('id="captureCharge"')).split('</section>')[0] ?? ''
  const shown = [...section.matchAll(/<figcaption>([A-Z_]+)<\/figcaption>/g)].map(([, code]) => code)
  const named = Object.values(paths['/api/v2/charges/{id}/capture']?.['post']?.responses ?? {}).flatMap(
    ({ $ref, description = '' }) =>
      $ref ? [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code) : [],
  )
  expect(named.length).toBeGreaterThan(5)
  expect(shown).toEqual(expect.arrayContaining(named))
  expect(shown).not.toContain('CARD_BRAND_UNSUPPORTED')
  expect(new Set(shown).size).toBe(shown.length)
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
