import {
  Invoice,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
} from '@cofre/proto/invoices/v1/invoices'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { ChargeAction, DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { hiddenFields, openBrowser, readable, type Browser } from '../browser'
import { captured } from '../charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number

beforeAll(async () => {
  system = await startPortal()
  ;({ sellerId } = await system.makeSeller())
  browser = openBrowser(system.url)
  await browser.signIn(await system.addPerson(sellerId, 'SUPPORT'), PASSWORD)
})
afterAll(() => system.stop())
beforeEach(() => {
  system.behind.down = false
  system.behind.downFor = undefined
})

const words = async (path: string) =>
  readable((await browser.get(`/portal${path}`)).text).replaceAll('\u00a0', ' ')

const dispute = (changes = {}) => system.behind.orders.disputes.open(sellerId, { chargeId: 981, ...changes })

function invoiceOf(chargeId: number): Invoice {
  return Invoice.fromPartial({
    id: 77,
    sellerId,
    invoiceNumber: '000077',
    status: InvoiceStatus.PAID,
    customer: { id: 7, name: 'Ana Souza', document: '52998224725' },
    charge: {
      status: InvoiceChargeStatus.PAID,
      transactions: [
        {
          id: 1,
          type: PaymentMethod.CREDIT_CARD,
          status: InvoiceTransactionStatus.SUCCEEDED,
          chargeId,
        },
      ],
    },
  })
}

test('a charge of an invoice leads to the invoice and to the customer', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, metadata: { invoiceId: 77 } })]
  system.behind.invoices.invoices.set(77, invoiceOf(981))
  const { text } = await browser.get('/portal/charges/981')
  expect(text).toContain('<a href="/portal/customers/7">Ana Souza</a>')
  expect(text).toContain('<a href="/portal/invoices/77">000077</a>')
})

test('metadata that name an invoice lead nowhere unless the invoice knows the charge', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, metadata: { invoiceId: 77 } })]
  for (const invoice of [invoiceOf(5), { ...invoiceOf(981), sellerId: sellerId + 1 }]) {
    system.behind.invoices.invoices.set(77, invoice)
    const { status, text } = await browser.get('/portal/charges/981')
    expect([status, text.includes('/portal/invoices/77')]).toEqual([200, false])
  }
})

test('a charge is shown while invoices does not answer', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, metadata: { invoiceId: 77 } })]
  system.behind.downFor = 'getInvoice'
  expect(await words('/charges/981')).toContain('invoiceId 77')
})

test('a customer’s page lists the newest invoices', async () => {
  await browser.submit('/portal/customers/new', { name: 'Ana Souza', document: '52998224725' })
  const [customer] = [...system.behind.invoices.customers.values()].filter(
    (each) => each.sellerId === sellerId,
  )
  system.behind.invoices.invoices.set(77, invoiceOf(981))
  expect((await browser.get(`/portal/customers/${customer?.id}`)).text).toContain(
    '<a href="/portal/invoices/77">000077</a>',
  )
  expect(system.behind.invoices.asked.invoices.list.at(-1)).toMatchObject({
    document: '52998224725',
    size: 10,
  })
})

test('a disputed charge says so in the list, at its top and in its timeline, and leads to the dispute', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, disputedAmount: 10_000, allowedActions: [] })]
  const { id } = dispute()
  expect(await words('/charges')).toContain('Charged back')
  const { text } = await browser.get('/portal/charges/981')
  expect(text).toContain(`<a href="/portal/disputes/${id}">Dispute ${id}</a>`)
  const page = await words('/charges/981')
  expect(page).toContain('Do not refund it: the customer would get it twice.')
  expect(page).toContain(`Dispute ${id} R$ 100,00 Needs your answer`)
})

test('a charge whose dispute was won is no warning, and keeps it in the timeline', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, allowedActions: [ChargeAction.REFUND] })]
  system.behind.orders.disputes.disputes.clear()
  const { id } = dispute({ status: DisputeStatus.WON, withdrawnAmount: 0 })
  const page = await words('/charges/981')
  expect(page).not.toContain('The card holder disputed this charge.')
  expect(page).toContain(`Dispute ${id} R$ 100,00 Won`)
})

test('a dispute says what happened and what to send, and the way to keep the money stands out', async () => {
  const { id } = dispute()
  const { text } = await browser.get(`/portal/disputes/${id}`)
  expect(readable(text)).toContain('If the sale is right, defend it: send one file with the proof')
  expect(readable(text)).toContain('Do not refund the charge as well')
  expect(text).toContain(`<a class="button " href="/portal/disputes/${id}/evidence">Defend the sale</a>`)
  expect(text).toContain(
    `<a class="button plain" href="/portal/disputes/${id}/accept">Accept the dispute</a>`,
  )
})

test('a refund has a number and a day to tell the customer, and a second one is warned of', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, allowedActions: [ChargeAction.REFUND] })]
  const form = '/portal/charges/981/refund'
  expect(await words('/charges/981/refund')).toContain('For a part, type less.')
  expect(await words('/charges/981/refund')).not.toContain('Look before you refund again')
  expect(await browser.submit(form, { amount: '1,00' })).toMatchObject({ status: 303 })
  const id = system.behind.charges[0]?.transactions.at(-1)?.id
  const page = await words('/charges/981')
  expect(page).toContain(`The refund was sent to the acquirer. Its number is ${id}.`)
  expect(page).toContain('on this statement of the card or on the next one')
  expect(page).toContain(`number ${id}`)
  expect(await words('/charges/981/refund')).toContain(
    'Look before you refund again: R$ 1,00 was refunded at',
  )
})

