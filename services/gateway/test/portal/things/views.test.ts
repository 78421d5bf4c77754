import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

const LIST = '/portal/charges'
const REFUNDED = 'status=REFUNDED&orderReference=Natal+%26+cia'
const SAVED = `${LIST}?${REFUNDED}`

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
})
beforeEach(async () => {
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = await signedIn(seller.email)
})
afterAll(() => system.stop())

async function signedIn(email: string): Promise<Browser> {
  const opened = openBrowser(system.url)
  await opened.signIn(email, PASSWORD)
  return opened
}
const save = (name: string, query = REFUNDED) =>
  browser.submit(`${LIST}/views/save`, { name, query }, `${LIST}?status=REFUNDED`)
/** The links to saved views, by name. */
const viewsOn = async (path: string, reader = browser) => {
  const { text } = await reader.get(path)
  const nav = /<nav aria-label="Saved views">([^]*?)<\/nav>/.exec(text)?.[1] ?? ''
  const links = [...nav.matchAll(/href="([^"]*)"( aria-current="true")?>([^<]*)</g)]
  return Object.fromEntries(
    links.map(([, href = '', shown, name = '']) => [readable(name), [readable(href), Boolean(shown)]]),
  )
}

test('filters are kept under a name, and one click shows the list with them', async () => {
  const { text } = await browser.get(SAVED)
  expect(readable(/name="query" value="([^"]*)"/.exec(text)?.[1] ?? '')).toBe(REFUNDED)
  expect((await save('Natal')).location).toBe(SAVED)
  expect(readable((await browser.get(SAVED)).text)).toContain('The view was saved.')
  expect(await viewsOn(LIST)).toEqual({ Natal: [SAVED, false] })
  expect(await viewsOn(SAVED)).toEqual({ Natal: [SAVED, true] })
  expect(await viewsOn('/portal/invoices')).toEqual({})
})

test('a view of the same name is replaced, and one is removed from its own page', async () => {
  await save('Natal')
  await save('Natal', 'status=CAPTURED')
  expect(await viewsOn(LIST)).toEqual({ Natal: [`${LIST}?status=CAPTURED`, false] })
  const removed = await browser.submit(`${LIST}/views/remove`, { name: 'Natal' }, `${LIST}?status=CAPTURED`)
  expect(removed.location).toBe(LIST)
  expect(await viewsOn(LIST)).toEqual({})
})

test('each person has views of their own', async () => {
  await save('Natal')
  const other = await signedIn(await system.addPerson(sellerId, 'SUPPORT'))
  expect(await viewsOn(LIST, other)).toEqual({})
  await other.submit(`${LIST}/views/remove`, { name: 'Natal' }, `${LIST}?status=REFUNDED`)
  expect(await viewsOn(LIST)).toHaveProperty('Natal')
})

test.each([
  ['no name', ' ', 'status=REFUNDED'],
  ['no filter', 'All', ''],
  ['a choice that nobody offers', 'Odd', 'status=LOST'],
  ['a filter that the list has not', 'Odd', 'sellerId=7'],
])('a view with %s is not kept', async (_what, name, query) => {
  expect((await save(name, query)).location).toBe(`${LIST}${query === 'status=REFUNDED' ? `?${query}` : ''}`)
  expect(readable((await browser.get(LIST)).text)).toContain('Choose filters and a name for the view.')
  expect(await viewsOn(LIST)).toEqual({})
})

test('a person keeps twenty views of a list', async () => {
  for (let number = 1; number <= 21; number++) await save(`View ${number}`)
  expect(readable((await browser.get(LIST)).text)).toContain(
    'You keep 20 views of this list: remove one first.',
  )
  await save('View 1', 'status=CAPTURED')
  const views = await viewsOn(LIST)
  expect(Object.keys(views)).toHaveLength(20)
  expect(views).toMatchObject({ 'View 1': [`${LIST}?status=CAPTURED`, false] })
})
