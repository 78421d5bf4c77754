import { describeInChromium, faultsOf, openWindow, startChromium } from '../journeys/chromium'
import { boletoOf } from '@cofre/testing/stand-ins/checkout/payment-pages'
import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import {
  AcceptedMethod,
  InvoiceCharge,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { PixStatus } from '@cofre/proto/invoices/v1/pix'
import { pixOf } from '@cofre/testing/stand-ins/invoices/pix'
import { Theme } from '@cofre/proto/invoices/v1/themes'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import type { Browser } from 'playwright-core'
import { startCheckout, type CheckoutSystem } from '../../services/gateway/test/checkout/checkout-system'

const themed = (fields: object) => ({ theme: Theme.fromPartial({ fields }) })
const GREEN = themed({ primaryColor: '#0B7A4B', headerBackground: '#0B7A4B', headerText: '#FFFFFF' })
/** Unreadable as given: texts as pale as their backgrounds. */
const PALE = themed({
  primaryColor: '#FFE500',
  secondaryColor: '#DDDDDD',
  headerBackground: '#FFF3B0',
  headerText: '#FFFFFF',
  bodyBackground: '#FFFDE7',
  bodyText: '#EEEEEE',
})
const DARK = themed({
  primaryColor: '#7C4DFF',
  headerBackground: '#000',
  headerText: '#FFF',
  bodyBackground: '#111',
  bodyText: '#EEE',
})

const tried = (status: InvoiceTransactionStatus) =>
  InvoiceCharge.fromPartial({
    transactions: [
      { type: PaymentMethod.CREDIT_CARD, status, decline: { advice: DeclineAdvice.USE_ANOTHER_CARD } },
    ],
  })
const many = Array.from({ length: 7 }, (_, at) => ({
  id: at + 1,
  productId: at + 1,
  description: `Consultoria técnica especializada em integração de meios de pagamento, etapa ${at + 1}`,
  quantity: 1,
  unitPriceInCents: 123_456,
  totalInCents: 123_456,
}))

const { CREDIT_CARD, BOLETO, PIX } = PaymentMethod
const THREE = [CREDIT_CARD, BOLETO, PIX].map((method) => AcceptedMethod.fromPartial({ method }))
const DAY_MS = 86_400_000

const LOOKS: [name: string, invoice: Partial<Invoice>, rest: Partial<PaymentPage>][] = [
  ['payable', {}, {}],
  ['green', {}, GREEN],
  ['pale', {}, PALE],
  ['dark', {}, DARK],
  ['past-due', { pastDue: true, payableAmount: 10_230, fineAmount: 200, interestAmount: 30 }, {}],
  ['long', { items: many, amount: 864_192, payableAmount: 864_192 }, GREEN],
  ['declined', { charge: tried(InvoiceTransactionStatus.FAILED) }, {}],
  ['confirming', { charge: tried(InvoiceTransactionStatus.PENDING) }, GREEN],
  ['boleto-requested', {}, { boleto: boletoOf(10_000, BoletoStatus.PENDING) }],
  ['boleto-open', {}, { boleto: boletoOf(10_000) }],
  ['methods', { acceptedMethods: THREE }, {}],
  ['pix-open', { acceptedMethods: THREE }, { pix: pixOf({ expiresAt: Date.now() + 5 * DAY_MS }) }],
  ['pix-today', { acceptedMethods: THREE }, { ...GREEN, pix: pixOf({ expiresAt: Date.now() + DAY_MS / 4 }) }],
  ['pix-requested', { acceptedMethods: THREE }, { pix: pixOf({ status: PixStatus.PENDING }) }],
  [
    'paid',
    {
      status: InvoiceStatus.PAID,
      paidAmount: 10_230,
      payableAmount: 0,
      paymentDate: 1_767_225_600_000,
      successUrl: 'https://shop.example.com/thanks',
    },
    GREEN,
  ],
  ['void', { status: InvoiceStatus.CANCELLED, payableAmount: 0 }, {}],
  ['expired', { paymentLimitDate: 1_767_225_600_000 }, {}],
]

describeInChromium('the looks of the checkout', () => {
  let system: CheckoutSystem
  let browser: Browser
  beforeAll(async () => {
    system = await startCheckout()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await system.stop()
  })

  test.each(LOOKS)('%s is free of faults, light and dark, in both languages', async (name, invoice, rest) => {
    const publicId = system.pages.add({ sellerId: system.sellerId, ...invoice }, rest)
    const page = await openWindow(browser, 'pt-BR')
    const broken: string[] = []
    page.on('console', (message) => broken.push(message.text()))
    page.on('pageerror', (error) => broken.push(String(error)))
    const faults: string[] = []
    for (const lang of ['pt-BR', 'en']) {
      await page.goto(`${system.url}/checkout/${publicId}?lang=${lang}`)
      faults.push(...(await faultsOf(page, `checkout-${name}-${lang}`)))
    }
    expect([...faults, ...broken]).toEqual([])
  })

  test('the page of an unknown invoice is free of faults', async () => {
    const page = await openWindow(browser, 'pt-BR')
    await page.goto(`${system.url}/checkout/nothing-is-here-at-all`)
    expect(await faultsOf(page, 'checkout-not-found')).toEqual([])
  })
})
