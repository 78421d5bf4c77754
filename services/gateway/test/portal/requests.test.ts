import { issueToken } from '../../src/sellers/api-tokens/issue-token'
import { eventually } from '@cofre/testing/testing'
import { openBrowser, readable } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

/** A signed-in browser of a seller, and a way to ask the API as that seller. */
async function developer() {
  const { email, sellerId } = await system.makeSeller()
  const request = { sellerId, title: 'ERP', scopes: ['customers:read', 'invoices:write'] }
  const { accessToken } = await issueToken(system.deps, request)
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(system.url + path, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    })
  return { browser, ask }
}

test('a request of a program is found by its id, its path and its status, and shows what it was answered', async () => {
  const { browser, ask } = await developer()
  const answer = await ask('/api/v2/customers/77')
  expect(answer.status).toBe(404)
  const requestId = answer.headers.get('x-request-id') ?? ''
  const page = (query: string) => browser.get(`/portal/requests${query}`)
  const path = await eventually(async () => {
    const { text } = await page(`?requestId=${requestId}`)
    const [, found] = /href="(\/portal\/requests\/[\da-f]{32})"/.exec(text) ?? []
    expect(found).toBeDefined()
    return found ?? ''
  })
  for (const query of ['?status=404', '?path=%2Fapi%2Fv2%2Fcustomers%2F77', '?method=GET']) {
    expect((await page(query)).text).toContain(path)
  }
  for (const query of ['?status=200', '?path=%2Fapi%2Fv2%2Fcustomers%2F78', '?method=PUT']) {
    expect((await page(query)).text).not.toContain(path)
  }
  const shown = readable((await browser.get(path)).text)
  for (const text of ['GET /api/v2/customers/77', 'Refused', '404', 'NOT_FOUND', requestId]) {
    expect(shown).toContain(text)
  }
  const searched = await browser.get(`/portal/search?q=${requestId}`)
  expect(searched.text).toContain(path)
})

test('another seller’s request is not found, and a status that is none is explained', async () => {
  const [one, other] = [await developer(), await developer()]
  const { headers } = await one.ask('/api/v2/customers/78')
  const requestId = headers.get('x-request-id') ?? ''
  const path = await eventually(async () => {
    const { text } = await one.browser.get(`/portal/requests?requestId=${requestId}`)
    const [, found] = /href="(\/portal\/requests\/[\da-f]{32})"/.exec(text) ?? []
    expect(found).toBeDefined()
    return found ?? ''
  })
  expect((await other.browser.get(path)).status).toBe(404)
  expect((await other.browser.get(`/portal/requests?requestId=${requestId}`)).text).not.toContain(path)
  expect((await one.browser.get('/portal/requests/x')).status).toBe(404)
  const refused = await one.browser.get('/portal/requests?status=well')
  expect([refused.status, readable(refused.text)]).toEqual([
    422,
    expect.stringContaining('Enter a valid value.'),
  ])
})
