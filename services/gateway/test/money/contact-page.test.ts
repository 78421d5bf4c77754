import { openBrowser, readable, type Browser } from '../portal/browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal/portal-system'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const PAGE = '/portal/settings/contact'
const TYPED = { 'contact.email': 'ajuda@padaria.example', 'contact.phone': '(11) 4002-8922' }

async function signedIn(role?: 'READ_ONLY'): Promise<Browser> {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(role ? await system.addPerson(sellerId, role) : email, PASSWORD)
  return browser
}

test('whom payers ask is saved, said, and told in the audit', async () => {
  const browser = await signedIn()
  expect(await browser.submit(PAGE, TYPED)).toMatchObject({ status: 303, location: PAGE })
  expect(readable((await browser.get(PAGE)).text)).toContain('Saved. The next letters say it.')
  const audit = readable((await browser.get('/portal/settings/audit')).text)
  expect(audit).toContain('changed whom payers ask')
  expect(audit).toContain('ajuda@padaria.example')
})

test('an address that is none is explained at its field, and what was typed stays', async () => {
  const browser = await signedIn()
  const { status, text } = await browser.submit(PAGE, {
    ...TYPED,
    'contact.email': 'a@b.example, c@d.example',
  })
  expect(status).toBe(422)
  expect(text).toMatch(/id="contact\.email-fault"/)
  expect(text).toContain('value="(11) 4002-8922"')
})

test('who may only read sees whom payers ask, and changes nothing', async () => {
  const browser = await signedIn('READ_ONLY')
  const page = await browser.get(PAGE)
  expect([page.status, readable(page.text).includes('Your role does not change this.')]).toEqual([200, true])
  expect(page.text).toMatch(/<fieldset class="fields" disabled>/)
  expect((await browser.submit(PAGE, TYPED)).status).toBe(403)
})
