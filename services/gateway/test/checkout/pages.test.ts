import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import {
  AcceptedMethod,
  InvoiceCharge,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
} from '@cofre/proto/invoices/v1/invoices'
import { Theme } from '@cofre/proto/invoices/v1/themes'
import { boletoOf } from '@cofre/testing/stand-ins/checkout/payment-pages'
import { pixOf } from '@cofre/testing/stand-ins/invoices/pix'
import { openBrowser, readable } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout()
})
afterAll(() => system.stop())

type Added = Parameters<CheckoutSystem['pages']['add']>
const add = (invoice: Added[0] = {}, rest: Added[1] = {}) =>
  `/checkout/${system.pages.add({ sellerId: system.sellerId, ...invoice }, rest)}`
const get = (path: string) => openBrowser(system.url).get(path)

test('the address names the ask that is shown first, also when another is newer', async () => {
  const acceptedMethods = [PaymentMethod.BOLETO, PaymentMethod.PIX].map((method) =>
    AcceptedMethod.fromPartial({ method }),
  )
  const boleto = boletoOf(10_000)
  const path = add({ acceptedMethods }, { boleto, pix: pixOf({ createdAt: boleto.createdAt + 1 }) })
  const shown = async (query: string) =>
    / id="method-(\w+)" checked/.exec((await get(`${path}${query}`)).text)?.[1]
  expect([await shown(''), await shown('?show=boleto'), await shown('?show=card')]).toEqual([
    'pix',
    'boleto',
    'pix',
  ])
})

/** The cards that were tried, in this order. */
const tried = (...statuses: InvoiceTransactionStatus[]) => {
  const transactions = statuses.map((status) => ({ type: PaymentMethod.CREDIT_CARD, status }))
  return { charge: InvoiceCharge.fromPartial({ transactions }) }
}
const { FAILED, PENDING } = InvoiceTransactionStatus

test('after a decline the card is shown, though the invoice names another method first', async () => {
  const acceptedMethods = [PaymentMethod.PIX, PaymentMethod.CREDIT_CARD].map((method) =>
    AcceptedMethod.fromPartial({ method }),
  )
  const shown = async (invoice: Added[0]) =>
    / id="method-(\w+)" checked/.exec((await get(add({ acceptedMethods, ...invoice }))).text)?.[1]
  expect([await shown({}), await shown(tried(FAILED))]).toEqual(['pix', 'card'])
})

test('a part that was paid, what is left, and money that waits are on the page', async () => {
  const partly = add({ paidAmount: 4_000, payableAmount: 6_000 }, { waitingAmount: 999 })
  const text = readable((await get(`${partly}?lang=pt-BR`)).text)
  for (const part of ['Falta pagar R$ 60,00', 'Já pago R$ 40,00', 'Recebemos R$ 9,99, mas esse valor']) {
    expect(text).toContain(part)
  }
  expect(readable((await get(add())).text)).not.toMatch(/Already paid|We received/)
})

