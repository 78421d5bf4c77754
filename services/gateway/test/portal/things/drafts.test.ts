import { Invoice, InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
let productId: string
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
  await browser.submit('/portal/customers/new', { name: 'Ana', document: '12345678909' })
  const { location } = await browser.submit('/portal/products/new', { name: 'Caneca', value: '49,90' })
  productId = location?.split('/').at(-1) ?? ''
})
afterAll(() => system.stop())

const kept = (path: string) => system.behind.invoices.invoices.get(Number(path.split('/').at(-1)))

/** A draft with what the form has no field for. */
function newDraft(changes: Partial<Invoice> = {}): string {
  const { invoices } = system.behind.invoices
  const id = invoices.size + 1
  const draft = {
    id,
    sellerId,
    status: InvoiceStatus.OPEN,
    invoiceNumber: `F-${id}`,
    customer: { id: 5, name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
    dueDate: Date.parse('2049-03-05T12:00:00-03:00'),
    items: [
      {
        id: 1,
        productId: 999,
        description: 'Bule',
        quantity: 2,
        unitPriceInCents: 1_050,
        totalInCents: 2_100,
      },
    ],
    amount: 2_100,
    payableAmount: 2_100,
    acceptedMethods: [
      {
        method: PaymentMethod.CREDIT_CARD,
        cardSettings: { maxInstallments: 3, feePassThrough: false, threeDSecure: true },
      },
    ],
    discounts: [{ percentageBps: 550, daysBeforeDueDate: 2 }],
    fine: { percentageBps: 200, startsAfterDays: 1 },
    partialPayments: true,
    successUrl: 'https://shop.example/thanks',
    publicId: '4fJz1Qm8Tn2bYw0c7Rk5Xg',
    createdAt: 1_767_225_600_000,
    updatedAt: 1_767_225_600_000,
  }
  invoices.set(id, Invoice.fromPartial({ ...draft, ...changes }))
  return `/portal/invoices/${id}`
}

/** What the form holds when it is opened. */
const SHOWN = {
  document: '12345678909',
  dueDate: '2049-03-05',
  'items.0.productId': '999',
  'items.0.quantity': '2',
  'items.0.unitPriceInCents': '10,50',
  CREDIT_CARD: 'true',
  maxInstallments: '3',
  'fine.percentageBps': '2,00',
  discounts: '5,5%',
  'discounts.0.daysBeforeDueDate': '2',
}

test('the form of a draft shows what it says; what is typed is changed, and the rest stays', async () => {
  const path = newDraft()
  const { text } = await browser.get(`${path}/edit`)
  for (const value of ['12345678909', '2049-03-05', '2', '10,50', '3', '2,00', '5,5%']) {
    expect(text).toContain(`value="${value}"`)
  }
  expect(text).toMatch(/<option value="999" selected>Bule \(R\$ 10,50\)/)
  expect(readable(text)).toMatch(/Subtotal R\$ 21,00 Total R\$ 21,00/)
  const changed = { ...SHOWN, 'items.1.productId': productId, 'items.1.quantity': '3' }
  expect(await browser.submit(`${path}/edit`, changed)).toMatchObject({ status: 303, location: path })
  expect(kept(path)).toMatchObject({
    customer: { name: 'Ana Souza' },
    items: [
      { productId: 999, quantity: 2, unitPriceInCents: 1_050 },
      { productId: Number(productId), quantity: 3, unitPriceInCents: 4_990 },
    ],
    acceptedMethods: [{ cardSettings: { maxInstallments: 3, threeDSecure: true } }],
    discounts: [{ percentageBps: 550, daysBeforeDueDate: 2 }],
    fine: { percentageBps: 200, startsAfterDays: 1 },
    partialPayments: true,
    successUrl: 'https://shop.example/thanks',
  })
  expect(readable((await browser.get(path)).text)).toContain('The invoice was changed.')
})

test('a draft with several discounts keeps them, and its form has none', async () => {
  const discounts = [10, 5].map((days) => ({
    amountInCents: days * 10,
    percentageBps: undefined,
    daysBeforeDueDate: days,
  }))
  const path = newDraft({ discounts })
  expect((await browser.get(`${path}/edit`)).text).not.toContain('name="discounts"')
  const { discounts: _none, 'discounts.0.daysBeforeDueDate': _days, ...typed } = SHOWN
  expect((await browser.submit(`${path}/edit`, typed)).status).toBe(303)
  expect(kept(path)?.discounts).toMatchObject(discounts)
})

test('the total is computed by the service, without scripts by a button, and nothing is saved', async () => {
  const { size } = system.behind.invoices.invoices
  const typed = {
    document: '',
    dueDate: '',
    'items.0.productId': productId,
    'items.0.quantity': '3',
    deed: 'compute',
  }
  const computed = await browser.submit('/portal/invoices/new', typed)
  expect(computed.status).toBe(200)
  expect(readable(computed.text)).toMatch(/Subtotal R\$ 149,70 Total R\$ 149,70/)
  expect(computed.text).not.toContain('class="fault"')
  expect(system.behind.invoices.invoices.size).toBe(size)
  const wrong = await browser.submit('/portal/invoices/new', { ...typed, 'items.0.unitPriceInCents': 'ten' })
  expect(wrong.text).toContain('id="items.0.unitPriceInCents-fault"')
  expect(computed.headers.get('content-security-policy')).toContain("connect-src 'self'")
})

test.each(['ten', '100%', '5,555%'])('the discount %j is refused beside its field', async (discounts) => {
  const { status, text } = await browser.submit(`${newDraft()}/edit`, { ...SHOWN, discounts })
  expect([status, text.includes('id="discounts-fault"')]).toEqual([422, true])
})

test('who opened the form before another person’s change is told, and what they typed stays', async () => {
  const path = newDraft()
  const opened = await browser.get(`${path}/edit`)
  const hidden = [...opened.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name, value]) => [name, value],
  )
  await browser.submit(`${path}/edit`, { ...SHOWN, 'items.0.quantity': '7' })
  const late = { ...SHOWN, 'items.0.quantity': '9', ...Object.fromEntries(hidden) }
  const { status, text } = await browser.post(`${path}/edit`, late)
  expect([status, text.includes('role="alert"'), text.includes('value="9"')]).toEqual([422, true, true])
  expect(kept(path)?.items[0]?.quantity).toBe(7)
})

