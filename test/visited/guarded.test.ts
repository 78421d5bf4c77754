import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import {
  hiddenFields,
  openBrowser,
  readable,
  type Browser,
  type Seen,
} from '../../services/gateway/test/portal/browser'
import { isOpen } from '../../services/gateway/test/support/portal-routes'
import type { DoomedSystem } from '../killed/doomed-system'
import { unrestIn } from '../killed/quiet'
import { withDatabase } from '../probed/places'
import { startProduct, type Product } from '../probed/product'
import { discard, runCofrectl } from '../journeys/system'
import { everyRoute, readAll, signedIn, type FilledRoute } from './every-route'

const ACCOUNT = '/portal/settings/account'
const PASSWORD = 'uma senha bem comprida'

let product: Product
/** The owner of all that is made, in two browsers, and the owner of another shop. */
let owner: Browser
let again: Browser
let other: Browser
let routes: FilledRoute[]
let before: Record<string, string>

beforeAll(async () => {
  product = await startProduct()
  const { portal, secondSeller } = product.ready
  const file = join(product.runDir, 'password')
  writeFileSync(file, PASSWORD, { mode: 0o600 })
  const given = [
    '--seller',
    String(secondSeller.sellerId),
    '--email',
    'other@example.com',
    '--password-file',
    file,
  ]
  await runCofrectl(product, 'user', 'create', ...given)
  owner = await signedIn(product, portal.email, portal.password)
  again = await signedIn(product, portal.email, portal.password)
  other = await signedIn(product, 'other@example.com', PASSWORD)
  routes = await everyRoute(product, owner)
  before = await atRest()
})
afterAll(() => discard(product))
afterEach(async () => expect(await readAll(owner, routes)).toEqual(before))

/** What the owner reads once no service has work left: then nothing changes by itself any more. */
async function atRest(): Promise<Record<string, string>> {
  const read: DoomedSystem['read'] = (database, sql) =>
    withDatabase(product.runDir, database, async (client) => (await client.query(sql)).rows)
  const isAtRest = async () => expect(await unrestIn({ read })).toEqual([])
  return eventually(async () => {
    // The second look finds the work that ran ahead of the first one, from a table still to be read to one that was.
    await isAtRest()
    await isAtRest()
    const pages = await readAll(owner, routes)
    await isAtRest()
    return pages
  })
}

const forms = () => routes.filter(({ method }) => method === 'POST')

/** Sends a form as its page would; the form with a file as one of several parts. */
async function send(browser: Browser, path: string, fields: Record<string, string>): Promise<Seen> {
  if (!/\/(evidence|logo)$/.test(path)) return browser.post(path, fields)
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, reason: 'Entregue.' })) form.append(name, value)
  form.append('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'a.pdf')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${product.ready.baseUrl}${path}`, {
    method: 'POST',
    body: form,
    headers: { cookie },
    redirect: 'manual',
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text(), location: undefined }
}

test('the owner reaches every page and file: the ids of the tables are good', async () => {
  for (const { route, path } of routes.filter(({ method }) => method === 'GET')) {
    if (path.startsWith('/portal/join/')) continue
    const { status } = await owner.get(path)
    // A form whose action does not apply now leads back.
    expect([route, [200, 303].includes(status) || status]).toEqual([route, true])
  }
})

test('a page, file or form of another seller’s record is 404, and changes nothing', async () => {
  const named = routes.filter(({ names }) => names)
  expect(named.length).toBeGreaterThan(60)
  const fields = hiddenFields((await other.get(ACCOUNT)).text)
  for (const { method, route, path } of named) {
    const { status, text } = method === 'GET' ? await other.get(path) : await send(other, path, fields)
    expect([route, status, readable(text)]).toEqual([route, 404, expect.stringContaining('Page not found')])
  }
})

test('a form without its token, or with that of another session, is refused, and changes nothing', async () => {
  const { once = '', formToken: anothers = '' } = hiddenFields((await again.get(ACCOUNT)).text)
  const { formToken: strangers = '' } = hiddenFields(
    (await openBrowser(product.ready.baseUrl).get('/portal/login')).text,
  )
  for (const form of forms()) {
    const stranger = openBrowser(product.ready.baseUrl)
    if (isOpen({ ...form, path: form.path.slice('/portal'.length) })) await stranger.get('/portal/login')
    const [browser, token] = stranger.cookies.size > 0 ? [stranger, strangers] : [owner, anothers]
    expect(token).not.toBe('')
    const fields: Record<string, string>[] = [{}, { formToken: '' }, { formToken: token }]
    for (const each of fields) {
      const { status, text } = await send(browser, form.path, { once, ...each })
      expect([form.route, status, readable(text)]).toEqual([
        form.route,
        403,
        expect.stringContaining('This form was not accepted'),
      ])
    }
  }
})

test('a browser that is not signed in is led to the sign-in, and back to what it asked for', async () => {
  for (const { method, route, path } of routes) {
    if (isOpen({ method, path: path.slice('/portal'.length) })) continue
    const stranger = openBrowser(product.ready.baseUrl)
    const { status, location = '' } =
      method === 'GET' ? await stranger.get(path) : await stranger.post(path, {})
    const next = method === 'GET' && path !== '/portal' ? `?next=${encodeURIComponent(path)}` : ''
    expect([route, status, location]).toEqual([route, 303, `/portal/login${next}`])
  }
})
