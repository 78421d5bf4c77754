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
    'edited product 7 Name: “Coffee”, Price: R$ 15,00, before R$ 10,00, Sold: Yes, before No',
  )
})

test('codes, days and ids read as words, dates and links, in both languages; what a form carries along is left out', async () => {
  const detail = {
    collectionMethod: 'CHARGE_AUTOMATICALLY',
    cardId: 'kept',
    seen: 1_801_364_400_000,
    nextCycleDate: 1_803_783_600_000,
    'items.0.productId': '7',
    'items.0.quantity': 2,
    'items.0.unitPriceInCents': 9_900,
    'items.1.quantity': 1,
    before: { collectionMethod: 'SEND_INVOICE', nextCycleDate: 1_801_364_400_000 },
    named: { 'items.0.productId': { 7: 'Plano mensal' } },
  }
  await done({ action: 'updateRecurringInvoice', subject: 'recurring/12', detail })
  const { text, words } = await seen('action=updateRecurringInvoice')
  expect(words).toContain(
    'Payment: Charged automatically on the due date, before The customer gets each invoice by e-mail, Card: The card that the customer keeps',
  )
  expect(words).toContain('Next cycle: 28 Feb 2027, before 31 Jan 2027')
  expect(words).toContain('Product: Plano mensal , Quantity: 2, Unit price: R$ 99,00 203.0.113.9')
  expect(text).toContain('<a href="/portal/products/7">Product: Plano mensal</a>')
  for (const raw of ['seen', '1801364400000', 'items.', 'CHARGE_AUTOMATICALLY'])
    expect(words).not.toContain(raw)
  const reader = openBrowser(system.url)
  await reader.signIn(await system.addPerson(sellerId, 'BOOKKEEPER'), PASSWORD)
  await reader.get(`${AUDIT}?language=pt-BR`)
  const { text: portuguese } = await reader.get(`${AUDIT}?action=updateRecurringInvoice`)
  expect(readable(portuguese)).toContain('Cartão: O cartão que o cliente guardou')
})

test('a moved clock says to when, and a percentage, a choice and a box read as on their form', async () => {
  await done({ action: 'advanceBillingClock', detail: { to: 1_803_783_600_000 } })
  const clock = await seen('action=advanceBillingClock')
  expect(clock.words).toContain('Moved to: 28 Feb 2027, 00:00')
  expect(clock.text).toContain('<a href="/portal/sandbox">')
  const detail = { 'fine.percentageBps': 250, kind: 'CASH', document: '12345678909', BOLETO: false }
  await done({ action: 'replaceInvoice', subject: 'invoices/77', detail })
  expect((await seen('action=replaceInvoice')).words).toContain(
    'Fine: 2.5%, How: Cash, CPF or CNPJ: 123.456.789-09, Boleto: No',
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
