import { DomainError } from '@cofre/platform/errors'
import { eventually } from '@cofre/testing/testing'
import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { hiddenFields, openBrowser, readable, type Browser } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'
import { CARD, hiddenOfCard, sealedCard } from './sealed-card'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout({ CHECKOUT_TRIES_OF_ADDRESS: '7' })
})
beforeEach(() => {
  Object.assign(system.pages.next, { outcome: 'PAID', wait: Promise.resolve() })
  system.vault.next.errors = []
  system.pages.asked.length = 0
})
afterAll(() => system.stop())

/** Opens a page in a browser of its own. */
function open(invoice = {}, page = {}): { browser: Browser; path: string } {
  const path = `/checkout/${system.pages.add({ sellerId: system.sellerId, ...invoice }, page)}`
  return { browser: openBrowser(system.url), path }
}

const sealed = () => sealedCard(system)

const pay = async ({ browser, path }: ReturnType<typeof open>, fields: Record<string, string> = {}) => {
  const { text } = await browser.get(path)
  const sent = { ...hiddenOfCard(text), encryptedCard: sealed(), installments: '3', ...fields }
  return browser.post(`${path}/pay`, sent)
}

test('a sealed card pays once, and the page shows it', async () => {
  const page = open()
  const answer = await pay(page)
  expect([answer.status, answer.location]).toEqual([303, page.path])
  expect(system.pages.asked).toMatchObject([{ installments: 3, card: { handle: 'sealed' }, keepCard: false }])
  const { text, headers } = await page.browser.get(page.path)
  expect(readable(text)).toContain('Pagamento recebido')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('a form that is sent twice makes one payment', async () => {
  const { browser, path } = open()
  const { text } = await browser.get(path)
  const fields = { ...hiddenOfCard(text), encryptedCard: sealed(), installments: '1' }
  const answers = await Promise.all([
    browser.post(`${path}/pay`, fields),
    browser.post(`${path}/pay`, fields),
  ])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect((await browser.post(`${path}/pay`, fields)).status).toBe(303)
  const publicId = path.split('/').at(-1) ?? ''
  expect(system.pages.invoice(publicId)?.charge?.transactions).toHaveLength(1)
})

test('a fee that the payer bears is shown with each number of payments', async () => {
  const { browser, path } = open({}, { cardPrices: [10_000, 10_456, 10_600] })
  const text = readable((await browser.get(path)).text)
  expect(text).toContain('R$ 104,56')
  expect(text).toContain('Pagar com cartão')
  expect(text).not.toContain('sem juros')
})

test('an amount that changed since the page was shown is shown again before anything is charged', async () => {
  const page = open()
  const publicId = page.path.split('/').at(-1) ?? ''
  const { text } = await page.browser.get(page.path)
  system.pages.change(publicId, { payableAmount: 10_001 })
  const sent = { ...hiddenOfCard(text), encryptedCard: sealed(), installments: '1' }
  const answer = await page.browser.post(`${page.path}/pay`, sent)
  expect([answer.status, system.pages.asked]).toEqual([409, []])
  expect(readable(answer.text)).toContain('O valor mudou')
  expect(hiddenOfCard(answer.text)['prices']).toBe('10001,10001,10001')
})

test('the card may be charged only the amount that the page showed for the chosen number of payments', async () => {
  await pay(open({}, { cardPrices: [10_000, 10_456, 10_600] }), { installments: '2' })
  expect(system.pages.asked).toMatchObject([{ installments: 2, expectedAmount: 10_456 }])
})

test('a fee that changed since the page was shown is shown again before anything is charged', async () => {
  const page = open({}, { cardPrices: [10_000, 10_456, 10_600] })
  const { text } = await page.browser.get(page.path)
  system.pages.reprice(page.path.split('/').at(-1) ?? '', [10_000, 10_456, 10_700])
  const sent = { ...hiddenOfCard(text), encryptedCard: sealed(), installments: '3' }
  const answer = await page.browser.post(`${page.path}/pay`, sent)
  expect([answer.status, system.pages.asked]).toEqual([409, []])
  expect(readable(answer.text)).toContain('O valor mudou')
  expect(readable(answer.text)).toContain('R$ 107,00')
})

test('an amount that changes between the check of the gateway and the payment is shown again too', async () => {
  const page = open()
  const publicId = page.path.split('/').at(-1) ?? ''
  system.pages.next.outcome = new DomainError('failed_precondition', 'AMOUNT_CHANGED', 'Another.')
  let go = () => {}
  system.pages.next.wait = new Promise((resolve) => (go = resolve))
  const sent = pay(page)
  await eventually(() => expect(system.pages.asked).toHaveLength(1))
  system.pages.change(publicId, { payableAmount: 10_200 })
  go()
  const answer = await sent
  expect(answer.status).toBe(409)
  expect(readable(answer.text)).toContain('O valor mudou')
  expect(readable(answer.text)).toContain('R$ 102,00')
})

test('a card that the page of one invoice sealed pays on that page, and on no other', async () => {
  const [own, other] = [open(), open()]
  const encryptedCard = sealedCard(system, CARD, { invoiceId: own.path.split('/').at(-1) })
  const refused = await pay(other, { encryptedCard })
  expect(refused.status).toBe(422)
  expect(readable(refused.text)).toContain('Digite o cartão de novo')
  expect(system.pages.asked).toEqual([])
  expect((await pay(own, { encryptedCard })).status).toBe(303)
  expect(system.pages.asked).toHaveLength(1)
})

describe('a form is refused, and its card goes no further,', () => {
  test.each([
    ['with an open card number beside the sealed card', { cardNumber: CARD.cardNumber }, 400],
    ['with an open card number in the place of the sealed card', { encryptedCard: CARD.cardNumber }, 422],
    ['without a card', { encryptedCard: '' }, 422],
    ['with a card that the vault can’t open', { encryptedCard: 'a.b.c.d.e' }, 422],
    ['with more installments than are offered', { installments: '4' }, 422],
    ['with no number of installments', { installments: '1e1' }, 422],
    ['without a token of its page', { once: 'x' }, 400],
  ])('%s', async (_name, fields, status) => {
    const page = open()
    const { browser, path } = page
    const { text } = await browser.get(path)
    const hidden = hiddenOfCard(text)
    const sent = { ...hidden, encryptedCard: sealed(), installments: '1', ...fields }
    const answer = await browser.post(`${path}/pay`, sent)
    expect(answer.status).toBe(status)
    expect(system.pages.asked).toEqual([])
    expect(`${answer.text} ${system.logged()}`).not.toContain(CARD.cardNumber)
    expect(system.vault.asked.join(' ')).not.toContain(CARD.cardNumber)
  })

  test.each([
    ['without its token', { formToken: 'x'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from another origin', {}, { origin: 'https://evil.example' }],
  ])('%s', async (_name, fields, headers) => {
    const { browser, path } = open()
    const { text } = await browser.get(path)
    const hidden = hiddenOfCard(text)
    const sent = { ...hidden, encryptedCard: sealed(), installments: '1', ...fields }
    expect((await browser.post(`${path}/pay`, sent, headers)).status).toBe(403)
    expect((await browser.post(`${path}/boleto`, { ...hiddenFields(text), ...fields }, headers)).status).toBe(
      403,
    )
    expect(system.pages.asked).toEqual([])
  })

  test('with the token of another page of the same browser', async () => {
    const { browser, path } = open()
    const other = open()
    expect((await browser.submit(`${path}/pay`, { encryptedCard: sealed() }, other.path)).status).toBe(403)
  })
})

test('a fault of the card that the vault finds stands beside its field', async () => {
  system.vault.next.errors = [{ pointer: '#/card/expiration', code: 'EXPIRED', detail: 'is over' }]
  const { status, text } = await pay(open())
  expect(status).toBe(422)
  expect(text).toMatch(/id="card-expiry"[^>]*aria-invalid="true"/)
  expect(text).toContain('<p class="fault" id="card-expiry-fault">Este cartão está vencido.</p>')
})

test.each([
  ['INVALID_INVOICE_STATE', 'failed_precondition', 303, ''],
  ['PAYMENT_WINDOW_CLOSED', 'failed_precondition', 303, ''],
  ['OUTCOME_UNKNOWN', 'unavailable', 303, ''],
  ['CARD_BRAND_UNSUPPORTED', 'failed_precondition', 422, 'Este cartão não é aceito aqui'],
  ['SERVICE_UNAVAILABLE', 'unavailable', 503, 'Não foi possível continuar agora'],
  ['RATE_LIMITED', 'rate_limited', 429, 'Muitas tentativas'],
] as const)(
  'when paying is refused with %s, the page says how to go on',
  async (reason, kind, status, said) => {
    system.pages.next.outcome = new DomainError(kind, reason, 'Refused.')
    const answer = await pay(open())
    expect(answer.status).toBe(status)
    expect(readable(answer.text)).toContain(said)
  },
)

test('an invoice that is paid, void or expired is not paid again', async () => {
  for (const change of [
    { status: InvoiceStatus.PAID },
    { status: InvoiceStatus.CANCELLED },
    { paymentLimitDate: Date.now() - 86_400_000 },
  ]) {
    const page = open()
    const { text } = await page.browser.get(page.path)
    system.pages.change(page.path.split('/').at(-1) ?? '', change)
    const hidden = hiddenOfCard(text)
    const sent = { ...hidden, encryptedCard: sealed(), installments: '1' }
    expect((await page.browser.post(`${page.path}/pay`, sent)).status).toBe(303)
    expect((await page.browser.post(`${page.path}/boleto`, hiddenFields(text))).status).toBe(303)
  }
  expect(system.pages.asked).toEqual([])
})

test('a boleto is issued once, however often the form is sent', async () => {
  const { browser, path } = open()
  const hidden = hiddenFields((await browser.get(path)).text)
  for (const _time of [1, 2]) {
    const { status, location } = await browser.post(`${path}/boleto?lang=en`, hidden)
    expect([status, location]).toEqual([303, `${path}?lang=en&show=boleto`])
  }
  const { text } = await browser.get(path)
  expect(readable(text)).toContain('00190.50095 40144.816069 06809.350314 3 37370000000100')
  expect(text).toMatch(/href="\/boletos\/[\w-]+\.pdf"/)
})

test('where no boleto is possible, the page says so and shows the form that was sent', async () => {
  const refused = 'PAYMENT_METHOD_NOT_ACCEPTED'
  system.pages.next.refusal = new DomainError('failed_precondition', refused, 'No account.')
  const { browser, path } = open()
  const { status, text } = await browser.post(`${path}/boleto`, hiddenFields((await browser.get(path)).text))
  system.pages.next.refusal = undefined
  expect(status).toBe(422)
  expect(readable(text)).toContain('Esta fatura não pode ser paga com boleto.')
  expect(text).toMatch(/id="method-boleto" checked/)
})

describe('declined cards', () => {
  beforeEach(() => {
    system.pages.next.outcome = 'DECLINED'
  })

  test('are counted for each invoice and each address; paid cards and repeats are not', async () => {
    const page = open()
    for (const _time of [1, 2, 3, 4, 5]) expect((await pay(page)).status).toBe(303)
    const answer = await pay(page)
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, true])
    expect(readable(answer.text)).toContain('Muitas tentativas')
    expect(system.pages.asked).toHaveLength(5)

    system.pages.next.outcome = 'PAID'
    expect((await pay(open())).status).toBe(303)
    expect((await pay(open())).status).toBe(303)
    system.pages.next.outcome = 'DECLINED'
    // The limit of the address is seven.
    expect((await pay(open())).status).toBe(303)
    expect((await pay(open())).status).toBe(303)
    expect((await pay(open())).status).toBe(429)
  })
})
