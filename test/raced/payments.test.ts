import { encryptorOf, type Encrypt } from '../probed/send-canaries'
import { hiddenFields, openBrowser } from '../../services/gateway/test/portal/browser'
import { INVOICES, invoiceOf, listen, move, newInvoice, newShop, write, type Shop } from '../journeys/shop'
import { type Answer, cardFields, discard, startSystem, type System } from '../journeys/system'
import { cardEndingIn } from '../killed/cards'
import { drawn } from '@cofre/testing/random'
import { checkBooks } from './paid-books'

const MANY = 20
const [APPROVED, ANSWER_LOST] = [1, 9]
/** High limits: a test sends many requests at once. */
const PATIENT = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000', ANONYMOUS_BURST: '10000' }
const INBOX = 'raced-payments'
/** The refusals of a request that comes too late: the invoice is paid, or is being paid. */
const PAID_ALREADY = '422 INVALID_INVOICE_STATE'
const LATE = [PAID_ALREADY, '409 PAYMENT_PENDING']
const CLOSED = '422 PAYMENT_WINDOW_CLOSED'
const RACED_MS = 300_000

let system: System
let shop: Shop
let encrypt: Encrypt
const numbers = drawn('cards that are raced for invoices')
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (_name, settings) => ({ ...settings, ...PATIENT }) })
  shop = await newShop(system)
  await listen(system, INBOX)
  encrypt = await encryptorOf({
    ask: async (method, path) => {
      const { status, headers, body } = await system.api(method, path, { token: null })
      return { status, headers, text: JSON.stringify(body) }
    },
  })
})
afterAll(async () => {
  await discard(system)
})

const bill = (changes: object = {}) => newInvoice(system, invoiceOf(shop, changes))
const bills = (changes: object = {}) => Promise.all(Array.from({ length: MANY }, () => bill(changes)))
const card = (digit: number) => ({ ...cardFields(cardEndingIn(digit, numbers)), cvv: '123' })

/** Sends one payment under a key of its own; repeats it when a busy machine turns it away. */
const pay = (id: number, digit = APPROVED) =>
  write(system, 'POST', `${INVOICES}/${id}/credit-card/pay`, { body: { card: card(digit) } })
const issue = (id: number) => write(system, 'POST', `${INVOICES}/${id}/boleto`)
const payAtBank = (line: string) => system.sandbox('POST', `/boletos/${line}/pay`)

const nameOf = ({ status, body }: Answer) => `${status} ${status < 400 ? body.status : body.code}`

async function issued(id: number): Promise<string> {
  const { status, body } = await issue(id)
  expect([status, body.status]).toEqual([201, 'REGISTERED'])
  return body.digitableLine
}

test(
  'of many card payments of one invoice at once, one succeeds, and the acquirer charges once',
  async () => {
    const { id } = await bill()
    const names = (await Promise.all(Array.from({ length: MANY }, () => pay(id)))).map(nameOf)
    expect(names.filter((name) => name === '201 PAID')).toHaveLength(1)
    expect(names.filter((name) => name !== '201 PAID' && !LATE.includes(name))).toEqual([])
    expect(await checkBooks(system, INBOX, id)).toBe('PAID')
  },
  RACED_MS,
)

test(
  'two card payments of each of many invoices, some without an answer: each invoice is paid once',
  async () => {
    const invoices = await bills()
    const answers = await Promise.all(
      invoices.map(({ id }, nth) => Promise.all([pay(id, nth % 2 ? ANSWER_LOST : APPROVED), pay(id)])),
    )
    const names = answers.flat().map(nameOf)
    expect(names.filter((name) => !['201 PAID', '201 PENDING', ...LATE].includes(name))).toEqual([])
    for (const { id } of invoices) expect(await checkBooks(system, INBOX, id)).toBe('PAID')
  },
  RACED_MS,
)

test(
  'card against boleto: one pays the invoice, the other’s money goes back or waits for a person',
  async () => {
    const invoices = await bills()
    const lines = await Promise.all(invoices.map(({ id }) => issued(id)))
    await Promise.all(
      invoices.map(({ id }, nth) =>
        Promise.all([pay(id, nth % 2 ? ANSWER_LOST : APPROVED), payAtBank(lines[nth] ?? '')]),
      ),
    )
    for (const [nth, { id }] of invoices.entries()) {
      expect(await checkBooks(system, INBOX, id, [lines[nth] ?? ''])).toBe('PAID')
    }
  },
  RACED_MS,
)

test(
  'a card against a boleto that is just being issued: nobody can pay the invoice a second time',
  async () => {
    const invoices = await bills()
    const slips = await Promise.all(
      invoices.map(async ({ id }) => {
        const [, { status, body }] = await Promise.all([pay(id), issue(id)])
        if (status !== 201) expect(LATE).toContain(`${status} ${body.code}`)
        return status === 201 ? [body.digitableLine as string] : []
      }),
    )
    for (const [nth, { id }] of invoices.entries()) {
      expect(await checkBooks(system, INBOX, id, slips[nth])).toBe('PAID')
    }
  },
  RACED_MS,
)

