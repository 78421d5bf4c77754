import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../services/gateway/test/portal/browser'
import {
  describeInChromium,
  faultsOf,
  keyboardFaults,
  LOOKS,
  MORE_LOOKS,
  openWindow,
  startChromium,
} from '../journeys/chromium'
import { discard } from '../journeys/system'
import { startProduct, type Product } from '../probed/product'
import { everyRoute, signedIn } from './every-route'

/** A list with filters, a search that finds, reports by month, forms that are refused: what no route of its own has. */
const MORE = ['/charges?status=DENIED', '/search?q=Ana', '/search?q=nobody', '/reports?by=month', '/nowhere']

describeInChromium('every page of the portal', () => {
  let product: Product
  let browser: Browser
  /** The pages that anybody sees, and those behind the sign-in. */
  let open: string[]
  let inside: string[]
  beforeAll(async () => {
    product = await startProduct()
    const { email, password } = product.ready.portal
    const owner = await signedIn(product, email, password)
    const routes = await everyRoute(product, owner)
    const isPage = async (visitor: typeof owner, path: string) => {
      const { status, headers } = await visitor.get(path)
      return status === 200 && (headers.get('content-type') ?? '').startsWith('text/html')
    }
    open = []
    inside = MORE.map((path) => `/portal${path}`)
    for (const { method, path } of routes) {
      if (method === 'POST') continue
      if (await isPage(openBrowser(product.ready.baseUrl), path)) open.push(path)
      // The slips are the checkout's; the previews of the theme, a payment page and a letter are no pages of the portal.
      else if (!/\/(slips|theme\/preview|preview\/\w+)$/.test(path) && (await isPage(owner, path)))
        inside.push(path)
    }
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await discard(product)
  })

  async function signIn(locale: string): Promise<Page> {
    const { email, password } = product.ready.portal
    const page = await openWindow(browser, locale)
    await page.goto(`${product.ready.baseUrl}/portal/login`)
    await page.locator('[name=email]').fill(email)
    await page.locator('[name=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.who').waitFor()
    return page
  }

  async function look(page: Page, paths: readonly string[], faultsAt: (name: string) => Promise<string[]>) {
    const faults: string[] = []
    for (const path of paths) {
      await page.goto(`${product.ready.baseUrl}${path}`)
      faults.push(...(await faultsAt(path.replaceAll(/\W+/g, '-').slice(1, 80))))
    }
    return faults
  }

  test('is among those that are looked at', () => {
    expect([open.length, inside.length > 60]).toEqual([2, true])
  })

  test.each([
    ['pt-BR', LOOKS],
    ['en', MORE_LOOKS],
  ] as const)('is free of faults in %s', async (locale, looks) => {
    const faultsAt = (page: Page) => async (name: string) => {
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      return faultsOf(page, name, looks)
    }
    const [stranger, owner] = [await openWindow(browser, locale), await signIn(locale)]
    const faults = [
      ...(await look(stranger, open, faultsAt(stranger))),
      ...(await look(owner, inside, faultsAt(owner))),
    ]
    expect(faults).toEqual([])
  })

  test('is used by the keyboard alone: Tab reaches all in order, and the focus is seen', async () => {
    const [stranger, owner] = [await openWindow(browser), await signIn('en')]
    const faults = [
      ...(await look(stranger, open, (name) => keyboardFaults(stranger, name))),
      ...(await look(owner, inside, (name) => keyboardFaults(owner, name))),
    ]
    expect(faults).toEqual([])
  })
})