test('only a draft is edited, and only one that the form has room for', async () => {
  const [item] = Invoice.fromPartial({ items: [{ id: 1, productId: 999, quantity: 1 }] }).items
  const long = Array.from({ length: 26 }, () => item as Invoice['items'][number])
  for (const path of [newDraft({ status: InvoiceStatus.CLOSED }), newDraft({ items: long })]) {
    expect((await browser.get(path)).text).not.toContain(`href="${path}/edit"`)
    expect(await browser.get(`${path}/edit`)).toMatchObject({ status: 303, location: path })
  }
})

test('the letter is shown as it would be sent, in a frame of the portal alone', async () => {
  const path = newDraft()
  const preview = await browser.get(`${path}/preview`)
  expect(readable(preview.text)).toContain('ana@example.com')
  expect(preview.text).toContain(`src="${path}/preview/letter?lang=pt-BR"`)
  const letter = await browser.get(`${path}/preview/letter?lang=en`)
  const policy = letter.headers.get('content-security-policy') ?? ''
  expect(letter.text).toContain(kept(path)?.invoiceNumber)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).not.toContain('script-src')
  expect(letter.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(system.behind.invoices.asked.invoices.email).toEqual([])
})

test('a preview says why no letter would be sent', async () => {
  const path = newDraft({ status: InvoiceStatus.CANCELLED })
  expect(readable((await browser.get(`${path}/preview`)).text)).toContain('It is not OPEN.')
})

test.each(['', '/page', '/letter'])(
  'the preview%s of another seller’s invoice is not found',
  async (part) => {
    const path = newDraft({ sellerId: sellerId + 1 })
    expect((await browser.get(`${path}/preview${part}`)).status).toBe(404)
    expect((await browser.get(`/portal/invoices/x/preview${part}`)).status).toBe(404)
  },
)
