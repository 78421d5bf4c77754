import { AutomaticChargeStatus, Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { CustomerCard } from '@cofre/proto/invoices/v1/customers'
import { openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
  const { email, ...seller } = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
})
afterAll(() => system.stop())

const CUSTOMER = { name: 'Ana Souza', document: '529.982.247-25', email: 'ana@example.com' }

async function made(path: string, fields: Record<string, string>): Promise<string> {
  const { status, location } = await browser.submit(path, fields)
  expect([path, status]).toEqual([path, 303])
  return location ?? ''
}

test('a shop without a developer makes a customer, a product, and an invoice of it', async () => {
  const customer = await made('/portal/customers/new', CUSTOMER)
  const page = await browser.get(customer)
  expect(readable(page.text)).toContain('The customer was created.')
  const form = /href="(\/portal\/invoices\/new\?document=\d+)&amp;customerId=\d+"/.exec(page.text)?.[1] ?? ''
  const product = await made('/portal/products/new', { name: 'Consultoria', value: '99,00', active: 'true' })
  const productId = product.split('/').at(-1) ?? ''
  const { text } = await browser.get(form)
  expect(text).toContain('value="52998224725"')
  expect(text).toContain('Consultoria (R$ 99,00)')
  const invoice = await made('/portal/invoices/new', {
    document: CUSTOMER.document,
    dueDate: '2049-03-05',
    'items.0.productId': productId,
    'items.0.quantity': '3',
    'items.2.productId': productId,
    'items.2.quantity': '1',
    'items.2.unitPriceInCents': '50,00',
    CREDIT_CARD: 'true',
    PIX: 'true',
    maxInstallments: '3',
    'fine.percentageBps': '2',
    'interest.monthlyPercentageBps': '1,5%',
    discounts: '5%',
    'discounts.0.daysBeforeDueDate': '10',
    finalize: 'true',
  })
  expect(invoice).toMatch(/^\/portal\/invoices\/\d+$/)
  const asked = system.behind.invoices.asked.invoices.create.at(-1)
  expect(asked?.items.map(({ quantity, unitPriceInCents }) => [quantity, unitPriceInCents])).toEqual([
    [3, 9_900],
    [1, 5_000],
  ])
  expect(asked?.finalize).toBe(true)
  expect(asked?.acceptedMethods).toHaveLength(2)
  expect(asked).toMatchObject({
    fine: { percentageBps: 200 },
    interest: { monthlyPercentageBps: 150 },
    discounts: [{ percentageBps: 500, daysBeforeDueDate: 10 }],
  })
  expect(asked?.acceptedMethods[0]?.cardSettings?.maxInstallments).toBe(3)
})

test('two customers may share a document, and the one who is chosen is billed', async () => {
  const document = '390.533.447-05'
  const first = await made('/portal/customers/new', { ...CUSTOMER, name: 'Beatriz Lima', document })
  const twice = { ...CUSTOMER, name: 'Bruno Lima', document }
  const warned = await browser.submit('/portal/customers/new', twice)
  expect([warned.status, readable(warned.text)]).toEqual([
    422,
    expect.stringMatching(/Another customer has this CPF or CNPJ\..*Create one more customer/),
  ])
  const second = await made('/portal/customers/new', { ...twice, another: 'true' })
  const [firstId = '', secondId = ''] = [first, second].map((path) => path.split('/').at(-1))
  const product = await made('/portal/products/new', { name: 'Vaso', value: '80,00', active: 'true' })
  const bill = {
    dueDate: '2049-03-05',
    'items.0.productId': product.split('/').at(-1) ?? '',
    'items.0.quantity': '1',
    PIX: 'true',
  }
  const asked = system.behind.invoices.asked.invoices.create
  const open = await browser.get(`/portal/invoices/new?document=${document}&customerId=${firstId}`)
  expect(open.text).toMatch(new RegExp(`<option value="${firstId}" selected>Beatriz Lima`))
  const unsure = await browser.submit('/portal/invoices/new', { ...bill, document })
  expect([unsure.status, readable(unsure.text)]).toEqual([
    422,
    expect.stringContaining('Several customers match. Choose one.'),
  ])
  await made('/portal/invoices/new', { ...bill, document, customerId: firstId })
  expect(asked.at(-1)?.customerId).toBe(Number(firstId))
  await made('/portal/invoices/new', { ...bill, document: 'Bruno' })
  expect(asked.at(-1)?.customerId).toBe(Number(secondId))
  const nobody = await browser.submit('/portal/invoices/new', { ...bill, document: 'Carla' })
  expect([nobody.status, nobody.text.includes('id="document-fault"')]).toEqual([422, true])
})

