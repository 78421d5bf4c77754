import { openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

const BAR = 'No real money moves.'

/** A new system, since the portal asks for the clock of one that has none only once. */
async function withBrowser(
  given: { noClock: boolean },
  work: (browser: Browser, system: PortalSystem) => Promise<void>,
) {
  const system = await startPortal()
  try {
    system.behind.noClock = given.noClock
    const { email } = await system.makeSeller()
    const browser = openBrowser(system.url)
    await browser.signIn(email, PASSWORD)
    await work(browser, system)
  } finally {
    await system.stop()
  }
}

test('outside a sandbox no page says that it is one, and there is no page of it', () =>
  withBrowser({ noClock: true }, async (browser, { behind }) => {
    expect(readable((await browser.get('/portal/charges')).text)).not.toContain(BAR)
    expect((await browser.get('/portal/sandbox')).status).toBe(404)
    behind.noClock = false
    const sent = await browser.submit('/portal/sandbox', { to: '2049-01-01T10:00' }, '/portal/charges')
    expect(sent.status).toBe(404)
  }))

test('in a sandbox each page says so, and the clock is moved there by who may', () =>
  withBrowser({ noClock: false }, async (browser, system) => {
    expect(readable((await browser.get('/portal/charges')).text)).toContain(BAR)
    const page = readable((await browser.get('/portal/sandbox')).text)
    for (const shown of ['Cards to try', 'Mastercard', 'Move the clock']) expect(page).toContain(shown)
    expect((await browser.submit('/portal/sandbox', { to: 'tomorrow' })).status).toBe(422)
    const moved = await browser.submit('/portal/sandbox', { to: '2049-01-01T10:00' })
    expect(moved).toMatchObject({ status: 303, location: '/portal/sandbox' })
    expect(readable((await browser.get('/portal/sandbox')).text)).toContain(
      'Invoices made: 2. Cards tried: 1.',
    )

    const { sellerId } = await system.makeSeller()
    const reader = openBrowser(system.url)
    await reader.signIn(await system.addPerson(sellerId, 'READ_ONLY'), PASSWORD)
    expect(readable((await reader.get('/portal/sandbox')).text)).not.toContain('Move the clock')
    const refused = await reader.submit('/portal/sandbox', { to: '2049-01-01T10:00' }, '/portal/charges')
    expect(refused.status).toBe(403)
  }))

test('when the clock does not answer, pages are shown without the bar', () =>
  withBrowser({ noClock: false }, async (browser, { behind }) => {
    await browser.get('/portal/settings/account')
    behind.downFor = 'getClock'
    // A form makes it ask again.
    expect(
      (await browser.submit('/portal/settings/account/end-session', {}, '/portal/settings/account')).status,
    ).toBe(303)
    const { status, text } = await browser.get('/portal/settings/account')
    expect([status, readable(text).includes(BAR)]).toEqual([200, false])
  }))
