import {
  CollectionMethod,
  RecurringInvoiceStatus,
  type RecurringInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { billedPlan } from './plan-samples'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
})
beforeEach(() => system.behind.invoices.recurring.clear())
afterAll(() => system.stop())

const seen = async (path: string) => {
  const { text } = await browser.get(`/portal${path}`)
  return { text, words: readable(text).replaceAll('\u00a0', ' ') }
}

function plan(id: number, code?: string, changes: Partial<RecurringInvoice> = {}): void {
  const warnings = code ? [{ pointer: '#/cardId', code, detail: 'fails' }] : []
  system.behind.invoices.recurring.set(id, billedPlan({ id, sellerId, warnings, ...changes }))
}

test('the home page counts plans whose card fails and leads to them; without any it is silent', async () => {
  plan(11)
  expect((await seen('')).words).not.toContain('card fails')
  plan(12, 'CARD_FAILS')
  plan(13, 'CARD_GIVEN_UP')
  const { text, words } = await seen('')
  expect(words).toContain('Plans whose card fails 2 Their customers may have to keep another card.')
  expect(text).toContain('href="/portal/recurring?cardFails=true"')
  const listed = await seen('/recurring?cardFails=true')
  expect(listed.text.match(/href="\/portal\/recurring\/\d+"/g)).toEqual([
    'href="/portal/recurring/13"',
    'href="/portal/recurring/12"',
  ])
  expect((await seen('/recurring?cardFails=false')).text).toContain('href="/portal/recurring/11"')
})

test('the list says whose card fails, who is billed and what each cycle bills', async () => {
  plan(11)
  plan(12, 'CARD_FAILS', { customerName: 'Bia Lima', amount: 12_300 })
  plan(13, 'CARD_GIVEN_UP', { customerName: '', customerDocument: '12345678909' })
  const { words } = await seen('/recurring')
  expect(words).toMatch(/13 123\.456\.789-09 .*Card given up/)
  expect(words).toContain('12 Bia Lima Monthly R$ 123,00 Card fails')
  expect(words).toContain('11 Ana Souza Monthly R$ 99,00 Running')
})

test('the page of a plan whose card fails says first what to do, and still how it is paid, in both languages', async () => {
  plan(12, 'CARD_GIVEN_UP')
  const { words } = await seen('/recurring/12')
  expect(words).toContain('Its card was given up. No card is tried any more for an open invoice.')
  expect(words).toContain('Each cycle R$ 99,00')
  const { location = '' } = await browser.submit('/portal/customers/new', {
    name: 'Ana',
    document: '12345678909',
  })
  plan(12, 'CARD_FAILS', { customerId: Number(location.split('/').at(-1)) })
  await browser.get('/portal?language=pt-BR')
  const { words: portuguese } = await seen('/recurring/12')
  await browser.get('/portal?language=en')
  expect(portuguese).toContain('O cartão está falhando.')
  expect(portuguese).toContain('Até lá, o cliente recebe cada fatura por e-mail')
  plan(12, undefined, {
    status: RecurringInvoiceStatus.PAUSED,
    collectionMethod: CollectionMethod.SEND_INVOICE,
  })
  expect((await seen('/recurring/12')).words).not.toContain('Its card')
})
