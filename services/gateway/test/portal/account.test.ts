import { openBrowser, readable } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem

beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const PAGE = '/portal/settings/account'
const NEW = 'another long password'

async function signedIn(email?: string) {
  const seller = email === undefined ? await system.makeSeller() : { email }
  const browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
  return { browser, email: seller.email }
}

function change(browser: ReturnType<typeof openBrowser>, fields: Record<string, string>) {
  return browser.submit(
    `${PAGE}/password`,
    { currentPassword: PASSWORD, newPassword: NEW, repeatedPassword: NEW, ...fields },
    PAGE,
  )
}

test('the page names the role of who is signed in', async () => {
  const { sellerId } = await system.makeSeller()
  const { browser } = await signedIn(await system.addPerson(sellerId, 'SUPPORT'))
  expect(readable((await browser.get(PAGE)).text)).toContain(
    'Role Support: finds payments, refunds, answers disputes',
  )
})

test('a changed password ends every other session and keeps this one, under a new id', async () => {
  const { browser, email } = await signedIn()
  const elsewhere = await signedIn(email)
  const before = new Map(browser.cookies)
  await expect(change(browser, {})).resolves.toMatchObject({ status: 303, location: PAGE })

  const page = await browser.get(PAGE)
  expect(readable(page.text)).toContain('Your password was changed.')
  expect(browser.cookies.get('portal_session')).not.toBe(before.get('portal_session'))
  await expect(elsewhere.browser.get('/portal')).resolves.toMatchObject({ status: 303 })
  const stale = openBrowser(system.url)
  before.forEach((value, name) => stale.cookies.set(name, value))
  await expect(stale.get('/portal')).resolves.toMatchObject({ status: 303 })

  await expect(openBrowser(system.url).signIn(email, PASSWORD)).resolves.toMatchObject({ status: 401 })
  await expect(openBrowser(system.url).signIn(email, NEW)).resolves.toMatchObject({ status: 303 })
})

test.each([
  [{ currentPassword: '' }, 'Type your current password.'],
  [{ currentPassword: 'wrong wrong wrong' }, 'This is not your current password.'],
  [{ newPassword: 'eleven char' }, 'A password must have 12 to 200 characters.'],
  [{ newPassword: 'x'.repeat(201) }, 'A password must have 12 to 200 characters.'],
  [{ newPassword: PASSWORD, repeatedPassword: PASSWORD }, 'This is your current password.'],
  [{ repeatedPassword: 'something else entirely' }, 'The passwords do not match.'],
])('%j is refused, and no password comes back', async (fields, words) => {
  const { browser, email } = await signedIn()
  const answer = await change(browser, fields)
  expect(answer.status).toBe(422)
  expect(readable(answer.text)).toContain(words)
  expect(answer.text).not.toContain(NEW)
  expect(answer.text).not.toMatch(/type="password"[^>]*value=/)
  await expect(openBrowser(system.url).signIn(email, PASSWORD)).resolves.toMatchObject({ status: 303 })
})

test('of two concurrent changes, one holds', async () => {
  const { email } = await signedIn()
  const browsers = [await signedIn(email), await signedIn(email)]
  const answers = await Promise.all(
    browsers.map(({ browser }, index) => {
      const newPassword = `${NEW} ${index}`
      return change(browser, { newPassword, repeatedPassword: newPassword })
    }),
  )
  expect(answers.filter(({ status, location }) => status === 303 && location === PAGE)).toHaveLength(1)
  const works = await Promise.all(
    [0, 1].map((index) => openBrowser(system.url).signIn(email, `${NEW} ${index}`)),
  )
  expect(works.filter(({ status }) => status === 303)).toHaveLength(1)
})

test('an old password that is checked during its change opens no session', async () => {
  const { browser, email } = await signedIn()
  await Promise.all([change(browser, {}), signedIn(email), signedIn(email)])
  const { rows } = await system.deps.pool.query(
    'SELECT 1 FROM portal_sessions s JOIN portal_users u ON u.id = s.user_id WHERE u.email = $1',
    [email],
  )
  expect(rows).toHaveLength(1)
})

test('after five wrong guesses of the current password, even the right one has to wait', async () => {
  const { browser } = await signedIn()
  for (let attempt = 0; attempt < 5; attempt++) {
    await expect(change(browser, { currentPassword: 'wrong' })).resolves.toMatchObject({ status: 422 })
  }
  const sixth = await change(browser, {})
  expect(sixth.status).toBe(429)
  expect(readable(sixth.text)).toContain('Wait 3 minutes, then try again.')
})

test('signing out everywhere ends every session', async () => {
  const { browser, email } = await signedIn()
  const elsewhere = await signedIn(email)
  await expect(browser.submit(`${PAGE}/sign-out-everywhere`, {}, PAGE)).resolves.toMatchObject({
    status: 303,
    location: '/portal/login',
  })
  await expect(browser.get('/portal')).resolves.toMatchObject({ status: 303 })
  await expect(elsewhere.browser.get('/portal')).resolves.toMatchObject({ status: 303 })
})

test('the browsers of a person are listed, and one of them is signed out alone', async () => {
  const { email } = await system.makeSeller()
  const [here, lost, other] = [openBrowser(system.url), openBrowser(system.url), openBrowser(system.url)]
  for (const browser of [here, lost]) await browser.signIn(email, PASSWORD)
  const { email: strangers } = await system.makeSeller()
  await other.signIn(strangers, PASSWORD)
  const { text } = await here.get(PAGE)
  expect(readable(text)).toContain('This browser')
  const names = [...text.matchAll(/name="session" value="([\da-f]{16})"/g)].map(([, name]) => name ?? '')
  expect(names).toHaveLength(1)
  const end = `${PAGE}/end-session`
  // A stranger who knows the name ends nothing.
  await other.submit(end, { session: names[0] ?? '' }, PAGE)
  expect((await lost.get(PAGE)).status).toBe(200)
  expect(await here.submit(end, { session: names[0] ?? '' }, PAGE)).toMatchObject({
    status: 303,
    location: PAGE,
  })
  expect((await lost.get(PAGE)).status).toBe(303)
  expect(readable((await here.get(PAGE)).text)).toContain('The browser was signed out.')
})
