import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator } from 'playwright-core'
import { eventually } from '@cofre/testing/testing'
import { describeInChromium, faultsOf, openWindow } from '../chromium'
import { invoiceOf, newInvoice, newShop, readInvoice, type Shop } from '../shop'
import { authorize, startSystem, type System } from '../system'
import { follow, go, openPortal, press, type Portal } from './portal'

const run = promisify(execFile)

const colorOf = (place: Locator) =>
  place.evaluate((each: any) => each.ownerDocument.defaultView.getComputedStyle(each).backgroundColor)

describeInChromium('a shop’s owner and its developer work in the portal', () => {
  let system: System
  let portal: Portal
  let shop: Shop
  beforeAll(async () => {
    system = await startSystem()
    shop = await newShop(system)
    portal = await openPortal(system)
  })
  afterAll(() => portal.close())

  /** What curl gets: the status and the header with the id of the request. */
  async function curl(token: string): Promise<{ status: string; requestId: string }> {
    const url = `${system.ready.baseUrl}/api/v2/customers?size=1`
    const written = ['-w', '%{http_code} %header{x-request-id}', '-H', `Authorization: Bearer ${token}`]
    const { stdout } = await run('curl', ['-sS', '-o', '/dev/null', ...written, url])
    const [status = '', requestId = ''] = stdout.split(' ')
    return { status, requestId }
  }

  test('a token is made, used by curl, found in the requests, and revoked: within a second it is refused', async () => {
    const page = await portal.owner()
    await go(page, portal, '/settings/integrations/api/new')
    await page.locator('#title').fill('ERP')
    await page.locator('[value="customers:read"]').check()
    await press(page, 'Create token')
    const token = await page.locator('#access-token').inputValue()
    const { status, requestId } = await curl(token)
    expect(status).toBe('200')
    await eventually(async () => {
      await page.getByRole('searchbox').fill(requestId)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'GET /api/v2/customers' }).first().click({ timeout: 2_000 })
    })
    await page.getByText(requestId).waitFor()
    await go(page, portal, '/settings/integrations/api')
    await page.getByRole('link', { name: 'Revoke “ERP”' }).click()
    await press(page, 'Revoke the token')
    await page.getByRole('status').waitFor()
    const at = performance.now()
    await eventually(async () => expect((await curl(token)).status).toBe('401'))
    expect(performance.now() - at).toBeLessThan(5_000)
  })

  test('from a charge, the reference shows commands with its ids, which run as they are', async () => {
    const { id } = (await authorize(system, 1)).body
    const page = await portal.owner()
    await go(page, portal, `/charges/${id}`)
    await follow(page, 'API reference')
    const command = async (operation: string, held: string) => {
      const shown = page.locator(`[data-curl=${operation}]`, { hasText: held })
      return (await shown.textContent()) ?? ''
    }
    await command('captureCharge', `/api/v2/charges/${id}/capture"`)
    const env = { ...process.env, COFRE_TOKEN: system.ready.token }
    const read = await command('getCharge', `/api/v2/charges/${id}"`)
    expect(JSON.parse((await run('sh', ['-c', read], { env })).stdout)).toMatchObject({ id })
    await follow(page, 'Invoices')
    await command('createInvoice', `/api/v2/sellers/${system.ready.sellerId}/invoices"`)
    await command('getInvoice', '/api/v2/invoices/$ID"')
  })

  test('a delivery is sent again, and the endpoint that gets it is changed', async () => {
    const page = await portal.owner()
    await go(page, portal, '/endpoints/new')
    await page.locator('#url').fill(`${system.ready.sandboxInboxUrl}/erp`)
    await page.getByRole('checkbox', { name: 'charge.*' }).check()
    await press(page, 'New endpoint')
    expect(await page.locator('#secret').inputValue()).toMatch(/^whsec_/)
    await authorize(system, 1)
    await eventually(async () => {
      await go(page, portal, '/deliveries?status=DELIVERED&type=charge.authorized')
      await page.locator('tbody a').first().click({ timeout: 2_000 })
    })
    await press(page, 'Send again')
    await page.getByRole('status').waitFor()
    await eventually(async () => {
      const told = (await system.sandbox('GET', '/inbox/erp')) as object
      expect(JSON.stringify(told).match(/charge\.authorized/g)?.length).toBeGreaterThan(1)
    })
    await follow(page, /^Endpoint/)
    await follow(page, 'Edit')
    await page.locator('#description').fill('The ERP')
    await press(page, 'Edit')
    await page.getByText('The endpoint was changed.').waitFor()
    await page.getByText('The ERP').waitFor()
  })

  test('the theme is changed with the payment page in view, and the checkout with it', async () => {
    const page = await portal.owner()
    await go(page, portal, '/settings/theme')
    await page.locator('[id="colors.headerBackground"]').fill('#123456')
    const header = page.frameLocator('iframe.phone').locator('header')
    await eventually(async () => expect(await colorOf(header)).toBe('rgb(18, 52, 86)'))
    expect(await faultsOf(page, 'portal-theme')).toEqual([])
    await press(page, 'Save the theme')
    await page.getByText('The theme was saved.').waitFor()
    const { id } = await newInvoice(system, invoiceOf(shop))
    const payer = await openWindow(portal.browser)
    await payer.goto((await readInvoice(system, id)).paymentUrl)
    const shown = payer.locator('header')
    expect(await colorOf(shown)).toBe('rgb(18, 52, 86)')
  })

  test('a person is invited, loses a role, and is removed: the next page asks to sign in', async () => {
    const theirs = await portal.newPerson('OPERATOR')
    await go(theirs, portal, '/products/new')
    const page = await portal.owner()
    await go(page, portal, '/settings/people')
    await follow(page, 'operator@example.com')
    const confirm = async (deed: string) => {
      await page.locator('#password').fill(system.ready.portal.password)
      await press(page, deed)
      await page.getByRole('status').waitFor()
    }
    await page.locator('#role').selectOption('READ_ONLY')
    await confirm('Change the role')
    expect((await theirs.goto(`${portal.url}/products/new`))?.status()).toBe(403)
    await confirm('Remove')
    await theirs.goto(`${portal.url}/products`)
    await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('the clock of the sandbox is moved', async () => {
    const page = await portal.owner('pt-BR')
    await follow(page, 'Relógio e cartões de teste')
    expect(await faultsOf(page, 'portal-sandbox')).toEqual([])
    await press(page, 'Mover o relógio')
    await page.getByRole('status').waitFor()
  })
})
