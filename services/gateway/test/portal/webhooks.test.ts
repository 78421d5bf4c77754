import { hiddenFields, openBrowser, readable } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem

beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())
afterEach(() => {
  system.behind.down = false
})

const PAGE = '/portal/settings/integrations/webhooks'

async function signedIn() {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  return { browser, sellerId }
}

test('the page has the signing secret, folded away', async () => {
  const { browser, sellerId } = await signedIn()
  const { text } = await browser.get(PAGE)
  const secret = system.behind.secrets.get(sellerId) ?? 'none'
  expect(text).toMatch(/<details>[\s\S]*whsec_[\s\S]*<\/details>/)
  expect(readable(text)).toContain(secret)
  expect(system.logged()).not.toContain(secret)
})

test('the question whether to rotate changes nothing; confirming does, for this seller only', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  await one.browser.get(PAGE)
  await other.browser.get(PAGE)
  const before = new Map(system.behind.secrets)
  await one.browser.get(`${PAGE}/rotate`)
  expect(system.behind.secrets).toEqual(before)

  const rotated = await one.browser.submit(`${PAGE}/rotate`, {})
  expect(rotated).toMatchObject({ status: 303, location: PAGE })
  const text = readable((await one.browser.get(PAGE)).text)
  expect(text).toContain('For 24 hours, Cofre also signs with the old secret.')
  expect(text).toContain(system.behind.secrets.get(one.sellerId) ?? 'none')
  expect(text).not.toContain(before.get(one.sellerId))
  expect(system.behind.secrets.get(other.sellerId)).toBe(before.get(other.sellerId))
})

test('confirming twice rotates once', async () => {
  const { browser, sellerId } = await signedIn()
  const form = hiddenFields((await browser.get(`${PAGE}/rotate`)).text)
  await browser.post(`${PAGE}/rotate`, form)
  const once = system.behind.secrets.get(sellerId)
  await expect(browser.post(`${PAGE}/rotate`, form)).resolves.toMatchObject({ status: 303 })
  expect(system.behind.secrets.get(sellerId)).toBe(once)
})

test('without the notifier the secret is not rotated, and the page says so', async () => {
  const { browser } = await signedIn()
  system.behind.down = true
  await expect(browser.submit(`${PAGE}/rotate`, {})).resolves.toMatchObject({ status: 503 })
  await expect(browser.get(PAGE)).resolves.toMatchObject({ status: 503 })
})
