import { codeAt } from '../../src/portal/people/totp'
import { openBrowser, readable, type Browser, type Seen } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

const PAGE = '/portal/settings/two-step'
const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

let system: PortalSystem
beforeAll(async () => (system = await startPortal()))
afterAll(() => system.stop())

/** An app that was given the secret as people type it. `later`: steps from now. */
function appOf(typed: string): (later?: number) => string {
  const bits = Array.from(typed, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return (later = 0) => codeAt(secret, Math.floor(Date.now() / STEP_MS) + later)
}

function hidden(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** Turns two steps on; returns the app and the recovery codes. */
async function turnOn(browser: Browser): Promise<{ app: ReturnType<typeof appOf>; recovery: string[] }> {
  const { text } = await browser.get(PAGE)
  const app = appOf(/<code>([A-Z2-7]{32})<\/code>/.exec(text)?.[1] ?? '')
  const fields = { offer: hidden(text, 'offer'), code: app(-1), currentPassword: PASSWORD }
  const answer = await browser.submit(`${PAGE}/on`, fields, PAGE)
  expect([answer.status, answer.location]).toEqual([303, PAGE])
  const shown = /<textarea id="recovery"[^>]*>([^<]*)</.exec((await browser.get(PAGE)).text)?.[1] ?? ''
  return { app, recovery: shown.split('\n') }
}

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  return browser
}

const type = (browser: Browser, code: string): Promise<Seen> => browser.submit('/portal/login/code', { code })

test('codes are those of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890')
  const codes = [59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((at) =>
    codeAt(secret, Math.floor(at / 30)),
  )
  expect(codes).toEqual(['287082', '081804', '005924', '353130'])
})

test('with an app, the password alone shows nothing; the code opens the portal, once', async () => {
  const { email } = await system.makeSeller()
  const { app, recovery } = await turnOn(await signedIn(email))
  expect(recovery).toHaveLength(10)
  const browser = openBrowser(system.url)
  const first = await browser.signIn(email, PASSWORD)
  expect([first.status, first.location]).toEqual([303, '/portal/login/code'])
  for (const path of ['/portal/charges', '/portal/settings/account', PAGE]) {
    await expect(browser.get(path)).resolves.toMatchObject({ status: 303 })
  }
  expect((await type(browser, '000000')).status).toBe(401)
  expect((await type(browser, app(7))).status).toBe(401)
  const code = app()
  expect(await type(browser, code)).toMatchObject({ status: 303, location: '/portal' })
  expect((await browser.get('/portal/charges')).status).toBe(200)
  const thief = openBrowser(system.url)
  await thief.signIn(email, PASSWORD)
  expect((await type(thief, code)).status).toBe(401)
})

test('a recovery code signs in once', async () => {
  const { email } = await system.makeSeller()
  const { recovery } = await turnOn(await signedIn(email))
  const [code = ''] = recovery
  const browsers = [openBrowser(system.url), openBrowser(system.url)]
  for (const browser of browsers) await browser.signIn(email, PASSWORD)
  const answers = await Promise.all(browsers.map((browser) => type(browser, code)))
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '401'])
})

test('guesses are bounded', async () => {
  const { email } = await system.makeSeller()
  await turnOn(await signedIn(email))
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const statuses: number[] = []
  for (let guess = 0; guess < 8; guess += 1) statuses.push((await type(browser, `00000${guess}`)).status)
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses.at(-1)).toBe(429)
})

test.each([
  [{ code: '000000', currentPassword: PASSWORD }, 'not the code that the app shows'],
  [{ currentPassword: 'wrong password' }, 'This is not your current password.'],
  [{ offer: 'x', currentPassword: PASSWORD }, 'This form is too old.'],
] as [Record<string, string>, string][])('turning it on with %j is refused', async (changed, words) => {
  const { email } = await system.makeSeller()
  const browser = await signedIn(email)
  const { text } = await browser.get(PAGE)
  const app = appOf(/<code>([A-Z2-7]{32})<\/code>/.exec(text)?.[1] ?? '')
  const fields = { offer: hidden(text, 'offer'), code: app(), ...changed }
  const answer = await browser.submit(`${PAGE}/on`, fields, PAGE)
  expect([answer.status, readable(answer.text)]).toEqual([422, expect.stringContaining(words)])
  await expect((await signedIn(email)).get('/portal/charges')).resolves.toMatchObject({ status: 200 })
})

test('an owner asks everybody for it: who has no app sets it up first', async () => {
  const { sellerId, email } = await system.makeSeller()
  const owner = await signedIn(email)
  const people = '/portal/settings/people'
  await turnOn(owner)
  const clerk = await signedIn(await system.addPerson(sellerId, 'SUPPORT'))
  const fields = { required: 'true', currentPassword: PASSWORD }
  expect((await owner.submit(`${people}/two-step`, fields, people)).status).toBe(303)
  expect(await clerk.get('/portal/charges')).toMatchObject({ status: 303, location: PAGE })
  await turnOn(clerk)
  expect((await clerk.get('/portal/charges')).status).toBe(200)
  expect((await owner.get('/portal/charges')).status).toBe(200)
})

test('an owner resets it for a person who lost the phone', async () => {
  const { sellerId, email } = await system.makeSeller()
  const owner = await signedIn(email)
  const clerksEmail = await system.addPerson(sellerId, 'SUPPORT')
  await turnOn(await signedIn(clerksEmail))
  const { text } = await owner.get('/portal/settings/people')
  const at = text.indexOf(clerksEmail)
  const page = /\/portal\/settings\/people\/\d+(?=">[^<]*$)/.exec(text.slice(0, at))?.[0] ?? ''
  const answer = await owner.submit(page, { deed: 'two-step', currentPassword: PASSWORD })
  expect(answer.status).toBe(303)
  expect((await (await signedIn(clerksEmail)).get('/portal/charges')).status).toBe(200)
})

test('the secret rests sealed, and no page shows it again', async () => {
  const { email } = await system.makeSeller()
  const browser = await signedIn(email)
  const { text } = await browser.get(PAGE)
  const typed = /<code>([A-Z2-7]{32})<\/code>/.exec(text)?.[1] ?? ''
  const fields = { offer: hidden(text, 'offer'), code: appOf(typed)(), currentPassword: PASSWORD }
  await browser.submit(`${PAGE}/on`, fields, PAGE)
  expect((await browser.get(PAGE)).text).not.toContain(typed)
  const { rows } = await system.deps.pool.query(
    'SELECT to_jsonb(u)::text AS text FROM portal_users u WHERE email = $1',
    [email],
  )
  expect(rows[0].text).not.toContain(typed)
  expect(system.logged()).not.toContain(typed)
})
