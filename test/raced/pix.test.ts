import { randomUUID } from 'node:crypto'
import type { ChargeJson } from '@cofre/api/charge'
import { eventually } from '@cofre/testing/testing'
import {
  INVOICES,
  invoiceOf,
  listen,
  move,
  newInvoice,
  newShop,
  read,
  write,
  type Shop,
} from '../journeys/shop'
import { type Answer, cardFields, customer, discard, startSystem, type System } from '../journeys/system'
import { cardEndingIn } from '../killed/cards'
import { drawn } from '@cofre/testing/random'
import { checkBooks } from './paid-books'

const MANY = 12
const AMOUNT = 9_980
const [APPROVED, ANSWER_LOST] = [1, 9]
/** High limits: a test sends many requests at once. */
const PATIENT = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000', ANONYMOUS_BURST: '10000' }
const INBOX = 'raced-pix'
const RACED_MS = 300_000

let system: System
let shop: Shop
const numbers = drawn('cards that are raced against Pix')
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (_name, settings) => ({ ...settings, ...PATIENT }) })
  shop = await newShop(system)
  await listen(system, INBOX)
})
afterAll(async () => {
  await discard(system)
})

type Pix = { txid: string; status: string }
type Returned = { id: string; amount: number; status: string }
type AtBank = { status: string; payments: { endToEndId: string; amount: number; devolutions: Returned[] }[] }

const bill = () => newInvoice(system, invoiceOf(shop))
const issue = (id: number) => write(system, 'POST', `${INVOICES}/${id}/pix`)
/** Pays at the bank, also what was withdrawn meanwhile: such a payment slips through. */
const payAt = (txid: string, times = 1): Promise<unknown> =>
  system.sandbox('POST', '/pix/pay', { txid, times, forced: true })
const atBank = async (txid: string): Promise<AtBank> =>
  (await system.sandbox('GET', `/pix/charges?txid=${txid}`))[0]
const nameOf = ({ status, body }: Answer) => `${status} ${status < 400 ? body.status : body.code}`
const returnedOf = ({ payments }: AtBank) =>
  payments.flatMap(({ devolutions }) => devolutions).reduce((sum, { amount }) => sum + amount, 0)

const statusesOf = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

async function issued(id: number): Promise<string> {
  const { status, body } = await issue(id)
  expect([status, body.status]).toEqual([201, 'REGISTERED'])
  return body.txid
}

/** Issues a slip with a Pix beside it; returns the digitable line and the txid. */
async function bothIssued(id: number): Promise<[line: string, txid: string]> {
  const { status, body } = await write(system, 'POST', `${INVOICES}/${id}/boleto`)
  expect(status).toBe(201)
  const { body: charges } = await read(system, `${INVOICES}/${id}/pix`)
  return [body.digitableLine, (charges as Pix[])[0]?.txid ?? '']
}

/** An invoice that a Pix paid. */
async function paidInvoice(): Promise<{ id: number; txid: string }> {
  const { id } = await bill()
  const txid = await issued(id)
  await payAt(txid)
  expect(await checkBooks(system, INBOX, id, [txid])).toBe('PAID')
  return { id, txid }
}

test(
  'a slip and its Pix at the same instant: one pays the invoice, the other’s money waits for a person',
  async () => {
    for (let nth = 0; nth < MANY; nth++) {
      const { id } = await bill()
      const [line, txid] = await bothIssued(id)
      await Promise.all([payAt(txid), system.sandbox('POST', `/boletos/${line}/pay`)])
      expect(await checkBooks(system, INBOX, id, [line, txid])).toBe('PAID')
    }
  },
  RACED_MS,
)

