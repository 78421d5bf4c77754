import { callerOf } from '../../src/portal/session'
import { openBrowser, readable, type Browser } from '../portal/browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal/portal-system'

let system: PortalSystem
let browser: Browser
let key: string
beforeAll(async () => {
  system = await startPortal()
  const { email } = await system.makeSeller()
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  key = callerOf(browser.cookies.get('portal_session') ?? '')
})
afterAll(() => system.stop())
beforeEach(() => system.deps.rateLimit.fill(key))

test.each([
  ['/settings/account', 0],
  ['/charges', 1],
  ['', 6],
  ['/search?q=nobody', 10],
])('the page %s counts as the operations that it asks: %i at least', async (path, least) => {
  const spent = jest.spyOn(system.deps.rateLimit, 'spend')
  expect((await browser.get(`/portal${path}`)).status).toBe(200)
  const calls = spent.mock.calls.map(([caller]) => caller)
  spent.mockRestore()
  expect(calls.length).toBeGreaterThanOrEqual(least)
  expect(new Set(calls).size).toBe(least === 0 ? 0 : 1)
  if (least > 0) expect(calls[0]).toBe(key)
})

test('a session that asked too much is refused after a second, until it has rested', async () => {
  for (let left = 100_000; left > 0; left--) system.deps.rateLimit.spend(key)
  const began = performance.now()
  const { status, headers, text } = await browser.get('/portal/charges')
  expect(performance.now() - began).toBeGreaterThan(900)
  expect([status, readable(text)]).toEqual([429, expect.stringContaining('Too many requests')])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(60)
  system.deps.rateLimit.fill(key)
  expect((await browser.get('/portal/charges')).status).toBe(200)
})

test('another session of the same person is not refused', async () => {
  const { email } = await system.makeSeller()
  const [one, other] = [openBrowser(system.url), openBrowser(system.url)]
  for (const each of [one, other]) await each.signIn(email, PASSWORD)
  const busy = callerOf(one.cookies.get('portal_session') ?? '')
  for (let left = 100_000; left > 0; left--) system.deps.rateLimit.spend(busy)
  expect((await other.get('/portal/charges')).status).toBe(200)
  expect((await one.get('/portal/charges')).status).toBe(429)
})
