import type { Browser, Locator, Page } from 'playwright-core'
import { startCheckout, type CheckoutSystem } from '../../services/gateway/test/checkout/checkout-system'
import { describeInChromium, openWindow, startChromium } from '../journeys/chromium'

const BACK = ['Backspace', 'Backspace', 'Backspace', 'Backspace']
const ARROWS: Record<string, string> = { Right: 'ArrowRight', ' ': 'Space' }

describeInChromium('who enters the expiration of a card', () => {
  let system: CheckoutSystem
  let browser: Browser
  let page: Page
  let expiry: Locator
  beforeAll(async () => {
    system = await startCheckout()
    browser = await startChromium()
    page = await openWindow(browser, 'pt-BR')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${system.url}/checkout/${system.pages.add({ sellerId: system.sellerId })}`)
    expiry = page.getByLabel('Validade')
  })
  beforeEach(() => expiry.fill(''))
  afterAll(async () => {
    await browser.close()
    await system.stop()
  })

  test.each([
    ['1249', '12/49'],
    ['12/49', '12/49'],
    ['12 / 49', '12/49'],
    ['12-2049', '12/2049'],
    ['12/2049', '12/2049'],
    ['249', '02/49'],
    ['2/49', '02/49'],
    ['2 / 49', '02/49'],
    ['02/49', '02/49'],
    ['02//49', '02/49'],
    ['1/49', '01/49'],
    ['1 49', '01/49'],
    ['022049', '02/2049'],
    ['0/2/49', '02/49'],
    ['13', '13'],
    ['/', ''],
  ])('types %s, and reads %s as its expiration', async (typed, shown) => {
    await expiry.pressSequentially(typed)
    expect(await expiry.inputValue()).toBe(shown)
  })

  test.each([
    ['2/49', '02/49'],
    ['02/49 ', '02/49'],
    ['0249 ', '02/49'],
    ['249', '02/49'],
    [' 02.2049', '02/2049'],
    ['02 / 2049', '02/2049'],
    ['2049-02', '02/2049'],
  ])('pastes %s, or has it filled in, and reads %s', async (given, shown) => {
    await expiry.fill(given)
    expect(await expiry.inputValue()).toBe(shown)
    await expiry.fill('')
    await page.evaluate(`navigator.clipboard.writeText('${given}')`)
    await expiry.press('Control+V')
    expect(await expiry.inputValue()).toBe(shown)
  })

  test.each([
    ['deletes all', [...BACK, ...BACK], ''],
    ['deletes the slash and types it again', ['Backspace', 'Backspace', 'Backspace', '/', '5', '0'], '02/50'],
    ['deletes the slash and goes on without it', ['Backspace', 'Backspace', 'Backspace', '5', '0'], '02/50'],
    ['replaces the zero', ['Home', 'Delete', '1', '|'], '1|2/49'],
    ['replaces the month', ['Home', 'Delete', 'Delete', '1', '1', '|'], '11|/49'],
    ['types the slash where there is one', ['Home', 'Right', 'Right', '/', '|'], '02/|49'],
    ['takes the slash out and puts a space', ['Home', 'Right', 'Right', 'Delete', ' ', '|'], '02/|49'],
    ['replaces the year', [...BACK.slice(2), '5', '1', '|'], '02/51|'],
    ['puts the century before the year', ['Home', 'Right', 'Right', 'Right', '2', '0', '|'], '02/20|49'],
  ])('corrects an expiration: %s', async (_what, keys, shown) => {
    await expiry.pressSequentially('02/49')
    for (const key of keys) {
      if (key === '|') continue
      await page.keyboard.press(ARROWS[key] ?? key)
    }
    const [value, at] = [await expiry.inputValue(), await expiry.evaluate((each: any) => each.selectionStart)]
    expect(keys.includes('|') ? `${value.slice(0, at)}|${value.slice(at)}` : value).toBe(shown)
  })
})
