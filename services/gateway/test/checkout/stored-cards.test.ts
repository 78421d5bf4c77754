import {
  InvoiceCharge,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
} from '@cofre/proto/invoices/v1/invoices'
import { hiddenFields, openBrowser, readable } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout()
})
afterAll(() => system.stop())

const VISA = { brand: 'VISA', lastFour: '1111' }
/** Noon in São Paulo. */
const at = Date.parse('2055-02-06T15:00:00Z')

type Added = Parameters<CheckoutSystem['pages']['add']>

/** Opens a page in a browser of its own. */
function open(invoice: Added[0] = {}, page: Added[1] = {}) {
  const path = `/checkout/${system.pages.add({ sellerId: system.sellerId, ...invoice }, page)}`
  return { browser: openBrowser(system.url), path }
}

async function pageIn(language: string, ...added: Added): Promise<string> {
  const { browser, path } = open(...added)
  return readable((await browser.get(`${path}?lang=${language}`)).text)
}

/** A card was tried. */
function tried(status: InvoiceTransactionStatus): Added[0] {
  const transactions = [{ type: PaymentMethod.CREDIT_CARD, status }]
  return { charge: InvoiceCharge.fromPartial({ transactions }) }
}
const { FAILED, SUCCEEDED } = InvoiceTransactionStatus

test('a stored card that will be charged is named with its day: nobody need pay now', async () => {
  const nextCharge = { at, card: VISA, retry: false }
  expect(await pageIn('en', {}, { nextCharge })).toContain(
    'We will charge your Visa ending in 1111 on 6 February 2055. There is no need to pay now.',
  )
  expect(await pageIn('pt-BR', {}, { nextCharge: { ...nextCharge, card: undefined } })).toContain(
    'Vamos cobrar esta fatura no cartão salvo em 06/02/2055. Não é preciso pagar agora.',
  )
})

test.each<[string, Added[0], Added[1]]>([
  ['while money for the invoice waits for the seller', {}, { waitingAmount: 999 }],
  ['of an invoice that is paid', { status: InvoiceStatus.PAID }, {}],
  ['of an invoice that was voided', { status: InvoiceStatus.CANCELLED }, {}],
])('no charge is announced %s', async (_when, invoice, page) => {
  const nextCharge = { at, card: VISA, retry: false }
  expect(await pageIn('en', invoice, { ...page, nextCharge })).not.toContain('We will charge')
})

test('after a declined automatic charge the page says when and with which card we try again', async () => {
  const page = { triedCard: VISA, nextCharge: { at, card: VISA, retry: true } }
  const english = await pageIn('en', tried(FAILED), page)
  expect(english).toContain(
    'Your Visa ending in 1111 was not charged. We will try again on 6 February 2055 with the same card: you need not do anything. Or pay now with another card.',
  )
  expect(english).not.toContain('We will charge')
  expect(await pageIn('pt-BR', tried(FAILED), page)).toContain(
    'Nada foi cobrado no cartão Visa final 1111. Vamos tentar de novo em 06/02/2055, no mesmo cartão: você não precisa fazer nada.',
  )
  const other = { ...page, nextCharge: { at, card: { brand: 'ELO', lastFour: '0004' }, retry: true } }
  expect(await pageIn('en', tried(FAILED), other)).toContain('with your Elo ending in 0004: you need')
})

test('after the decline of a card that the payer typed the page gives its advice, and announces the stored one', async () => {
  const text = await pageIn('en', tried(FAILED), { nextCharge: { at, card: VISA, retry: false } })
  for (const part of ['You were not charged. Try another card', 'We will charge your Visa ending in 1111']) {
    expect(text).toContain(part)
  }
})

test('a paid invoice names the stored card that paid it, and no card that only tried', async () => {
  const paid = { status: InvoiceStatus.PAID, paymentDate: at }
  expect(await pageIn('en', { ...paid, ...tried(SUCCEEDED) }, { triedCard: VISA })).toContain(
    'Card Visa ending in 1111',
  )
  expect(await pageIn('en', { ...paid, ...tried(FAILED) }, { triedCard: VISA })).not.toContain('Visa')
})

test.each([
  ['can be paid', InvoiceStatus.CLOSED],
  ['is paid', InvoiceStatus.PAID],
])(
  'the payer of an invoice that %s is asked, removes the stored card, and is told which',
  async (_what, status) => {
    const { browser, path } = open({ status }, { hasKeptCard: true, keptCards: [VISA] })
    const remove = `${path}/remove-card`
    const { text } = await browser.get(path)
    expect(readable(text)).toContain('Salvo para cobranças automáticas: Visa final 1111.')
    expect(text).toContain(`href="${remove}"`)
    const asked = await browser.get(remove)
    for (const part of [
      'Não vamos mais fazer cobranças automáticas no cartão Visa final 1111.',
      'Sim, remover',
    ]) {
      expect(readable(asked.text)).toContain(part)
    }
    expect(readable((await browser.get(path)).text)).toContain('Visa final 1111')
    const stranger = await openBrowser(system.url).post(remove, hiddenFields(asked.text))
    expect(stranger.status).toBe(403)
    const { text: told, ...answer } = await browser.post(remove, hiddenFields(asked.text))
    expect(answer.status).toBe(200)
    for (const part of [
      'Cartão salvo removido',
      'Não faremos mais cobranças automáticas no cartão Visa final 1111.',
      'Suas próximas faturas vão chegar por e\u2011mail',
      status === InvoiceStatus.PAID ? 'Voltar para a fatura' : 'Pagar esta fatura',
    ]) {
      expect(readable(told)).toContain(part)
    }
    expect(readable((await browser.get(path)).text)).not.toMatch(/Visa|cartão salvo/i)
    for (const again of [await browser.get(remove), await browser.post(remove, hiddenFields(asked.text))]) {
      expect([again.status, again.location]).toEqual([303, path])
    }
  },
)

test('stored cards are removed together; a payer without an e-mail address asks for the links', async () => {
  const customer = { id: 5, name: 'Ana', document: '12345678909', email: '' }
  const cards = { hasKeptCard: true, keptCards: [VISA, { brand: '', lastFour: '0004' }] }
  const { browser, path } = open({ customer }, cards)
  const { text } = await browser.get(`${path}/remove-card?lang=en`)
  expect(readable(text)).toContain('your Visa ending in 1111 and card ending in 0004')
  expect(readable(text)).toContain('Ask the seller for the links of your next invoices')
})
