import { CustomerCard } from '@cofre/proto/invoices/v1/customers'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { billedPlan } from './plan-samples'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

const DOCUMENT = '12345678909'

let system: PortalSystem
let browser: Browser
let sellerId: number
let customerId: number
let typed: Record<string, string>
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
  customerId = await made('customers/new', { name: 'Ana Souza', document: DOCUMENT })
  const product = await made('products/new', { name: 'Plano', value: '99,00', active: 'true' })
  typed = {
    document: DOCUMENT,
    billingFrequency: 'MONTHLY',
    daysUntilDue: '5',
    collectionMethod: 'CHARGE_AUTOMATICALLY',
    CREDIT_CARD: 'true',
    'items.0.productId': String(product),
    'items.0.quantity': '1',
  }
})
beforeEach(() => system.behind.invoices.customerCards.clear())
afterAll(() => system.stop())

async function made(path: string, form: Record<string, string>): Promise<number> {
  const { status, location = '' } = await browser.submit(`/portal/${path}`, form)
  expect(status).toBe(303)
  return Number(location.split('/').at(-1))
}

function keep(...cards: { id: number; isDefault: boolean }[]): void {
  const data = { brand: 'VISA', expirationYear: 2049, expirationMonth: 12 }
  const kept = cards.map((card) =>
    CustomerCard.fromPartial({ ...data, ...card, lastFour: String(9_000 + card.id) }),
  )
  system.behind.invoices.customerCards.set(customerId, kept)
}

const created = () => system.behind.invoices.asked.recurring.create.at(-1)
const readablePage = async (path: string) =>
  readable((await browser.get(`/portal/${path}`)).text).replaceAll('\u00a0', ' ')

test('the page of a customer leads to the form of a plan, which offers the customer’s cards', async () => {
  keep({ id: 41, isDefault: true }, { id: 42, isDefault: false })
  const { text } = await browser.get(`/portal/customers/${customerId}`)
  const to = `recurring/new?document=${DOCUMENT}&customerId=${customerId}`
  expect(text.replaceAll('&amp;', '&')).toContain(`href="/portal/${to}"`)
  const form = await readablePage(to)
  expect(form).toContain('Choose a card The card that the customer keeps Visa •••• 9041 Visa •••• 9042')
  expect(await readablePage('recurring/new')).not.toContain('Visa')
})

test('who has another card than the kept one is asked which is charged, and that one is', async () => {
  keep({ id: 41, isDefault: true }, { id: 42, isDefault: false })
  const asked = await browser.submit('/portal/recurring/new', typed)
  expect([asked.status, asked.text.includes('id="cardId-fault"')]).toEqual([422, true])
  await made('recurring/new', { ...typed, cardId: '42' })
  expect(created()?.cardId).toBe(42)
  await made('recurring/new', { ...typed, cardId: 'kept' })
  expect(created()?.cardId).toBeUndefined()
})

test('a card that is another customer’s is not charged', async () => {
  keep({ id: 42, isDefault: false })
  const { status, text } = await browser.submit('/portal/recurring/new', { ...typed, cardId: '77' })
  expect([status, text.includes('id="cardId-fault"')]).toEqual([422, true])
})

test('nobody is asked for a card where the kept one is the only one, or where each invoice is mailed', async () => {
  keep({ id: 41, isDefault: true })
  await made('recurring/new', typed)
  expect(created()?.cardId).toBeUndefined()
  keep({ id: 42, isDefault: false })
  await made('recurring/new', { ...typed, collectionMethod: 'SEND_INVOICE', cardId: '42' })
  expect(created()?.cardId).toBeUndefined()
})

test('the page of a plan shows the ways to pay, the fine, the interest and the discounts, in both languages', async () => {
  const terms = {
    acceptedMethods: [
      { method: PaymentMethod.CREDIT_CARD, cardSettings: { maxInstallments: 3 } },
      { method: PaymentMethod.PIX, pixSettings: {} },
    ],
    fine: { percentageBps: 200, startsAfterDays: 1 },
    interest: { monthlyPercentageBps: 150, startsAfterDays: 4 },
    discounts: [{ daysBeforeDueDate: 0, percentageBps: 500 }],
  }
  const { recurring } = system.behind.invoices
  recurring.set(70, billedPlan({ id: 70, sellerId, customerId, terms }))
  const words = await readablePage('recurring/70')
  expect(words).toContain(
    'Accepts Card, Pix Most installments by card 3 Fine 2% Interest 1.5% a month, from day 4 after the due date on Discount 5% until the due date',
  )
  const amounts = {
    ...terms,
    fine: { amountInCents: 1_000, startsAfterDays: 1 },
    interest: { dailyAmountInCents: 10, startsAfterDays: 1 },
    discounts: [{ daysBeforeDueDate: 10, amountInCents: 500 }],
  }
  recurring.set(71, billedPlan({ id: 71, sellerId, customerId, terms: amounts }))
  await browser.get('/portal?language=pt-BR')
  const portuguese = await readablePage('recurring/71')
  await browser.get('/portal?language=en')
  expect(portuguese).toContain(
    'Multa R$ 10,00 Juros R$ 0,10 por dia Desconto R$ 5,00 até 10 dias antes do vencimento',
  )
})

test('a plan without fine, interest and discount shows none', async () => {
  system.behind.invoices.recurring.set(72, billedPlan({ id: 72, sellerId, customerId }))
  const words = await readablePage('recurring/72')
  for (const name of ['Fine', 'Interest', 'Discount']) expect(words).not.toContain(name)
})
