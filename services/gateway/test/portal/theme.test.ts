import { openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const PAGE = '/portal/settings/theme'
const TYPED = {
  primaryColor: '#0B7A4B',
  secondaryColor: '#5B6472',
  'colors.headerBackground': '#123456',
  'colors.headerText': '#FFFFFF',
  'colors.bodyBackground': '#F5F6F8',
  'colors.bodyText': '#1A1C1F',
  logoUrl: 'https://shop.example/logo.png',
}

async function signedIn(role?: 'READ_ONLY'): Promise<{ browser: Browser; sellerId: number }> {
  const { email, sellerId } = await system.makeSeller({ name: 'Padaria <Aurora>' })
  const browser = openBrowser(system.url)
  await browser.signIn(role ? await system.addPerson(sellerId, role) : email, PASSWORD)
  return { browser, sellerId }
}

test('a theme is previewed without being saved, saved, and read again', async () => {
  const { browser } = await signedIn()
  const previewed = await browser.submit(PAGE, { ...TYPED, deed: 'preview' })
  expect(previewed.status).toBe(200)
  expect(previewed.text).toContain(encodeURIComponent('#123456'))
  expect((await browser.get(PAGE)).text).not.toContain('#123456')
  expect(await browser.submit(PAGE, { ...TYPED, deed: 'save' })).toMatchObject({
    status: 303,
    location: PAGE,
  })
  const { text } = await browser.get(PAGE)
  expect(readable(text)).toContain('The theme was saved.')
  for (const value of ['#123456', '#0B7A4B', TYPED.logoUrl]) expect(text).toContain(`value="${value}"`)
})

test('the preview is the payment page in the given colors, in a frame of the portal alone', async () => {
  const { browser } = await signedIn()
  const { status, text, headers } = await browser.get(
    `${PAGE}/preview?${new URLSearchParams(TYPED).toString()}`,
  )
  expect(status).toBe(200)
  expect(text).toContain('--header:#123456')
  expect(text).toContain('Padaria &lt;Aurora&gt;')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('content-security-policy')).toContain('https://shop.example/logo.png')
  const other = await browser.get(
    `${PAGE}/preview?primaryColor=red;}body{display:none&colors.bodyText=%22%3E%3Cscript%3E`,
  )
  expect(other.status).toBe(200)
  expect(other.text).not.toMatch(/display:none&|"><script>/)
  const page = await browser.get(PAGE)
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'")
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('a color that is none is explained at its field, and what was typed stays', async () => {
  const { browser } = await signedIn()
  const answer = await browser.submit(PAGE, { ...TYPED, 'colors.headerText': 'white' })
  expect(answer.status).toBe(422)
  expect(answer.text).toMatch(/id="colors\.headerText-fault"/)
  expect(answer.text).toContain('value="#123456"')
})

test('who may only read sees the theme, and changes nothing', async () => {
  const { browser } = await signedIn('READ_ONLY')
  const page = await browser.get(PAGE)
  expect([page.status, page.text.includes('Save the theme')]).toEqual([200, false])
  expect(page.text).toContain('Your role does not change the theme.')
  expect(page.text.match(/<input [^>]*(type="color"|id="logoUrl")[^>]* disabled/g)).toHaveLength(7)
  expect((await browser.submit(PAGE, TYPED)).status).toBe(403)
})
