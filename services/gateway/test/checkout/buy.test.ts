import { DomainError } from '@cofre/platform/errors'
import { hiddenFields, openBrowser, readable, type Browser } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout({ CHECKOUT_TRIES_OF_ADDRESS: '7', TRUSTED_PROXIES: '1' })
})
beforeEach(() => {
  system.pages.links.next.refusal = undefined
  system.pages.links.asked.length = 0
})
afterAll(() => system.stop())

const ANA = { name: 'Ana Souza', document: '123.456.789-09', email: 'ana@example.com' }

let addresses = 0
type Opened = { browser: Browser; path: string; headers: Record<string, string> }

/** Opens the link of a mug in a browser of its own, from an address of its own. */
function open(change: Parameters<CheckoutSystem['pages']['links']['add']>[1] = {}): Opened {
  const path = `/buy/${system.pages.links.add(system.sellerId, change)}`
  addresses += 1
  return { browser: openBrowser(system.url), path, headers: { 'x-forwarded-for': `192.0.2.${addresses}` } }
}

async function send({ browser, path, headers }: Opened, fields: Record<string, string> = ANA, query = '') {
  const { text } = await browser.get(`${path}${query}`)
  return browser.post(`${path}${query}`, { ...hiddenFields(text), ...fields }, headers)
}

test('the page says what is sold, by whom, for how much and how it is paid', async () => {
  const { browser, path } = open()
  const { status, text, headers } = await browser.get(`${path}?lang=pt-BR`)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  for (const part of [
    'Ateliê da Ana',
    'Caneca',
    'R$ 49,90',
    'Branca, 300 ml.',
    'ou em até 3x de R$ 16,63 sem juros (1ª de R$ 16,64) no cartão',
    'Cartão de crédito, Pix',
    'Continuar para o pagamento',
  ]) {
    expect(readable(text)).toContain(part)
  }
  expect(readable((await browser.get(`${path}?lang=en`)).text)).toContain('Continue to payment')
})

test('a fee that the buyer bears shows in the installments', async () => {
  const { browser, path } = open({ cardPrices: [4_990, 5_200] })
  expect(readable((await browser.get(`${path}?lang=pt-BR`)).text)).toContain(
    'ou em até 2x de R$ 26,00 (R$ 52,00) no cartão',
  )
})

test('a purchase leads to the page of its invoice, in the buyer’s language', async () => {
  const page = open()
  const answer = await send(page, ANA, '?lang=en')
  expect(answer.status).toBe(303)
  expect(answer.location).toMatch(/^\/checkout\/[\w-]{22}\?lang=en$/)
  expect(system.pages.links.asked).toMatchObject([{ ...ANA, document: '12345678909' }])
  expect((await page.browser.get(answer.location ?? '')).status).toBe(200)
})

test('a form that is sent twice, and again later, makes one invoice', async () => {
  const { browser, path, headers } = open()
  const form = { ...hiddenFields((await browser.get(path)).text), ...ANA }
  const answers = await Promise.all([browser.post(path, form, headers), browser.post(path, form, headers)])
  const [first] = answers.map(({ location }) => location)
  expect(first).toMatch(/^\/checkout\//)
  expect([answers[1]?.location, (await browser.post(path, form, headers)).location]).toEqual([first, first])
})

test.each<[Record<string, string>, string]>([
  [{ name: ' ' }, 'Digite seu nome.'],
  [{ document: '123.456.789-00' }, 'Digite um CPF ou CNPJ válido.'],
  [{ email: 'ana' }, 'Digite um e-mail válido'],
])('%j is refused beside its field, and what was typed stays', async (changes, said) => {
  const answer = await send(open(), { ...ANA, ...changes }, '?lang=pt-BR')
  expect(answer.status).toBe(422)
  expect(readable(answer.text)).toContain(said)
  expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(1)
  for (const [name, value] of Object.entries(ANA)) {
    if (!(name in changes)) expect(answer.text).toContain(`value="${value}"`)
  }
  expect(system.pages.links.asked).toEqual([])
})

test('a link that is not sold is closed with words, and a form that was open makes nothing', async () => {
  const page = open({ open: false })
  const { status, text } = await page.browser.get(`${page.path}?lang=pt-BR`)
  expect(status).toBe(410)
  expect(readable(text)).toContain('Este link não está mais à venda')
  const sent = await page.browser.post(page.path, { ...ANA, formToken: 'x', once: 'x' }, page.headers)
  expect(sent.status).toBe(410)
  // Closed between the page and its form.
  system.pages.links.next.refusal = new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', 'Closed.')
  expect((await send(open())).status).toBe(410)
})

test.each(['link-of-nobody-0000000', 'x', `${'a'.repeat(22)}b`])('%s is not found', async (token) => {
  const { status, text } = await openBrowser(system.url).get(`/buy/${token}`)
  expect(status).toBe(404)
  expect(readable(text)).toContain('Página não encontrada')
})

test('a form without its page, from another browser or with other fields is refused', async () => {
  const page = open()
  const form = { ...hiddenFields((await page.browser.get(page.path)).text), ...ANA }
  const stranger = openBrowser(system.url)
  expect((await stranger.post(page.path, form, page.headers)).status).toBe(403)
  const other = { ...form, cardNumber: '4111111111111111' }
  expect((await page.browser.post(page.path, other, page.headers)).status).toBe(400)
  expect(system.pages.links.asked).toEqual([])
})

test('an address has so many purchases in an hour, and another address goes on', async () => {
  const page = open()
  for (let count = 0; count < 7; count += 1) expect((await send(page)).status).toBe(303)
  const refused = await send(page)
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  expect((await send({ ...page, headers: { 'x-forwarded-for': '198.51.100.1' } })).status).toBe(303)
})

test('who has purchases that wait is told so, and may go on later', async () => {
  const refusal = new DomainError('rate_limited', 'RATE_LIMITED', 'Too many.', { retryAfterSeconds: 1_800 })
  system.pages.links.next.refusal = refusal
  const answer = await send(open(), ANA, '?lang=pt-BR')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1800'])
  expect(readable(answer.text)).toContain('Pague uma delas ou espere 30 minutos')
})

test('a form whose outcome is unknown comes back with its key; a refused one with another', async () => {
  const onceAfter = async (refusal: DomainError) => {
    system.pages.links.next.refusal = refusal
    const { browser, path, headers } = open()
    const form = hiddenFields((await browser.get(path)).text)
    const { text } = await browser.post(path, { ...form, ...ANA }, headers)
    return hiddenFields(text)['once'] === form['once']
  }
  expect(await onceAfter(new DomainError('unavailable', 'OUTCOME_UNKNOWN', 'Lost.'))).toBe(true)
  expect(await onceAfter(new DomainError('rate_limited', 'RATE_LIMITED', 'Too many.'))).toBe(false)
})

test('the QR code of a link is a drawing, for who may look', async () => {
  const { browser, path } = open()
  const { status, text, headers } = await browser.get(`${path}.svg`)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(text).toContain('<svg')
})

test('no log has what a buyer typed', async () => {
  await send(open())
  await send(open(), { ...ANA, email: 'nobody' })
  expect(system.logged()).toContain('bought by a payment link')
  expect(system.logged()).not.toMatch(/12345678909|123\.456|ana@example|Ana Souza/)
})