test(
  'pay against void: the invoice is paid, or cancelled and nothing is charged',
  async () => {
    const invoices = await bills()
    const raced = await Promise.all(
      invoices.map(({ id }, nth) =>
        Promise.all([pay(id, nth % 4 ? APPROVED : ANSWER_LOST), move(system, id, 'void')]),
      ),
    )
    for (const [nth, { id }] of invoices.entries()) {
      const [paid, voided] = (raced[nth] ?? []).map(nameOf)
      const isVoided = voided === '200 CANCELLED'
      if (isVoided) expect(paid).toBe('422 INVALID_INVOICE_STATE')
      else
        expect(
          [['201 PAID', '201 PENDING'], LATE].map((all, at) => all.includes([paid, voided][at] ?? '')),
        ).toEqual([true, true])
      expect(await checkBooks(system, INBOX, id)).toBe(isVoided ? 'CANCELLED' : 'PAID')
    }
  },
  RACED_MS,
)

test(
  'boleto against void: the invoice is paid, or cancelled and the money waits for a person',
  async () => {
    const invoices = await bills()
    const lines = await Promise.all(invoices.map(({ id }) => issued(id)))
    const voided = await Promise.all(
      invoices.map(async ({ id }, nth) => {
        const [answer] = await Promise.all([move(system, id, 'void'), payAtBank(lines[nth] ?? '')])
        return nameOf(answer)
      }),
    )
    for (const [nth, { id }] of invoices.entries()) {
      const status = await checkBooks(system, INBOX, id, [lines[nth] ?? ''])
      expect([voided[nth], status]).toEqual(
        status === 'PAID' ? ['422 INVALID_INVOICE_STATE', 'PAID'] : ['200 CANCELLED', 'CANCELLED'],
      )
    }
  },
  RACED_MS,
)

test(
  'pay against paymentLimitDate: its day is taken whole, and the day after charges nothing',
  async () => {
    const today = Date.now()
    const yesterday = today - 86_400_000
    for (const [limit, isOpen] of [
      [today, true],
      [yesterday, false],
    ] as const) {
      for (const { id } of await bills({ dueDate: limit, paymentLimitDate: limit })) {
        const names = (await Promise.all([pay(id), pay(id)])).map(nameOf)
        if (isOpen) expect(names).toContain('201 PAID')
        else expect(names).toEqual([CLOSED, CLOSED])
        const refusal = isOpen ? PAID_ALREADY : CLOSED
        expect([nameOf(await pay(id)), nameOf(await issue(id))]).toEqual([refusal, refusal])
        expect(await checkBooks(system, INBOX, id)).toBe(isOpen ? 'PAID' : 'OPEN')
      }
    }
  },
  RACED_MS,
)

/** Opens a browser with two tabs on the page of an invoice, each with a form of its own. */
async function openTabs({ paymentUrl }: { paymentUrl: string }) {
  const { origin, pathname } = new URL(paymentUrl)
  const browser = openBrowser(origin)
  await browser.get(pathname)
  const open = async () => {
    const { text } = await browser.get(pathname)
    const post = async (action: string, fields: Record<string, string> = {}) => {
      const answer = await browser.post(`${pathname}/${action}`, { ...hiddenFields(text), ...fields })
      return `${answer.status} ${answer.location}`
    }
    /** Double clicks: the same form twice. */
    const payByCard = async (digit = APPROVED) => {
      const prices = /name="prices" value="([\d,]+)"/.exec(text)?.[1] ?? ''
      const encryptedCard = await encrypt(card(digit))
      const fields = { prices, encryptedCard, installments: '1' }
      return Promise.all([post('pay', fields), post('pay', fields)])
    }
    return { payByCard, issueBoleto: () => post('boleto') }
  }
  return { back: `303 ${pathname}`, one: await open(), other: await open() }
}

const TAB_ROUNDS = [APPROVED, ANSWER_LOST, APPROVED]

test(
  'two tabs of the checkout, each form sent twice: one card is charged, and each answer leads back to the page',
  async () => {
    for (const digit of TAB_ROUNDS) {
      const invoice = await bill()
      const { one, other, back } = await openTabs(invoice)
      const answers = await Promise.all([one.payByCard(digit), other.payByCard()])
      expect(answers.flat()).toEqual([back, back, back, back])
      expect(await checkBooks(system, INBOX, invoice.id)).toBe('PAID')
    }
  },
  RACED_MS,
)

test(
  'a card in one checkout tab, in the other a boleto that is paid at the bank: one pays, no money is lost',
  async () => {
    for (const digit of TAB_ROUNDS) {
      const invoice = await bill()
      const line = await issued(invoice.id)
      const { one, other, back } = await openTabs(invoice)
      const [byCard, asked] = await Promise.all([one.payByCard(digit), other.issueBoleto(), payAtBank(line)])
      // The answer to a boleto leads to the page with the boleto in view.
      expect([...byCard, asked]).toEqual([back, back, `${back}?show=boleto`])
      expect(await checkBooks(system, INBOX, invoice.id, [line])).toBe('PAID')
    }
  },
  RACED_MS,
)
