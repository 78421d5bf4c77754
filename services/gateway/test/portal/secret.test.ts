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

const PAGE = '/portal/settings/integrations/secret'
const ROTATE = { deed: 'rotate', currentPassword: PASSWORD }
const SHOW = { deed: 'show', currentPassword: PASSWORD }

async function signedIn() {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const page = async () => readable((await browser.get(PAGE)).text)
  return { browser, sellerId, page }
}

test('the secret is shown once, after the password, and in no log', async () => {
  const { browser, sellerId, page } = await signedIn()
  expect(await page()).not.toContain('whsec_')
  expect(await browser.submit(PAGE, SHOW)).toMatchObject({ status: 303, location: PAGE })
  const secret = system.behind.secrets.get(sellerId) ?? 'none'
  expect(await page()).toContain(secret)
  expect(await page()).not.toContain(secret)
  expect(system.logged()).not.toContain(secret)
})

test('a rotation changes the secret of this seller only, and shows the new one', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  await one.browser.submit(PAGE, SHOW)
  await other.browser.submit(PAGE, SHOW)
  const before = new Map(system.behind.secrets)
  await one.page()

  expect(await one.browser.submit(PAGE, ROTATE)).toMatchObject({ status: 303, location: PAGE })
  const text = await one.page()
  expect(text).toContain('For 24 hours, Cofre also signs with the old secret.')
  expect(text).toContain(system.behind.secrets.get(one.sellerId) ?? 'none')
  expect(text).not.toContain(before.get(one.sellerId))
  expect(system.behind.secrets.get(other.sellerId)).toBe(before.get(other.sellerId))
})

test('a form sent twice rotates once', async () => {
  const { browser, sellerId } = await signedIn()
  const form = { ...ROTATE, ...hiddenFields((await browser.get(PAGE)).text) }
  await browser.post(PAGE, form)
  const once = system.behind.secrets.get(sellerId)
  await expect(browser.post(PAGE, form)).resolves.toMatchObject({ status: 303 })
  expect(system.behind.secrets.get(sellerId)).toBe(once)
})

test.each([
  ['', 'Type your current password.'],
  ['not my password', 'This is not your current password.'],
])('with the password “%s” nothing is shown and nothing is rotated', async (currentPassword, words) => {
  const { browser, sellerId, page } = await signedIn()
  await browser.submit(PAGE, SHOW)
  await page()
  const before = system.behind.secrets.get(sellerId)
  for (const deed of ['show', 'rotate']) {
    const answer = await browser.submit(PAGE, { deed, currentPassword })
    expect([answer.status, readable(answer.text)]).toEqual([422, expect.stringContaining(words)])
  }
  expect(await page()).not.toContain('whsec_')
  expect(system.behind.secrets.get(sellerId)).toBe(before)
})

test('without the notifier nothing is rotated, and the page says so', async () => {
  const { browser } = await signedIn()
  system.behind.down = true
  await expect(browser.submit(PAGE, ROTATE)).resolves.toMatchObject({ status: 503 })
})
