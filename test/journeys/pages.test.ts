import type { Browser } from 'playwright-core'
import { brokenDays, describeInChromium, faultsOf, openWindow, startChromium } from './chromium'
import { authorize, discard, startSystem, type System } from './system'

describeInChromium('pages in a browser', () => {
  let system: System
  let browser: Browser
  beforeAll(async () => {
    system = await startSystem()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await discard(system)
  })

  test("the seller's portal is free of faults", async () => {
    const { body: charge } = await authorize(system, 1)
    await authorize(system, 2)
    const { portal } = system.ready
    const page = await openWindow(browser)
    const faults: string[] = []
    const look = async (path: string, name: string) => {
      const answer = await page.goto(`${portal.url}${path}`)
      expect([path, answer?.status()]).toEqual([path, 200])
      faults.push(...(await faultsOf(page, `portal-${name}`)), ...(await brokenDays(page, name)))
    }
    await look('/login', 'sign-in')
    await page.locator('[name=email]').fill(portal.email)
    await page.locator('[name=password]').fill(portal.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look('', 'charges')
    await look(`/charges/${charge.id}`, 'charge')
    await look('/charges', 'list')
    await look('/reports', 'reports')
    await look('/requests', 'requests')
    await look('/sandbox', 'clock')
    await look('/settings/integrations/api', 'tokens')
    await look('/settings/integrations/api/new', 'new-token')
    await look('/settings/integrations/secret', 'secret')
    await look('/settings/account', 'account')
    expect(faults).toEqual([])
  })

  test('on a phone the reference stays where it is while it loads, however slow its scripts are', async () => {
    const page = await openWindow(browser)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route(/\.js\?/, async (route) => {
      const answer = await route.fetch()
      await page.waitForTimeout(500)
      await route.fulfill({ response: answer })
    })
    await page.addInitScript(() => {
      const seen = globalThis as any
      seen.moved = 0
      new seen.PerformanceObserver((list: any) => {
        for (const { value } of list.getEntries()) seen.moved += value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`${system.ready.baseUrl}/docs/reference`)
    await page.locator('[data-search]').waitFor()
    expect(await page.locator('.side details').getAttribute('open')).toBeNull()
    expect(await page.evaluate(() => (globalThis as any).moved)).toBeLessThan(0.05)
  })

  test('the manual and the page of the sandbox are free of faults', async () => {
    const page = await openWindow(browser)
    const faults: string[] = []
    const { baseUrl, sandboxUrl } = system.ready
    const look = async (name: string, url: string) => {
      await page.goto(url)
      faults.push(...(await faultsOf(page, name)))
    }
    await look('sandbox', sandboxUrl)
    await look('reference', `${baseUrl}/docs/reference`)
    await look('reference-charges', `${baseUrl}/docs/reference/charges`)
    await look('start', `${baseUrl}/docs`)
    const guides = await page
      .locator('.side a')
      .evaluateAll((links) => links.map((link: any) => link.href as string))
    expect(guides.length).toBeGreaterThan(10)
    for (const url of guides) await look(`manual-${url.split('/').at(-1)}`, url)
    expect(faults).toEqual([])
  })
})
