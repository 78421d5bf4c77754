import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertDeed, type Deed } from '../../src/portal/people/audit-store'
import { OPERATIONS, PORTAL_DEEDS } from '../../src/portal/people/deed-sentences'
import { THINGS } from '../../src/portal/things/all-things'
import { openBrowser, readable, type Browser } from '../portal/browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal/portal-system'

const AUDIT = '/portal/settings/audit'
const PORTAL = join(__dirname, '../../src/portal')

let system: PortalSystem
let owner: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  owner = openBrowser(system.url)
  await owner.signIn(seller.email, PASSWORD)
})
afterAll(() => system.stop())

const done = (deed: Deed) =>
  insertDeed(system.deps.pool, { sellerId, email: 'bia@example.com', address: '203.0.113.9' }, deed)
const seen = async (query: string) => {
  const { text } = await owner.get(`${AUDIT}?${query}`)
  return { text, words: readable(text).replaceAll('\u00a0', ' ') }
}

test('every deed that the portal records has a sentence, and no sentence is without its deed', () => {
  const operations = THINGS.flatMap(({ creations = [], actions }) => [...creations, ...actions]).map(
    ({ operation }) => operation,
  )
  const sources = readdirSync(PORTAL, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(PORTAL, name), 'utf8'))
    .filter((text) => /insertDeed|audit-store/.test(text))
  const recorded = sources.flatMap((text) => [
    ...[...text.matchAll(/action: '(\w+)'/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/action: \w+ \? '(\w+)' : '(\w+)'/g)].flatMap(([, one = '', other = '']) => [
      one,
      other,
    ]),
  ])
  const deeds = new Set([...operations, ...recorded])
  expect([...deeds].toSorted()).toEqual([...Object.keys(OPERATIONS), ...Object.keys(PORTAL_DEEDS)].toSorted())
})

test('a refund reads as a sentence in both languages, and leads to its charge', async () => {
  await done({
    action: 'refundCharge',
    subject: 'charges/981',
    detail: { amount: 5_000, reason: 'Came late' },
  })
  const { text, words } = await seen('action=refundCharge')
  expect(words).toContain('bia@example.com refunded R$ 50,00 of charge 981 Reason: “Came late”')
  expect(text).toContain('href="/portal/charges/981"')
  const reader = openBrowser(system.url)
  await reader.signIn(await system.addPerson(sellerId, 'BOOKKEEPER'), PASSWORD)
  await reader.get(`${AUDIT}?language=pt-BR`)
  const { text: portuguese } = await reader.get(`${AUDIT}?action=refundCharge`)
  expect(readable(portuguese).replaceAll('\u00a0', ' ')).toContain(
    'bia@example.com estornou R$ 50,00 da cobrança 981 Motivo: “Came late”',
  )
})

test('what was done is chosen in words', async () => {
  const { text } = await seen('action=refundCharge')
  expect(text).toContain('<option value="refundCharge" selected>… refunded charge …</option>')
  expect(text).toContain('<option value="ROLE_CHANGED">… changed the role of … from … to …</option>')
})

test('an edit shows what was typed and what stood there before', async () => {
  const detail = { name: 'Coffee', value: 1_500, active: true, before: { value: 1_000, active: false } }
  await done({ action: 'replaceProduct', subject: 'products/7', detail })
  expect((await seen('action=replaceProduct')).words).toContain(
    'edited product 7 Name: “Coffee”, Price: R$ 15,00, before R$ 10,00, active: Yes, before No',
  )
})

test('the portal keeps what an edit of a product found', async () => {
  const typed = {
    name: 'Caneca',
    value: '49,90',
    description: 'Branca',
    active: 'true',
    maxInstallments: '1',
  }
  const { location = '' } = await owner.submit('/portal/products/new', typed)
  expect((await owner.submit(`${location}/edit`, { ...typed, value: '59,90' })).status).toBe(303)
  const { words, text } = await seen(`action=replaceProduct&subject=${location.replace('/portal/', '')}`)
  expect(words).toContain('Price: R$ 59,90, before R$ 49,90')
  expect(words).not.toContain('Name: “Caneca”, before')
  expect(text).toContain(`href="${location}"`)
})

test('what is deleted leads nowhere, and a deed of a newer release still reads', async () => {
  await done({ action: 'deleteProduct', subject: 'products/8' })
  const { text, words } = await seen('action=deleteProduct')
  expect(words).toContain('bia@example.com deleted product 8')
  expect(text).not.toContain('href="/portal/products/8"')
  await done({ action: 'boilWater', subject: 'kettles/1' })
  expect((await seen('action=boilWater')).words).toContain('bia@example.com did boilWater to 1')
})
