import type { Browser, Page } from 'playwright-core'
import { describeInChromium, faultsOf, openWindow, startChromium } from '../journeys/chromium'
import { invoiceOf, move, newInvoice, newShop, readInvoice, type Shop } from '../journeys/shop'
import { discard, startSystem, type System } from '../journeys/system'

const CHALLENGED = '4000000000001091'
const REJECTED = '4000000000001018'
const UNASKED = '4000000000001000'
const ISSUER = /\/acs\/challenges\//
const ACCEPTED = [{ method: 'CREDIT_CARD', cardSettings: { maxInstallments: 3, threeDSecure: true } }]

describeInChromium('an invoice whose page has the issuer authenticate the payer', () => {
  let system: System
  let shop: Shop
  let browser: Browser
  beforeAll(async () => {
    system = await startSystem()
    shop = await newShop(system)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await discard(system)
  })

  async function open() {
    const { id, paymentUrl } = await newInvoice(system, invoiceOf(shop, { acceptedPaymentMethods: ACCEPTED }))
    await move(system, id, 'finalize')
    const page = await openWindow(browser, 'pt-BR')
    await page.goto(paymentUrl)
    return { id, page }
  }
  async function pay(page: Page, number: string): Promise<void> {
    await page.getByLabel('Número do cartão').pressSequentially(number)
    await page.getByLabel('Validade').pressSequentially('1249')
    await page.getByLabel('Código de segurança').pressSequentially('737')
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA')
    await page.getByRole('button', { name: /^Pagar/ }).click()
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
  const alert = (page: Page) => page.getByRole('alert').textContent()
  const paid = async (last: string) =>
    (await system.sandbox('GET', '/acquirer/payments')).filter(
      (each: { cardLastFour: string }) => each.cardLastFour === last,
    )

  test('the payer confirms at the issuer, and the page says that the invoice is paid', async () => {
    const { id, page } = await open()
    await pay(page, CHALLENGED)
    await page.waitForURL(ISSUER)
    expect(await paid('1091')).toEqual([])
    await page.getByRole('button', { name: 'Aprovar' }).click()
    await heading(page, 'Pagamento recebido')
    expect(await paid('1091')).toMatchObject([{ status: 2, eci: '05' }])
    // Going back in the browser leads to the issuer, who has nothing more to ask.
    await page.goBack()
    await page.goto((await readInvoice(system, id)).paymentUrl)
    await heading(page, 'Pagamento recebido')
    expect(await paid('1091')).toHaveLength(1)
  })

  test('the page that leads to the issuer says so, and has a link for a browser that is not redirected', async () => {
    const { page } = await open()
    await page.route('**/*', (route) =>
      ISSUER.test(route.request().url()) ? route.fulfill({ status: 204 }) : route.continue(),
    )
    await pay(page, CHALLENGED)
    await heading(page, 'Seu banco pede uma confirmação')
    expect(await faultsOf(page, 'challenge')).toEqual([])
    expect(await page.getByRole('link', { name: 'Ir para o banco' }).getAttribute('href')).toMatch(ISSUER)
  })

  test('a payer whom the issuer does not confirm sees an alert, pays nothing, and may use another card', async () => {
    const { id, page } = await open()
    await pay(page, CHALLENGED)
    await page.waitForURL(ISSUER)
    await page.getByRole('button', { name: 'Recusar' }).click()
    await page.waitForURL(/payer=not-authenticated/)
    expect(await alert(page)).toContain('Seu banco não confirmou o pagamento')
    expect(await faultsOf(page, 'not authenticated')).toEqual([])
    await pay(page, REJECTED)
    await page.waitForURL(/\/pay$/)
    expect(await alert(page)).toContain('Seu banco não confirmou o pagamento')
    expect(await readInvoice(system, id)).toMatchObject({ status: 'CLOSED' })
    expect(await paid('1018')).toEqual([])
    await pay(page, UNASKED)
    await heading(page, 'Pagamento recebido')
  })
})
