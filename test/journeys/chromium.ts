import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Together they have each size and each colour scheme; with SCREENSHOTS, MORE_LOOKS has the other pairs. */
const LOOKS = [
  { size: DESKTOP, colorScheme: 'light' },
  { size: PHONE, colorScheme: 'dark' },
] as const
const MORE_LOOKS = [
  { size: DESKTOP, colorScheme: 'dark' },
  { size: PHONE, colorScheme: 'light' },
] as const
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const MOST_TABS = 40

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync)
}

/** Defines tests in Chromium. Without Chromium they are reported as skipped; with REQUIRE_ENGINES=1 they fail. */
export function describeInChromium(name: string, tests: () => void): void {
  if (findChromium() !== undefined) return describe(name, tests)
  if (process.env['REQUIRE_ENGINES'] !== '1') {
    process.stderr.write(`skipped: ${name}: chromium is not on the PATH\n`)
    return describe.skip(name, tests)
  }
  describe(name, () => {
    test('has its browser', () => {
      throw new Error('chromium is not on the PATH')
    })
  })
}

export function startChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? ''
  // Chromium's sandbox does not work for root, and containers run tests as root.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
}

/** Opens a window with its own cookies, a language that it asks for, and axe-core on each page. */
export async function openWindow(browser: Browser, locale = 'fr'): Promise<Page> {
  const context = await browser.newContext({ viewport: DESKTOP, locale })
  await context.addInitScript(AXE)
  return context.newPage()
}

/**
 * The faults of a page, on a light desktop and a dark phone: those that axe-core finds, and content that is too wide.
 * SCREENSHOTS names a folder for pictures of the page.
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = []
  const folder = process.env['SCREENSHOTS']
  for (const { size, colorScheme } of folder === undefined ? LOOKS : [...LOOKS, ...MORE_LOOKS]) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    const seen = `${name} ${size.width} ${colorScheme}`
    faults.push(...(await lookAt(page)).map((fault) => `${seen}: ${fault}`))
    if (folder !== undefined) await photograph(page, folder, seen)
  }
  return faults
}

async function lookAt(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe, document } = globalThis as any
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }: any) => `${id} at ${nodes.map((node: any) => node.target).join()}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} pixels too wide`] : []),
    ]
  })
}

async function photograph(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), fullPage: true })
}

/** Moves to an element with the Tab key alone, and checks that its focus is visible. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    const [there, outline] = await target.evaluate((element: any) => {
      const { outlineStyle } = element.ownerDocument.defaultView.getComputedStyle(element)
      return [element === element.ownerDocument.activeElement, outlineStyle as string]
    })
    if (there) return expect(outline).not.toBe('none')
    await page.keyboard.press('Tab')
  }
  throw new Error('the Tab key does not lead there')
}
