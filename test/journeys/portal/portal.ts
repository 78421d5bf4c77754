import type { Browser, Page } from 'playwright-core'
import { openWindow, startChromium } from '../chromium'
import { discard, type System } from '../system'

const NEW_PASSWORD = 'uma senha bem comprida'

/** The portal of a running product, in Chromium. */
export type Portal = {
  url: string
  browser: Browser
  /** Signs in as the demo seller's owner. */
  owner(locale?: string): Promise<Page>
  /** Invites a person as that owner, and returns the window in which the person works. */
  newPerson(role: string): Promise<Page>
  /** Closes the browser, and discards the product. */
  close(): Promise<void>
}

export async function go(page: Page, { url }: Portal, path: string): Promise<void> {
  const answer = await page.goto(`${url}${path}`)
  expect([path, answer?.status()]).toEqual([path, 200])
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

export const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()

export async function openPortal(system: System): Promise<Portal> {
  const browser = await startChromium()
  const { url, email, password } = system.ready.portal
  const owner = async (locale?: string) => {
    const page = await openWindow(browser, locale)
    await go(page, portal, '/login')
    await page.locator('[name=email]').fill(email)
    await page.locator('[name=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.who').waitFor()
    return page
  }
  const newPerson = async (role: string) => {
    const page = await owner()
    await go(page, portal, '/settings/people')
    await page.locator('#email').fill(`${role.toLowerCase()}@example.com`)
    await page.locator('#role').selectOption(role)
    await page.locator('#password').fill(password)
    await press(page, 'Invite')
    const link = await page.locator('#link').inputValue()
    const theirs = await openWindow(browser)
    await theirs.goto(link)
    await theirs.locator('#new').fill(NEW_PASSWORD)
    await theirs.locator('#repeated').fill(NEW_PASSWORD)
    await press(theirs, 'Choose this password')
    await theirs.locator('.who').waitFor()
    await page.context().close()
    return theirs
  }
  const close = async () => {
    await browser.close()
    await discard(system)
  }
  const portal: Portal = { url, browser, owner, newPerson, close }
  return portal
}