test('an invoice shows the bank’s ids of a Pix and of its return', async () => {
  const acceptedMethods = [{ method: PaymentMethod.PIX }]
  const charge = {
    status: InvoiceChargeStatus.PAID,
    transactions: [1, 2].map((id) => ({
      id,
      type: PaymentMethod.PIX,
      status: InvoiceTransactionStatus.SUCCEEDED,
    })),
  }
  const paid = Invoice.fromPartial({ ...invoiceOf(981), paidAmount: 10_000, acceptedMethods, charge })
  system.behind.invoices.invoices.set(77, paid)
  const typed = { amountInCents: '1,00', endToEndId: 'E9999900820260709121500f3a91c07b' }
  expect(await browser.submit('/portal/invoices/77/refund', typed)).toMatchObject({ status: 303 })
  const page = await words('/invoices/77')
  expect(page).toContain('Pix, E9999900820260709121500f3a91c07b')
  expect(page).toContain('E9999900820260709121500f3a91c07b 6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a')
})

test('an attempt to pay an invoice names its card; another charge with its number does not count', async () => {
  system.behind.invoices.invoices.set(77, invoiceOf(981))
  system.behind.charges = [
    captured({ id: 981, sellerId, orderReference: '000077' }),
    captured({ id: 982, sellerId, orderReference: '000077' }),
  ]
  expect(await words('/invoices/77')).toContain('Visa •••• 1111 Done')
  system.behind.invoices.invoices.set(77, invoiceOf(5))
  expect(await words('/invoices/77')).not.toContain('•••• 1111')
})

test.each([
  ['four within an hour', 4, InvoiceStatus.CLOSED, true],
  ['three', 3, InvoiceStatus.CLOSED, false],
  ['four before it was paid', 4, InvoiceStatus.PAID, false],
])(
  'of an invoice whose cards were declined, %s: the page tells of the wait',
  async (_name, count, status, tells) => {
    const transactions = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      type: PaymentMethod.CREDIT_CARD,
      status: InvoiceTransactionStatus.FAILED,
      decline: { code: 'DO_NOT_HONOR', acquirerCode: '05', message: 'No.', advice: DeclineAdvice.TRY_LATER },
      createdAt: index * 60_000,
    }))
    const charge = { status: InvoiceChargeStatus.PENDING, transactions }
    system.behind.invoices.invoices.set(77, Invoice.fromPartial({ ...invoiceOf(5), status, charge }))
    const page = await words('/invoices/77')
    expect(page).toContain('The issuer said no without a reason')
    expect(page.includes('Several cards were declined within an hour.')).toBe(tells)
  },
)

test('an invoice that was sent says to which address', async () => {
  const customer = { id: 7, name: 'Ana Souza', document: '52998224725', email: 'ana@example.com' }
  system.behind.invoices.invoices.set(77, Invoice.fromPartial({ ...invoiceOf(981), customer }))
  await browser.submit('/portal/invoices/77/send', { language: 'pt-BR' })
  expect(await words('/invoices/77')).toMatch(/The e-mail is on its way to \S+@\S+\./)
})

test('an answered dispute says who decides, calmly', async () => {
  const { id } = dispute({ status: DisputeStatus.UNDER_REVIEW })
  const { text } = await browser.get(`/portal/disputes/${id}`)
  expect(text).toContain('<div class="decline calm">')
  expect(readable(text)).toContain('on its way to the card’s bank, which decides')
  expect(text).not.toContain('/evidence"')
})

describe('evidence of a kind that the acquirer does not take is refused at the field', () => {
  const send = async (id: number, file?: File) => {
    const path = `/portal/disputes/${id}/evidence`
    const form = new FormData()
    for (const [name, value] of Object.entries(hiddenFields((await browser.get(path)).text)))
      form.set(name, value)
    form.set('reason', 'Entregue e assinado.')
    form.set('file', file ?? new File([], ''))
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(system.url + path, {
      method: 'POST',
      body: form,
      headers: { cookie },
      redirect: 'manual',
    })
    return { status: answer.status, text: await answer.text() }
  }

  test.each([
    ['no file', undefined, 'Choose a file.'],
    ['a text', new File(['hello'], 'a.txt', { type: 'text/plain' }), 'Send a PDF, a JPEG or a TIFF.'],
    ['a PNG', new File(['\u0089PNG'], 'a.png', { type: 'image/png' }), 'Send a PDF, a JPEG or a TIFF.'],
  ])('%s', async (_name, file, said) => {
    const { id } = dispute()
    const { status, text } = await send(id, file)
    expect([status, /id="file-fault">([^<]*)</.exec(text)?.[1]]).toEqual([422, said])
    expect(text).toContain('value="Entregue e assinado."')
    expect(text).toContain('accept="application/pdf,image/jpeg,image/tiff"')
    expect(system.behind.orders.disputes.disputes.get(id)?.status).toBe(DisputeStatus.NEEDS_RESPONSE)
  })

  test('a PDF is sent', async () => {
    const { id } = dispute()
    const { status } = await send(id, new File(['%PDF-1.4\n'], 'a.pdf', { type: 'application/pdf' }))
    expect([status, system.behind.orders.disputes.disputes.get(id)?.evidence?.fileName]).toEqual([
      303,
      'a.pdf',
    ])
  })
})
