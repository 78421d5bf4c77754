import { startOf } from '@cofre/platform/calendar-day'
import { CustomerCard } from '@cofre/proto/invoices/v1/customers'
import { CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { hiddenFields, openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let product: string
let typed: Record<string, string>
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
  await browser.submit('/portal/customers/new', { name: 'Ana', document: '12345678909' })
  const { location } = await browser.submit('/portal/products/new', {
    name: 'Plano',
    value: '99,00',
    active: 'true',
  })
  product = location?.split('/').at(-1) ?? ''
  typed = {
    document: '12345678909',
    billingFrequency: 'MONTHLY',
    daysUntilDue: '5',
    BOLETO: 'true',
    CREDIT_CARD: 'true',
  }
  typed = { ...typed, 'items.0.productId': product, 'items.0.quantity': '1' }
})
afterAll(() => system.stop())

async function made(form: string, more: Record<string, string>): Promise<string> {
  const { status, location = '' } = await browser.submit(`/portal/recurring/${form}`, { ...typed, ...more })
  expect(status).toBe(303)
  const customerId = system.behind.invoices.asked.recurring.create.at(-1)?.customerId ?? 0
  const card = { id: 42, brand: 'VISA', lastFour: '4242', expirationYear: 2049, expirationMonth: 12 }
  system.behind.invoices.customerCards.set(customerId, [
    CustomerCard.fromPartial({ ...card, isDefault: true }),
  ])
  return location
}
const plan = () => made('new', { collectionMethod: 'CHARGE_AUTOMATICALLY' })
const updates = () => system.behind.invoices.asked.recurring.update
const item = { 'items.0.productId': '', 'items.0.quantity': '1', 'items.0.unitPriceInCents': '99,00' }
const same = (more = {}) => ({
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  ...item,
  'items.0.productId': product,
  ...more,
})

test('the form says from when a change holds, and offers the cards of the customer', async () => {
  const path = await plan()
  expect((await browser.get(path)).text).toContain(`href="${path}/edit"`)
  const form = readable((await browser.get(`${path}/edit`)).text)
  for (const words of [
    'Holds from the cycle of',
    'Visa •••• 4242',
    'All later cycles are counted from this day.',
  ])
    expect(form).toContain(words)
})

test('only what was changed is sent', async () => {
  const path = await plan()
  expect(await browser.submit(`${path}/edit`, same({ cardId: '42' }))).toMatchObject({
    status: 303,
    location: path,
  })
  const unchanged = { collectionMethod: undefined, nextCycleDate: undefined, recurringItems: undefined }
  expect(updates().at(-1)).toMatchObject({ cardId: 42, unnameCard: false, ...unchanged })
  expect(readable((await browser.get(path)).text)).toContain('The recurring invoice was changed.')
  const audit = readable((await browser.get('/portal/settings/audit')).text).replaceAll('\u00a0', ' ')
  expect(audit).toContain('Card: Visa •••• 4242')
  expect(audit).toContain('Product: Plano (R$ 99,00)')
  await browser.submit(`${path}/edit`, same({ cardId: 'kept' }))
  expect(updates().at(-1)).toMatchObject({ unnameCard: true, cardId: undefined, ...unchanged })
})

test('method, day and items are sent; without an item the form says so', async () => {
  const path = await plan()
  const sent = {
    collectionMethod: 'SEND_INVOICE',
    nextCycleDate: '2049-03-05',
    'items.0.unitPriceInCents': '109,00',
  }
  expect((await browser.submit(`${path}/edit`, same(sent))).status).toBe(303)
  expect(updates().at(-1)).toMatchObject({
    collectionMethod: CollectionMethod.SEND_INVOICE,
    nextCycleDate: startOf('2049-03-05'),
    recurringItems: { items: [{ quantity: 1, unitPriceInCents: 10_900 }] },
    extraItems: undefined,
  })
  const none = await browser.submit(`${path}/edit`, same({ 'items.0.productId': '' }))
  expect([none.status, readable(none.text)]).toEqual([422, expect.stringContaining('Choose a product.')])
})

test('a form that was shown before another change changes nothing back', async () => {
  const path = await plan()
  const shown = hiddenFields((await browser.get(`${path}/edit`)).text)
  const before = updates().length
  const stale = await browser.post(`${path}/edit`, { ...same(), ...shown, seen: '1000' })
  expect([stale.status, readable(stale.text)]).toEqual([422, expect.stringContaining('changed meanwhile')])
  expect(updates()).toHaveLength(before)
})

test('a quantity or a day that the API refuses is named at its field', async () => {
  const path = await plan()
  const wrong = await browser.submit(`${path}/edit`, same({ 'items.0.quantity': '0' }))
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('id="items.0.quantity-fault"')])
})

test('a plan that is over offers no change', async () => {
  const path = await plan()
  await browser.submit(`${path}/cancel`, {})
  expect((await browser.get(path)).text).not.toContain(`href="${path}/edit"`)
})