test.each([
  ['PAYABLE', {}, {}, 'How would you like to pay?'],
  ['PAYABLE', { status: InvoiceStatus.OPEN }, {}, 'How would you like to pay?'],
  ['PAYABLE', { status: InvoiceStatus.UNCOLLECTIBLE }, {}, 'How would you like to pay?'],
  ['PAYABLE', { pastDue: true }, {}, 'Past due'],
  ['PAYABLE', tried(FAILED), {}, 'Payment not approved You were not charged.'],
  [
    'PAYABLE',
    {},
    { boleto: boletoOf(10_000, BoletoStatus.REFUSED) },
    'The bank did not register the boleto.',
  ],
  ['PAYABLE', {}, { boleto: boletoOf(10_000, BoletoStatus.EXPIRED) }, 'Create boleto'],
  ['CONFIRMING', tried(PENDING), {}, 'Confirming your payment'],
  ['CONFIRMING', tried(FAILED, PENDING), {}, 'Confirming your payment'],
  ['CONFIRMING', {}, { boleto: boletoOf(10_000, BoletoStatus.PAID) }, 'Confirming your payment'],
  ['PAYABLE', { paidAmount: 5_000 }, { boleto: boletoOf(5_000, BoletoStatus.PAID) }, 'Create boleto'],
  ['ASK_REQUESTED', {}, { boleto: boletoOf(10_000, BoletoStatus.PENDING) }, 'Registering your boleto'],
  ['ASK_OPEN', {}, { boleto: boletoOf(10_000) }, 'Your boleto is ready'],
  ['PAID', { status: InvoiceStatus.PAID, paidAmount: 10_000 }, {}, 'Payment received'],
  ['VOID', { status: InvoiceStatus.CANCELLED }, {}, 'This invoice was canceled'],
  ['EXPIRED', { paymentLimitDate: 1 }, {}, 'This invoice has expired'],
  ['PAYABLE', { payableAmount: 0 }, {}, 'There is nothing to pay'],
])('%s is shown on the page, and answered to its script: %j %#', async (status, invoice, rest, said) => {
  const path = add(invoice, rest)
  const page = await get(`${path}?lang=en`)
  expect(page.status).toBe(200)
  expect(readable(page.text)).toContain(said)
  const state = await get(`${path}/state`)
  expect(JSON.parse(state.text)).toEqual({
    status,
    now: expect.any(Number),
    sellerId: expect.any(Number),
    invoiceId: path.split('/').at(-1),
  })
  expect(state.headers.get('cache-control')).toBe('no-store')
})

test('the page is compressed for a browser that takes it, and never stored', async () => {
  const path = add()
  const pages = ['br', 'gzip', 'identity'].map((encoding) =>
    fetch(system.url + path, { headers: { 'accept-encoding': encoding, 'accept-language': 'en' } }),
  )
  for (const [at, page] of (await Promise.all(pages)).entries()) {
    expect(page.headers.get('content-encoding')).toBe(['br', 'gzip', null][at])
    expect(page.headers.get('vary')).toBe('Accept-Language, Accept-Encoding')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await page.text()).toContain('How would you like to pay?')
  }
})

test('the answer to a form, which shows again what was sent, is not compressed', async () => {
  const browser = openBrowser(system.url)
  const path = add()
  const answer = await browser.submit(
    `${path}/pay`,
    { encryptedCard: '', installments: '1', prices: '' },
    path,
  )
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.text).toContain('</html>')
  expect(answer.headers.get('content-encoding')).toBeNull()
})

test('installments show their amounts: the first includes the remainder', async () => {
  const { text } = await get(`${add()}?lang=en`)
  expect(readable(text)).toContain(
    'In full: R$ 100.00 2 × R$ 50.00 interest-free 3 × R$ 33.33 interest-free (first R$ 33.34)',
  )
})

test('no installment is less than a cent', async () => {
  const { text } = await get(`${add({ payableAmount: 2 })}?lang=en`)
  expect([...text.matchAll(/<option value="(\d+)"/g)].map(([, value]) => value)).toEqual(['1', '2'])
})

test('fine and interest are lines of their own', async () => {
  const { text } = await get(`${add({ fineAmount: 200, interestAmount: 30, payableAmount: 10_230 })}?lang=en`)
  expect(readable(text)).toContain('Subtotal R$ 100.00 Fine R$ 2.00 Interest R$ 0.30')
  expect(readable(text)).toContain('Pay R$ 102.30')
})

test('a discount is a line of its own, with its last day; a receipt shows what it took off', async () => {
  const until = { discountAmount: 500, discountUntil: Date.parse('2027-03-05T00:00:00-03:00') }
  const early = add({ ...until, payableAmount: 9_500 })
  const english = readable((await get(`${early}?lang=en`)).text)
  expect(english).toContain('Subtotal R$ 100.00 Discount until 5 March 2027 R$ 5.00')
  expect(english).toContain('Pay R$ 95.00')
  expect(readable((await get(`${early}?lang=pt-BR`)).text)).toContain('Desconto até 05/03/2027 R$ 5,00')
  const paid = add({ status: InvoiceStatus.PAID, paidAmount: 9_500, writtenOffAmount: 500, payableAmount: 0 })
  expect(readable((await get(`${paid}?lang=en`)).text)).toContain('Subtotal R$ 100.00 Reduction R$ 5.00')
})

