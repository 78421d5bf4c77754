import { startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
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

test('the page of the clock shows the new time right after the move, and home and reports show its day', () =>
  withBrowser({ noClock: false }, async (browser) => {
    const words = async (path: string) => readable((await browser.get(path)).text).replaceAll('\u00a0', ' ')
    expect(await words('/portal')).toContain('Today 31 Dec 2025')
    await browser.submit('/portal/sandbox', { to: '2049-01-01T10:00' })
    expect(await words('/portal/sandbox')).toContain('The clock says 1 Jan 2049, 10:00.')
    expect(await words('/portal')).toContain('Today 1 Jan 2049')
    expect((await browser.get('/portal/reports')).text).toContain('value="2049-01-01"')
  }))

test('a clock that another process moved shows on its page at once', () =>
  withBrowser({ noClock: false }, async (browser, { deps }) => {
    await browser.get('/portal')
    const { clock } = deps.services
    await callRpc(clock, clock.advanceClock, { sellerId: 1, to: startOf('2049-01-01') })
    const { text } = await browser.get('/portal/sandbox')
    expect(readable(text).replaceAll('\u00a0', ' ')).toContain('The clock says 1 Jan 2049, 00:00.')
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
