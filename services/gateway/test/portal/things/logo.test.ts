import { deflateSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { hiddenFields, openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

const PAGE = '/portal/settings/theme'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

async function signedIn(role?: 'READ_ONLY'): Promise<{ browser: Browser; sellerId: number }> {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(role ? await system.addPerson(sellerId, role) : email, PASSWORD)
  return { browser, sellerId }
}

/** The beginning of a PNG, and enough after it to be its own picture. */
function png(size = 300): Buffer {
  const head = Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR', 'latin1')
  return Buffer.concat([head, deflateSync(randomBytes(64)), randomBytes(size)]).subarray(0, size)
}
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(100)])
const WEBP = Buffer.concat([Buffer.from('RIFF\x0C\0\0\0WEBPVP8 ', 'latin1'), randomBytes(4)])

async function upload(browser: Browser, bytes: Buffer, name = 'logo.png', page = PAGE) {
  const form = new FormData()
  for (const [field, value] of Object.entries(hiddenFields((await browser.get(page)).text)))
    form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name)
  const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const answer = await fetch(`${system.url}${PAGE}/logo`, {
    method: 'POST',
    body: form,
    headers: { cookie },
    redirect: 'manual',
  })
  return { status: answer.status, text: await answer.text() }
}

const logoOf = async (browser: Browser) =>
  /id="logoUrl"[^>]*value="([^"]*)"/.exec((await browser.get(PAGE)).text)?.[1] ?? ''
const fetchLogo = (url: string) => fetch(url.replace('http://portal.test', system.url))

test.each([
  ['png', 'image/png', png()],
  ['jpg', 'image/jpeg', JPEG],
  ['webp', 'image/webp', WEBP],
])('a %s becomes the logo, and its address serves it to anyone, for good', async (ending, type, bytes) => {
  const { browser } = await signedIn()
  expect((await upload(browser, bytes, 'anything.txt')).status).toBe(303)
  const url = await logoOf(browser)
  expect(url).toMatch(new RegExp(`^http://portal\\.test/logos/[\\w-]{43}\\.${ending}$`))
  const served = await fetchLogo(url)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  })
})

test('the payment page shows an uploaded logo, and its policy allows it', async () => {
  const { browser } = await signedIn()
  await upload(browser, png())
  const url = await logoOf(browser)
  const preview = await browser.get(`${PAGE}/preview?${new URLSearchParams({ logoUrl: url }).toString()}`)
  expect(preview.text).toContain(`<img src="${url}"`)
  expect(preview.headers.get('content-security-policy')).toContain(`img-src 'self' ${url}`)
})

test.each([
  [
    'an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    'PNG, a JPEG or a WebP.',
  ],
  ['a page that is named a picture', Buffer.from('<html><script>1</script>'), 'PNG, a JPEG or a WebP.'],
  ['a GIF', Buffer.from('GIF89a------------'), 'PNG, a JPEG or a WebP.'],
  ['a WebP that is cut off', WEBP.subarray(0, 15), 'PNG, a JPEG or a WebP.'],
  ['nothing', Buffer.alloc(0), 'Choose a picture.'],
  ['more than 200 KB', png(200 * 1024 + 1), 'The picture must have at most 200 KB.'],
])('%s is refused beside its field, and the theme stays', async (_name, bytes, said) => {
  const { browser } = await signedIn()
  const { status, text } = await upload(browser, bytes)
  expect([status, readable(text)]).toEqual([422, expect.stringContaining(said)])
  expect(text).toMatch(/id="file"[^>]*aria-invalid="true"/)
  expect(await logoOf(browser)).toBe('')
})

test('exactly 200 KB are taken, and of many uploads the last twenty are kept', async () => {
  const { browser, sellerId } = await signedIn()
  expect((await upload(browser, png(200 * 1024))).status).toBe(303)
  const first = await logoOf(browser)
  for (let made = 0; made < 20; made++) expect((await upload(browser, png())).status).toBe(303)
  const { rows } = await system.deps.pool.query('SELECT FROM logos WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(20)
  expect((await fetchLogo(first)).status).toBe(404)
  expect((await fetchLogo(await logoOf(browser))).status).toBe(200)
})

test('who may not change the theme uploads nothing, and another type’s ending finds nothing', async () => {
  const { browser } = await signedIn('READ_ONLY')
  expect((await upload(browser, png(), 'logo.png', '/portal/settings/account')).status).toBe(403)
  expect((await browser.get(PAGE)).text).not.toContain('type="file"')
  const owner = (await signedIn()).browser
  await upload(owner, png())
  expect((await fetchLogo((await logoOf(owner)).replace(/png$/, 'webp'))).status).toBe(404)
  expect((await fetchLogo(`http://portal.test/logos/${'x'.repeat(43)}.png`)).status).toBe(404)
})