test('a page offers the payment methods that the invoice accepts, and no other', async () => {
  const [card, boleto] = [PaymentMethod.CREDIT_CARD, PaymentMethod.BOLETO].map((method) =>
    AcceptedMethod.fromPartial({ method }),
  )
  const only = async (accepted: typeof card) => {
    const { text } = await get(add({ acceptedMethods: accepted ? [accepted] : [] }))
    return [text.includes('id="card-form"'), text.includes('/boleto"')]
  }
  expect(await only(card)).toEqual([true, false])
  expect(await only(boleto)).toEqual([false, true])
  expect(await only(undefined)).toEqual([false, false])
})

test.each([
  ['pt-BR,pt;q=0.9', '', 'pt-BR'],
  ['en-US', '', 'en'],
  ['de', '', 'en'],
  ['en-US', '?lang=pt-BR', 'pt-BR'],
  ['pt-BR', '?lang=en', 'en'],
  ['pt-BR', '?lang=fr', 'pt-BR'],
])('a browser that prefers %s at the address %j reads %s', async (prefers, query, language) => {
  const answer = await fetch(`${system.url}${add()}${query}`, { headers: { 'accept-language': prefers } })
  expect(answer.headers.get('content-language')).toBe(language)
  expect(await answer.text()).toContain(`<html lang="${language}">`)
})

test('an address that is malformed looks like an unknown page, and is counted', async () => {
  const answers = await Promise.all(
    [
      '/checkout/x',
      '/checkout/aaaaaaaaaaaaaaaaaaaaaa',
      `/checkout/${'a'.repeat(90)}`,
      '/checkout/%ff',
      '/checkout',
    ].map(get),
  )
  const shown = answers.map(({ status, text }) => [status, text.replaceAll(/nonce="[^"]*"/g, '')])
  expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(shown[0]?.[0]).toBe(404)
  expect(answers[0]?.headers.get('ratelimit-policy')).toMatch(/^"address"/)
})

test('a page may load only its own parts and the logo of its seller', async () => {
  const theme = Theme.fromPartial({ fields: { logoUrl: 'https://cdn.example.com/a;b/logo.png?v=1' } })
  const { headers, text } = await get(add({}, { theme }))
  const policy = headers.get('content-security-policy') ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  expect(policy.replaceAll(nonce ?? '-', 'N').split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'nonce-N'",
    "style-src 'nonce-N'",
    "img-src 'self' https://cdn.example.com/a%3Bb/logo.png",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(text).toMatch(/<script nonce="[^"]+" src="[^"]+" integrity="sha384-[^"]+" defer>/)
  expect(text).toContain('alt="Ateliê da Ana"')
})

test('an invalid color of a theme reaches no style', async () => {
  const theme = Theme.fromPartial({ fields: { primaryColor: 'red;}</style>', bodyText: '#FFFFFFF' } })
  const { text } = await get(add({}, { theme }))
  expect(text).not.toContain('red;')
  expect(text).not.toContain('#FFFFFFF;')
})

test('text of a seller is shown as text, and an address that is not a web address is no link', async () => {
  const items = [
    {
      id: 1,
      productId: 1,
      description: '<script>x</script>',
      quantity: 1,
      unitPriceInCents: 1,
      totalInCents: 1,
    },
  ]
  const paid = { status: InvoiceStatus.PAID, successUrl: 'javascript:alert(1)', items }
  const { text } = await get(add(paid))
  expect(text).toContain('&lt;script&gt;x&lt;/script&gt;')
  expect(text).not.toContain('javascript:')
})

test('the page shows neither the document nor the e-mail of the payer', async () => {
  const { text } = await get(add())
  expect(text).not.toContain('12345678909')
  expect(text).not.toContain('ana@example.com')
})

test('the page gets the brands with the prefixes that the platform team assigned before all others', async () => {
  const { text } = await get(add())
  const [, brands = ''] = /data-brands="([^"]*)"/.exec(text) ?? []
  const [first, ...others] = JSON.parse(brands.replaceAll('&quot;', '"'))
  expect(first).toEqual({ brand: 'ELO', ranges: [[65_060_000, 65_060_099]] })
  expect(others.map(({ brand }: { brand: string }) => brand)).toEqual(expect.arrayContaining(['VISA', 'ELO']))
})