test.each([
  [{ document: '529.982.247-26' }, 'Enter a valid CPF or CNPJ.'],
  [{ 'phone.number': 'none' }, 'Enter digits.'],
])('a customer with %j is told: %s', async (wrong, words) => {
  const typed = { name: 'Ana', document: '877.482.488-00', ...wrong }
  const { status, text } = await browser.submit('/portal/customers/new', typed)
  expect([status, readable(text)]).toEqual([422, expect.stringContaining(words)])
})

test.each(['2,123', 'two', '-1'])('a fine of “%s” is refused beside its field', async (percentage) => {
  const typed = { document: CUSTOMER.document, dueDate: '2049-03-05', 'fine.percentageBps': percentage }
  const { status, text } = await browser.submit('/portal/invoices/new', typed)
  expect([status, text.includes('id="fine.percentageBps-fault"')]).toEqual([422, true])
})

test('a recurring invoice and a booklet are made, and the slips of the booklet are printed', async () => {
  await made('/portal/customers/new', { ...CUSTOMER, document: '111.444.777-35' })
  const product = await made('/portal/products/new', { name: 'Plano', value: '99,00', active: 'true' })
  const typed = {
    document: '11144477735',
    billingFrequency: 'MONTHLY',
    daysUntilDue: '5',
    orderReference: 'PLAN-77',
    'items.0.productId': product.split('/').at(-1) ?? '',
    'items.0.quantity': '2',
    BOLETO: 'true',
  }
  const { asked } = system.behind.invoices
  await made('/portal/recurring/new', { ...typed, collectionMethod: 'SEND_INVOICE' })
  const recurring = asked.recurring.create.at(-1)
  expect(recurring).toMatchObject({ orderReference: 'PLAN-77', daysUntilDue: 5 })
  expect(recurring?.recurringItems).toMatchObject([{ quantity: 2, unitPriceInCents: 9_900 }])
  const plan = await made('/portal/recurring/new', { ...typed, collectionMethod: 'CHARGE_AUTOMATICALLY' })
  const cycles = readable((await browser.get(plan)).text)
  const waits = 'Waits for a card or a Pix permission.'
  for (const shown of ['Next cycles', 'Invoice made', 'R$ 99,00', 'Latest invoices', 'Ana Souza', waits])
    expect(cycles).toContain(shown)
  const card = { id: 41, brand: 'VISA', lastFour: '1111', expirationYear: 2049, expirationMonth: 12 }
  const kept = CustomerCard.fromPartial({ ...card, isDefault: true })
  system.behind.invoices.customerCards.set(recurring?.customerId ?? 0, [kept])
  expect(readable((await browser.get(plan)).text)).toMatch(/Charged to .*1111.* on the due date/)
  const booklet = await made('/portal/recurring/new-booklet', { ...typed, chargesByBooklet: '12' })
  expect(asked.recurring.booklet.at(-1)).toMatchObject({
    charges: 12,
    recurringItem: { quantity: 2, unitPriceInCents: 9_900 },
  })
  const page = await browser.get(booklet)
  expect(page.text).toContain(`href="${booklet}/slips"`)
  const slips = await browser.get(`${booklet}/slips`)
  expect([slips.status, slips.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await browser.get('/portal/recurring/x/slips')).status).toBe(404)
  const refused = await browser.submit('/portal/recurring/new-booklet', { ...typed, chargesByBooklet: '500' })
  expect([refused.status, refused.text.includes('id="chargesByBooklet-fault"')]).toEqual([422, true])
})

