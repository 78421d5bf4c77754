import type { Browser, Page } from 'playwright-core'
import { eventually } from '@cofre/testing/testing'
import { describeInChromium, faultsOf, openWindow, startChromium } from './chromium'
import { listen, read, toldIn } from './shop'
import { cardEndingIn, discard, startSystem, type System } from './system'

const ANA = { name: 'Ana Souza', document: '123.456.789-09', email: 'ana@example.com' }
const RUI = { name: 'Rui Lima', document: '529.982.247-25', email: 'rui@example.com' }

describeInChromium('a shop without a developer sells by a link', () => {
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

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

  async function signIn(): Promise<Page> {
    const { url, email, password } = system.ready.portal
    const page = await openWindow(browser)
    await page.goto(`${url}/login`)
    await page.locator('[name=email]').fill(email)
    await page.locator('[name=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  /** Makes a product as the shop's owner does, and returns its page and the link on it. */
  async function makeProduct(owner: Page): Promise<{ page: string; link: string }> {
    await owner.goto(`${system.ready.portal.url}/products/new`)
    await owner.locator('#name').fill('Caneca de cerâmica')
    await owner.locator('#value').fill('49,90')
    await owner.locator('#description').fill('Branca, 300 ml.')
    await owner.locator('[name=methods][value=CREDIT_CARD]').check()
    await owner.locator('[name=methods][value=PIX]').check()
    await owner.locator('#maxInstallments').fill('3')
    await owner.locator('#softDescriptor').fill('Ateliê')
    await press(owner, 'New product')
    await owner.getByText('The product was created.').waitFor()
    const link = await owner.getByLabel('Share this address').inputValue()
    await owner.waitForFunction(() => (globalThis as any).document.querySelector('img.qr')?.naturalWidth > 0)
    return { page: owner.url(), link }
  }

  /** Opens the link as a stranger, and goes on to the checkout. */
  async function buy(link: string, buyer: typeof ANA, locale?: string): Promise<Page> {
    const page = await openWindow(browser, locale)
    expect((await page.goto(link))?.status()).toBe(200)
    for (const [name, value] of Object.entries(buyer)) await page.locator(`#buyer-${name}`).fill(value)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/checkout\//)
    return page
  }

  async function payByCard(page: Page): Promise<void> {
    await page.locator('label:has(#method-card)').click()
    const now = new Date()
    await page.locator('#card-number').fill(cardEndingIn(1))
    await page.locator('#card-expiry').fill(`12/${String(now.getFullYear() + 2).slice(-2)}`)
    await page.locator('#card-cvv').fill('123')
    await page.locator('#card-holder').fill('ANA SOUZA')
    await page.locator('#card-form button').click()
    await page.getByText('Payment received').waitFor()
  }

  async function payByPix(page: Page): Promise<void> {
    await page.locator('label:has(#method-pix)').click()
    await press(page, 'Gerar código Pix')
    const copyAndPaste = await page.locator('.by-pix code').textContent()
    await system.sandbox('POST', '/pix/pay', { copyAndPaste })
    await page.getByText('Pagamento recebido').waitFor()
  }

  test('one stranger pays by card and another by Pix; then the link is closed', async () => {
    const { end } = await listen(system, 'link')
    const owner = await signIn()
    const { page, link } = await makeProduct(owner)
    await payByCard(await buy(link, ANA))
    await payByPix(await buy(link, RUI, 'pt-BR'))
    await owner.goto(page)
    expect(await owner.locator('dl').last().innerText()).toMatch(/Sales\s+2\s+Sold amount\s+R\$\s99,80/)
    const { body } = await read(system, `/api/v2/invoices?paymentLinkProductId=${page.split('/').at(-1)}`)
    expect(body.content.map(({ status }: { status: string }) => status)).toEqual(['PAID', 'PAID'])
    for (const { id } of body.content as { id: number }[]) {
      await eventually(async () => {
        const types = ((await toldIn(system, 'link')).get(id) ?? []).map(({ type }) => type)
        expect(types.slice(-2)).toEqual(['invoice.paid', 'payment_link.paid'])
      })
    }
    const charges = (await read(system, '/api/v2/charges')).body.content
    expect(charges[0]).toMatchObject({ status: 'CAPTURED', amount: 4_990 })
    await owner.getByRole('link', { name: 'Edit', exact: true }).click()
    await owner.locator('[name=active]').uncheck()
    await press(owner, 'Edit')
    await owner.getByText('Closed link').waitFor()
    const late = await openWindow(browser, 'pt-BR')
    expect((await late.goto(link))?.status()).toBe(410)
    expect(await late.getByRole('heading', { level: 1 }).innerText()).toBe('Este link não está mais à venda')
    await end()
  })

  test('each page is accessible and fits, on a light desktop and a dark phone', async () => {
    const owner = await signIn()
    const { page, link } = await makeProduct(owner)
    const faults = await faultsOf(owner, 'product')
    await owner.goto(`${page}/edit`)
    faults.push(...(await faultsOf(owner, 'product-edit')))
    for (const locale of ['pt-BR', 'en']) {
      const buyer = await openWindow(browser, locale)
      await buyer.goto(link)
      faults.push(...(await faultsOf(buyer, `link ${locale}`)))
      await buyer.locator('button').last().click()
      await buyer.locator('[aria-invalid]').first().waitFor()
      faults.push(...(await faultsOf(buyer, `link-faults ${locale}`)))
    }
    expect(faults).toEqual([])
  })
})