test(
  'a Pix against a card, some without an answer: each invoice is paid once, no money is lost',
  async () => {
    for (let nth = 0; nth < MANY; nth++) {
      const { id } = await bill()
      const txid = await issued(id)
      const digit = nth % 3 === 0 ? ANSWER_LOST : APPROVED
      const card = { ...cardFields(cardEndingIn(digit, numbers)), cvv: '123' }
      await Promise.all([
        payAt(txid),
        write(system, 'POST', `${INVOICES}/${id}/credit-card/pay`, { body: { card } }),
      ])
      expect(await checkBooks(system, INBOX, id, [txid])).toBe('PAID')
    }
  },
  RACED_MS,
)

test(
  'a Pix against void: the invoice is paid, or cancelled and the money waits for a person',
  async () => {
    for (let nth = 0; nth < MANY; nth++) {
      const { id } = await bill()
      const txid = await issued(id)
      const [voided] = await Promise.all([move(system, id, 'void'), payAt(txid)])
      const status = await checkBooks(system, INBOX, id, [txid])
      expect([nameOf(voided), status]).toEqual(
        status === 'PAID' ? ['422 INVALID_INVOICE_STATE', 'PAID'] : ['200 CANCELLED', 'CANCELLED'],
      )
    }
  },
  RACED_MS,
)

test('refunds at once for more than an invoice has: no more goes back than came', async () => {
  const { id, txid } = await paidInvoice()
  const body = { amountInCents: Math.floor(AMOUNT * 0.4) }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => write(system, 'POST', `${INVOICES}/${id}/refunds`, { body })),
  )
  expect(statusesOf(answers)).toEqual([201, 201, 422, 422, 422, 422])
  await eventually(async () => {
    expect((await read(system, `${INVOICES}/${id}`)).body.refundedInCents).toBe(2 * body.amountInCents)
  })
  expect(returnedOf(await atBank(txid))).toBe(2 * body.amountInCents)
})

test('refunds at once for more than an order has: no more goes back than came', async () => {
  const { id, txid } = await paidOrder()
  const body = { amount: Math.floor(AMOUNT * 0.4) }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => write(system, 'POST', `/api/v2/charges/${id}/refund`, { body })),
  )
  expect(statusesOf(answers)).toEqual([201, 201, 422, 422, 422, 422])
  await eventually(async () => expect((await chargeOf(id)).refundedAmount).toBe(2 * body.amount))
  expect(returnedOf(await atBank(txid))).toBe(2 * body.amount)
})

test('paid, and its webhook here, before our own call was answered: the invoice is paid, and so is the order', async () => {
  const slow = { partner: 'PIX_BANK', kind: 'SLOW', times: 1, delayMs: 4_000, changes: true, queries: false }
  const paidMeanwhile = async (asking: Promise<Answer>, known: ReadonlySet<string>) => {
    const txid = await eventually(async () => {
      const fresh = (await txids()).filter((each) => !known.has(each))
      expect(fresh).toHaveLength(1)
      return fresh[0] ?? ''
    })
    await payAt(txid)
    return { txid, answer: await asking }
  }
  const { id } = await bill()
  const before = new Set(await txids())
  await system.sandbox('POST', '/faults', slow)
  const invoiced = await paidMeanwhile(issue(id), before)
  expect(invoiced.answer.status).toBe(201)
  expect(await checkBooks(system, INBOX, id, [invoiced.txid])).toBe('PAID')

  const known = new Set(await txids())
  await system.sandbox('POST', '/faults', slow)
  const ordered = await paidMeanwhile(askForOrder(), known)
  expect(ordered.answer.status).toBe(201)
  await eventually(async () => expect((await chargeOf(ordered.answer.body.id)).status).toBe('CAPTURED'))
})

test('a doubled webhook pays once, an invoice and an order', async () => {
  const { id } = await bill()
  const txid = await issued(id)
  const ordered = await order()
  await system.sandbox('POST', '/pix/webhooks/next', { kind: 'DOUBLED', times: 2 })
  await Promise.all([payAt(txid), payAt(ordered.txid)])
  expect(await checkBooks(system, INBOX, id, [txid])).toBe('PAID')
  await eventually(async () => expect((await chargeOf(ordered.id)).status).toBe('CAPTURED'))
  expect((await chargeOf(ordered.id)).transactions.map(({ type }) => type)).toEqual([
    'AUTHORIZATION',
    'CAPTURE',
  ])
})