test.each([
  [AutomaticChargeStatus.NEEDS_CARD, 'CARD_EXPIRED', 'The card has expired.'],
  [AutomaticChargeStatus.WAITING, 'NOT_REACHED', 'Nothing was charged.'],
  [AutomaticChargeStatus.GIVEN_UP, 'A_NEW_REASON', 'A_NEW_REASON'],
])('an invoice says what its automatic charge does next, and why: %s, %s', async (status, reason, words) => {
  const id = 7_000 + status.length + reason.length
  const attempt = { status, reason, attempts: 1, nextAttemptAt: Date.parse('2049-03-05T12:00:00-03:00') }
  const fields = { id, sellerId, customer: {}, status: InvoiceStatus.CLOSED, automaticCharge: attempt }
  system.behind.invoices.invoices.set(id, Invoice.fromPartial(fields))
  const page = readable((await browser.get(`/portal/invoices/${id}`)).text)
  for (const shown of ['Automatic charge', words, '5 Mar 2049']) expect(page).toContain(shown)
})

const MOVER = { ...CUSTOMER, document: '168.995.350-09' }

test('a customer moves: the form shows what is kept, and keeps what it does not show', async () => {
  const customer = await made('/portal/customers/new', {
    ...MOVER,
    'phone.areaCode': '11',
    'phone.number': '98765-4321',
    'address.street': 'Rua das Flores',
    'address.zipCode': '01001-000',
  })
  const form = (await browser.get(`${customer}/edit`)).text
  for (const value of ['Ana Souza', '987654321', 'Rua das Flores']) expect(form).toContain(`value="${value}"`)
  const moved = {
    ...MOVER,
    'phone.number': '912345678',
    'phone.areaCode': '21',
    'address.street': 'Rua Nova',
  }
  expect(await browser.submit(`${customer}/edit`, moved)).toMatchObject({ status: 303, location: customer })
  const page = readable((await browser.get(customer)).text)
  for (const shown of ['The customer was changed.', '+55 21 912345678', 'Rua Nova'])
    expect(page).toContain(shown)
  expect(page).not.toContain('Rua das Flores')
  const refused = await browser.submit(`${customer}/edit`, { ...moved, 'address.zipCode': 'none' })
  expect([refused.status, refused.text.includes('id="address.zipCode-fault"')]).toEqual([422, true])
})

test.each([
  ['/portal/customers/new', { name: 'Ana', document: '123' }, 'document'],
  ['/portal/customers/new', { ...CUSTOMER, name: '' }, 'name'],
  ['/portal/customers/new', { ...CUSTOMER, another: 'true', email: 'ana' }, 'email'],
  ['/portal/products/new', { name: 'X', value: 'much' }, 'value'],
  ['/portal/invoices/new', { document: '52998', dueDate: '2049-03-05' }, 'document'],
  ['/portal/invoices/new', { document: CUSTOMER.document, dueDate: '2049-03-05' }, 'items.0.productId'],
  ['/portal/invoices/new', { document: CUSTOMER.document, dueDate: 'soon' }, 'dueDate'],
] as [string, Record<string, string>, string][])(
  '%s with %j is refused at %s',
  async (path, fields, name) => {
    const { status, text } = await browser.submit(path, fields)
    expect([status, text.includes(`id="${name}-fault"`)]).toEqual([422, true])
  },
)

test('a read-only person sees no button for it, and is refused', async () => {
  const other = await system.makeSeller()
  const reader = openBrowser(system.url)
  await reader.signIn(await system.addPerson(other.sellerId, 'READ_ONLY'), PASSWORD)
  expect((await reader.get('/portal/customers')).text).not.toContain('/customers/new')
  expect((await reader.get('/portal/customers/new')).status).toBe(403)
  const sent = await reader.submit('/portal/customers/new', CUSTOMER, '/portal/settings/account')
  expect(sent.status).toBe(403)
})
