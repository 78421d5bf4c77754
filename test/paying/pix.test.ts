import { readFileSync } from 'node:fs'
import { AcceptedMethod, InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { COPY_AND_PASTE, pixOf } from '@cofre/testing/stand-ins/invoices/pix'
import type { Browser, Page } from 'playwright-core'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { startCheckout, type CheckoutSystem } from '../../services/gateway/test/checkout/checkout-system'
import { describeInChromium, openWindow, startChromium, tabTo } from '../journeys/chromium'

const HOUR_MS = 3_600_000
const PHONE = { width: 390, height: 844 }
const { CREDIT_CARD, BOLETO, PIX } = PaymentMethod
const accepted = (...methods: PaymentMethod[]) =>
  methods.map((method) => AcceptedMethod.fromPartial({ method, pixSettings: {} }))
const ALL = { acceptedMethods: accepted(CREDIT_CARD, BOLETO, PIX) }

describeInChromium('who pays by Pix in a browser', () => {
  let system: CheckoutSystem
  let browser: Browser
  beforeAll(async () => {
    system = await startCheckout()
    browser = await startChromium()
    const wasmBinary = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).buffer
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  })
  afterAll(async () => {
    await browser.close()
    await system.stop()
  })

  const add = (left: number) =>
    system.pages.add(
      { sellerId: system.sellerId, ...ALL },
      { pix: pixOf({ amount: 10_000, expiresAt: Date.now() + left }) },
    )
  const open = async (page: Page, publicId: string) => {
    await page.goto(`${system.url}/checkout/${publicId}?lang=pt-BR`)
    return page
  }

  test.each([
    [{ width: 1280, height: 800 }, 'light'],
    [{ width: 1280, height: 800 }, 'dark'],
    [PHONE, 'light'],
    [PHONE, 'dark'],
  ] as const)('a scanner reads the code from the screen: %j, %s', async (size, colorScheme) => {
    const page = await openWindow(browser, 'pt-BR')
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await open(page, add(48 * HOUR_MS))
    const picture = await page.screenshot({ fullPage: true })
    const found = await readBarcodes(new Uint8Array(picture), { formats: ['QRCode'] })
    expect(found.map(({ text }) => text)).toEqual([COPY_AND_PASTE])
  })

  test('a phone shows the amount, the button that copies, and the whole code, before cards and items', async () => {
    const page = await openWindow(browser, 'pt-BR')
    await page.setViewportSize(PHONE)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(page, add(48 * HOUR_MS))
    expect(await page.getByRole('radio').first().getAttribute('id')).toBe('method-pix')
    expect(await page.locator('#card-form').isVisible()).toBe(false)
    const copy = page.getByRole('button', { name: 'Copiar código Pix' })
    await tabTo(copy)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Código copiado' }).waitFor()
    const clipboard = await page.evaluate(() => (globalThis as any).navigator.clipboard.readText())
    expect(clipboard).toBe(COPY_AND_PASTE)
    const text = page.getByRole('group', { name: 'Pix Copia e Cola' })
    expect((await text.textContent())?.trim()).toBe(COPY_AND_PASTE)
    const [button, code, items] = await Promise.all(
      [copy.or(page.getByText('Código copiado')), page.locator('.qr'), page.locator('.rest')].map((each) =>
        each.boundingBox(),
      ),
    )
    expect(button!.y).toBeLessThan(code!.y)
    expect(code!.y + code!.height).toBeLessThan(items!.y)
  })

  test('a card is one key away, and is what the payer then sees', async () => {
    const page = await open(await openWindow(browser, 'pt-BR'), add(48 * HOUR_MS))
    await tabTo(page.getByRole('radio', { name: 'Pix' }))
    await page.keyboard.press('ArrowDown')
    await page.getByLabel('Número do cartão').waitFor()
    expect(await page.locator('.qr').isVisible()).toBe(false)
  })

  test('the page becomes paid by itself, and its heading is what is heard', async () => {
    const publicId = add(48 * HOUR_MS)
    const page = await open(await openWindow(browser, 'pt-BR'), publicId)
    await page.getByText('Aguardando o pagamento.').waitFor()
    system.pages.change(publicId, { status: InvoiceStatus.PAID, paidAmount: 10_000, payableAmount: 0 })
    await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor()
    const heard = await page.evaluate(() => (globalThis as any).document.activeElement.textContent)
    expect(heard).toBe('Pagamento recebido')
  })

  test('who comes back from the app of the bank waits for nothing', async () => {
    const publicId = add(48 * HOUR_MS)
    const page = await openWindow(browser, 'pt-BR')
    // The page's clock stands still: no wait of its own ends.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + HOUR_MS)
    await open(page, publicId)
    system.pages.change(publicId, { status: InvoiceStatus.PAID, paidAmount: 10_000, payableAmount: 0 })
    await page.evaluate(() => {
      const { document, Event } = globalThis as any
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor()
  })

  test('on the last day the time that is left counts down, and its end shows the page again', async () => {
    const page = await openWindow(browser, 'pt-BR')
    await page.clock.install()
    const publicId = add(2 * HOUR_MS)
    await open(page, publicId)
    const timer = page.getByRole('timer')
    const first = (await timer.textContent()) ?? ''
    expect(first).toMatch(/^0[12]:\d\d:\d\d$/)
    await page.clock.runFor(61_000)
    const seconds = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    const passed = seconds(first) - seconds((await timer.textContent()) ?? '')
    expect(passed).toBeGreaterThanOrEqual(61)
    const again = page.waitForEvent('load')
    await page.clock.fastForward(3 * HOUR_MS)
    await again
    expect(await (await open(page, add(48 * HOUR_MS))).getByRole('timer').count()).toBe(0)
  })

  test('without scripts a button looks again', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    const page = await context.newPage()
    const publicId = add(2 * HOUR_MS)
    await open(page, publicId)
    expect(await page.locator('[data-left]').isVisible()).toBe(false)
    await page.getByText(COPY_AND_PASTE).waitFor()
    system.pages.change(publicId, { status: InvoiceStatus.PAID, paidAmount: 10_000, payableAmount: 0 })
    await page.getByRole('link', { name: 'Já paguei' }).click()
    await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor()
    await context.close()
  })
})