test('an order that is paid twice keeps one Pix, and the other goes back whole', async () => {
  const { id, txid } = await order()
  await payAt(txid, 2)
  await eventually(async () => {
    expect(await chargeOf(id)).toMatchObject({
      status: 'CAPTURED',
      capturedAmount: AMOUNT,
      refundedAmount: 0,
    })
    expect(returnedOf(await atBank(txid))).toBe(AMOUNT)
  })
})

test('a forged webhook moves no money: of a secret that nobody has, of another seller, of a Pix that never was', async () => {
  const { id } = await bill()
  const txid = await issued(id)
  const ordered = await order()
  const [mine, theirs] = [await noticesUrl(), await noticesUrl(system.ready.secondSeller)]
  expect(mine).not.toBe(theirs)
  const pix = [txid, ordered.txid, randomUUID().replaceAll('-', '')].map((each) => {
    return {
      endToEndId: `E${'0'.repeat(31)}`,
      txid: each,
      valor: '99.80',
      chave: 'x',
      horario: new Date().toISOString(),
    }
  })
  const forge = (url: string) =>
    system.api('POST', url, { token: null, body: { pix } }).then(({ status }) => status)
  const unknown = `${system.ready.baseUrl}/partners/pix/${'x'.repeat(43)}/pix`
  expect([await forge(mine), await forge(theirs), await forge(unknown)]).toEqual([204, 204, 404])
  // Looks at what came later were caused later: those that the forged notices caused are over.
  await paidInvoice()
  await paidOrder()
  expect((await read(system, `${INVOICES}/${id}`)).body).toMatchObject({ status: 'CLOSED', paidInCents: 0 })
  expect((await chargeOf(ordered.id)).status).toBe('PENDING')
  // The invoice and the order can still be paid, once each.
  await Promise.all([payAt(txid), payAt(ordered.txid)])
  expect(await checkBooks(system, INBOX, id, [txid])).toBe('PAID')
  await eventually(async () => expect((await chargeOf(ordered.id)).status).toBe('CAPTURED'))
})

async function txids(): Promise<string[]> {
  return ((await system.sandbox('GET', '/pix/charges')) as Pix[]).map(({ txid }) => txid)
}

function askForOrder({ sellerId, token }: Seller = system.ready): Promise<Answer> {
  const path = `/api/v2/sellers/${sellerId}/orders/pix`
  return write(system, 'POST', path, { body: { amount: AMOUNT, customer }, token })
}

type Seller = { sellerId: number; token: string }

async function order(): Promise<{ id: number; txid: string }> {
  const { status, body } = await askForOrder()
  expect([status, body.status]).toEqual([201, 'PENDING'])
  return { id: body.id, txid: body.payments[0].pix.txid }
}

async function paidOrder(): Promise<{ id: number; txid: string }> {
  const made = await order()
  await payAt(made.txid)
  await eventually(async () => expect((await chargeOf(made.id)).status).toBe('CAPTURED'))
  return made
}

async function chargeOf(id: number): Promise<ChargeJson> {
  return (await read(system, `/api/v2/charges/${id}`)).body
}

/** The address that a seller's bank was given, as the bank knows it from its news of a payment. */
async function noticesUrl(seller: Seller = system.ready): Promise<string> {
  const { body } = await askForOrder(seller)
  const { txid } = body.payments[0].pix
  await eventually(async () => {
    await payAt(txid)
    expect(await noticeOf(txid)).toBeDefined()
  })
  return (await noticeOf(txid)) ?? ''
}

async function noticeOf(txid: string): Promise<string | undefined> {
  const notices: { url: string; items: { txid?: string }[] }[] = await system.sandbox('GET', '/pix/notices')
  return notices.find(({ items }) => items.some((item) => item.txid === txid))?.url
}
