import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isRequired } from '../../engines/src/describe-with'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Together they have each size and each colour scheme; MORE_LOOKS has the other pairs. */
export const LOOKS = [
  { size: DESKTOP, colorScheme: 'light' },
  { size: PHONE, colorScheme: 'dark' },
] as const
export const MORE_LOOKS = [
  { size: DESKTOP, colorScheme: 'dark' },
  { size: PHONE, colorScheme: 'light' },
] as const
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const MOST_TABS = 40

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync)
}

/** Defines tests in Chromium. Without Chromium they are reported as skipped; where it is required they fail. */
export function describeInChromium(name: string, tests: () => void): void {
  if (findChromium() !== undefined) return describe(name, tests)
  if (!isRequired('chromium')) {
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

type Look = (typeof LOOKS | typeof MORE_LOOKS)[number]

/**
 * The faults of a page, on a light desktop and a dark phone: those that axe-core finds, and content that is too wide.
 * SCREENSHOTS names a folder for pictures of the page, which then has the other looks too.
 */
export async function faultsOf(page: Page, name: string, looks: readonly Look[] = LOOKS): Promise<string[]> {
  const faults: string[] = []
  const folder = process.env['SCREENSHOTS']
  for (const { size, colorScheme } of folder === undefined ? looks : [...LOOKS, ...MORE_LOOKS]) {
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

const DAY = String.raw`\d{1,2}\s(de\s)?[A-Za-z]{3,4}\.?\s(de\s)?\d{4}`

/** The days of a page that a line breaks, at each of some widths. */
export async function brokenDays(page: Page, name: string): Promise<string[]> {
  const broken: string[] = []
  for (const width of [PHONE.width, 900, 1100, DESKTOP.width]) {
    await page.setViewportSize({ width, height: DESKTOP.height })
    const found = await page.evaluate((source) => {
      const { document, NodeFilter } = globalThis as any
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const days: string[] = []
      while (texts.nextNode()) {
        const node = texts.currentNode
        for (const match of node.data.matchAll(new RegExp(source, 'g'))) {
          const range = document.createRange()
          range.setStart(node, match.index)
          range.setEnd(node, match.index + match[0].length)
          if (new Set([...range.getClientRects()].map(({ top }: any) => Math.round(top))).size > 1)
            days.push(match[0])
        }
      }
      return days
    }, DAY)
    broken.push(...found.map((day) => `${name} ${width}: ${day}`))
  }
  return broken
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

/** A field that only password managers read is none. */
const REACHABLE = 'a[href], button, input:not([type=hidden], [aria-hidden]), select, textarea, summary'

/**
 * What the Tab key alone does not reach on a page, what it reaches out of order, and what shows no focus. Of radio buttons one
 * is reached; the arrow keys lead to the others.
 */
export async function keyboardFaults(page: Page, name: string): Promise<string[]> {
  const count = await page.evaluate((reachable) => {
    const { document } = globalThis as any
    const shown = [...document.querySelectorAll(reachable)].filter(
      (each: any) => each.checkVisibility() && !each.disabled,
    )
    const radios = new Set()
    const stops = shown.filter(
      (each: any) => each.type !== 'radio' || (!radios.has(each.name) && radios.add(each.name)),
    )
    for (const each of shown) {
      const isSame = (stop: any) => stop === each || (each.type === 'radio' && stop.name === each.name)
      each.dataset.stop = stops.findIndex(isSame)
    }
    // From the top, also where a field has the focus at first.
    document.body.tabIndex = -1
    document.body.focus()
    return stops.length as number
  }, REACHABLE)
  const reached: number[] = []
  const faults: string[] = []
  // A date has a stop for each of its parts, and a frame has its own.
  for (let tabs = 0; tabs < 4 * count + MOST_TABS && reached.at(-1) !== count - 1; tabs++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(() => {
      const { document } = globalThis as any
      const active = document.activeElement
      const { outlineStyle, outlineWidth } = document.defaultView.getComputedStyle(active)
      const shown = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
      return {
        stop: active.dataset.stop as string | undefined,
        shown,
        html: active.outerHTML.slice(0, 120) as string,
      }
    })
    if (seen.stop === undefined || Number(seen.stop) === reached.at(-1)) continue
    reached.push(Number(seen.stop))
    if (!seen.shown) faults.push(`${name}: no focus is seen at ${seen.html}`)
  }
  const missed = Array.from({ length: count }, (_each, at) => at).filter((at) => !reached.includes(at))
  if (missed.length > 0) faults.push(`${name}: the Tab key does not reach ${missed.join()} of ${count}`)
  if (reached.some((stop, at) => at > 0 && stop < (reached[at - 1] ?? 0)))
    faults.push(`${name}: out of order ${reached.join()}`)
  return faults
}
