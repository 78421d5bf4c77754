import { eventually } from '@cofre/testing/testing'
import type { Browser } from 'playwright-core'
import { describeInChromium, faultsOf, openWindow, startChromium } from '../chromium'
import { authorize, discard, startSystem, type System } from '../system'

describeInChromium('the pages of a seller’s developer', () => {
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

  const register = async (name: string, more: object = {}) => {
    const body = { url: `${system.ready.sandboxInboxUrl}/${name}`, ...more }
    return (await system.api('POST', '/api/v2/webhooks/endpoints', { body })).body.id as number
  }

  test('the pages of endpoints, deliveries and one delivery are free of faults, and the buttons work', async () => {
    const well = await register('well', { description: 'The shop, production' })
    const failing = await register('failing', {
      events: ['charge.*'],
      headers: { 'x-api-key': 'k1' },
      rateLimit: 20,
    })
    await system.api('PUT', `/api/v2/webhooks/endpoints/${failing}`, {
      body: { url: `${system.ready.sandboxInboxUrl.replace(/\/inbox.*/, '')}/nowhere`, events: ['charge.*'] },
    })
    await authorize(system, 1)
    const failed = await eventually(async () => {
      const { body } = await system.api('GET', `/api/v2/webhooks/deliveries?endpointId=${failing}`)
      expect(body.content[0].attempts).toBeGreaterThan(0)
      return body.content[0].id as number
    })
    const { portal } = system.ready
    const page = await openWindow(browser)
    const faults: string[] = []
    const look = async (path: string, name: string) => {
      const answer = await page.goto(`${portal.url}${path}`)
      expect([path, answer?.status()]).toEqual([path, 200])
      faults.push(...(await faultsOf(page, `hooks-${name}`)))
    }
    await page.goto(`${portal.url}/login`)
    await page.locator('[name=email]').fill(portal.email)
    await page.locator('[name=password]').fill(portal.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look('/endpoints', 'endpoints')
    await look('/endpoints/new', 'endpoint-new')
    await look('/requests', 'requests')
    await look('/deliveries', 'deliveries')
    await look('/deliveries?status=DELIVERED&type=invoice.paid', 'no-deliveries')
    await look(`/deliveries/${failed}`, 'delivery')
    await look(`/endpoints/${failing}`, 'endpoint-failing')
    await look(`/endpoints/${well}`, 'endpoint')
    expect(faults).toEqual([])
    await page.getByRole('link', { name: 'Send a test event' }).click()
    await page.getByLabel('Event').selectOption('invoice.paid')
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The test event was sent.').waitFor()
    await page.getByRole('link', { name: 'Send what was missed' }).click()
    await page.getByRole('button', { name: 'Send what was missed' }).click()
    await page.getByText('Deliveries that are sent again: 0').waitFor()
    const inbox = await eventually(async () => {
      const told = await system.sandbox('GET', '/inbox/well')
      expect(JSON.stringify(told)).toContain('evt_test_')
      return JSON.stringify(told)
    })
    expect(inbox).toContain('invoice.paid')
  })
})
