import { saleBody } from './sales'
import { type Json, MERCHANT, startTestSandbox, type TestSandbox } from './support'
import { activeToken, cryptogramFor, sellOnToken } from './tokens'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const cryptogramOf = async (id: string, reference: string) =>
  (await cryptogramFor(sandbox, id, reference)).body.cryptogram

type Marks = { CardOnFile?: Json; initiator?: Json; Recurrent?: boolean; cvv?: string | undefined }
let sold = 0

/** Sells on a card: the brand knows it by its last four digits. */
async function sell(brand: 'Visa' | 'Master' | 'Elo', lastFour: string, marks: Marks = {}): Promise<Json> {
  const { CardOnFile, initiator, Recurrent, cvv } = marks
  const body = saleBody({ orderId: `S${++sold}`, brand, cardNumber: `400000000000${lastFour}` })
  const CreditCard = { ...body.Payment.CreditCard, SecurityCode: cvv, CardOnFile }
  const Payment = { ...body.Payment, CreditCard, InitiatedTransactionIndicator: initiator, Recurrent }
  const answer = await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, {
    body: { ...body, Payment },
    headers: MERCHANT,
  })
  return answer.body.Payment
}

const FIRST = { Usage: 'First' }
const RECURRING = { Usage: 'Used', Reason: 'Recurring' }
const UNSCHEDULED = { Usage: 'Used', Reason: 'Unscheduled' }
const C1 = { Category: 'C1', Subcategory: 'CredentialsOnFile' }
const M1 = { Category: 'M1', Subcategory: 'Subscription' }

test.each([
  ['Visa', '1001', {}, '05'],
  ['Elo', '1010', {}, '05'],
  ['Master', '1011', { initiator: C1 }, '82'],
] as const)(
  '%s: a kept card may be charged Used, not unmarked and without a CVV',
  async (brand, card, first, code) => {
    expect(await sell(brand, card, { CardOnFile: FIRST, cvv: '987', ...first })).toMatchObject({ Status: 1 })
    const initiator = brand === 'Master' ? M1 : undefined
    expect(await sell(brand, card)).toMatchObject({ Status: 3, ReturnCode: code })
    const used = { CardOnFile: RECURRING, initiator, Recurrent: true }
    expect(await sell(brand, card, used)).toMatchObject({ Status: 1, CreditCard: { CardOnFile: RECURRING } })
    expect(await sell(brand, card, { cvv: '987' })).toMatchObject({ Status: 1 })
  },
)

test('a card that nobody keeps may be sold without a CVV', async () => {
  expect(await sell('Visa', '1021')).toMatchObject({ Status: 1 })
  expect(await sell('Visa', '1021', { Recurrent: true })).toMatchObject({ Status: 3 })
})

test.each([
  ['Used before First', { CardOnFile: UNSCHEDULED, cvv: '987' }],
  ['Used without a Reason', { CardOnFile: { Usage: 'Used' }, cvv: '987' }],
  ['Recurrent with a CVV', { CardOnFile: { ...FIRST, Reason: 'Recurring' }, Recurrent: true, cvv: '987' }],
  ['Recurrent without the Reason Recurring', { CardOnFile: FIRST, Recurrent: true }],
])('Visa refuses %s', async (fault, marks) => {
  expect(await sell('Visa', '1031', marks)).toMatchObject({
    Status: 3,
    ReturnCode: '05',
    ReturnMessage: `Stored credential refused: ${fault}`,
  })
})

test.each([
  [
    'C1 without a holder',
    { CardOnFile: { ...FIRST, Reason: 'Recurring' }, initiator: { ...C1, Subcategory: 'Subscription' } },
  ],
  ['CardOnFile without an initiator', { CardOnFile: FIRST, cvv: '987' }],
  ['An initiator without CardOnFile', { initiator: C1, cvv: '987' }],
  [
    'A subcategory of another Reason',
    { CardOnFile: RECURRING, initiator: { ...M1, Subcategory: 'Installment' } },
  ],
  ['Used before First', { CardOnFile: RECURRING, initiator: M1 }],
])('Mastercard refuses: %s', async (fault, marks) => {
  const { Status, ReturnCode, ReturnMessage } = await sell('Master', '1041', marks)
  expect([Status, ReturnCode]).toEqual([3, '82'])
  expect(ReturnMessage).toBe(`Stored credential refused: ${fault}`)
})

test('a declined First is no agreement, and a verification with First is one', async () => {
  const first = { CardOnFile: FIRST, cvv: '987' }
  expect(await sell('Visa', '1052', first)).toMatchObject({ Status: 3, ReturnMessage: 'Not Authorized' })
  expect((await sell('Visa', '1052', { CardOnFile: UNSCHEDULED })).ReturnMessage).toContain(
    'Used before First',
  )
  const { CreditCard } = saleBody({ cardNumber: '4000000000001054' }).Payment
  await sandbox.call('POST', `${sandbox.acquirerUrl}/1/zeroauth`, {
    body: { ...CreditCard, CardOnFile: FIRST },
    headers: MERCHANT,
  })
  expect(await sell('Visa', '1054', { CardOnFile: UNSCHEDULED })).toMatchObject({ Status: 1 })
})

test('after advice 03 Mastercard takes nothing more of the merchant, but the holder may pay', async () => {
  const card = '1061'
  const merchants = { CardOnFile: RECURRING, initiator: M1, Recurrent: true }
  await sell('Master', card, { CardOnFile: FIRST, initiator: C1, cvv: '987' })
  await sandbox.control('POST', '/acquirer/next', {
    returnCode: '51',
    merchantAdviceCode: '03',
    cardLastFour: card,
  })
  expect(await sell('Master', card, merchants)).toMatchObject({ ReturnCode: '51', MerchantAdviceCode: '03' })
  expect(await sell('Master', card, merchants)).toMatchObject({
    Status: 3,
    ReturnCode: '82',
    MerchantAdviceCode: '03',
    ReturnMessage: 'Stored credential refused: Retry after advice 03',
  })
  expect(await sell('Master', card, { CardOnFile: UNSCHEDULED, initiator: C1, cvv: '987' })).toMatchObject({
    Status: 1,
  })
})

test('a network token is a kept card, and continues the agreement of its card', async () => {
  const token = await activeToken(sandbox, 'kept')
  const unmarked = { card: { CardOnFile: undefined }, payment: { InitiatedTransactionIndicator: undefined } }
  const first = await sellOnToken(sandbox, token, await cryptogramOf(token.id, 'a'), unmarked)
  expect(first.Payment.ReturnMessage).toContain('No CVV and no CardOnFile')
  expect((await sellOnToken(sandbox, token, await cryptogramOf(token.id, 'b'))).Payment.Status).toBe(1)
  const used = { card: { CardOnFile: UNSCHEDULED } }
  expect((await sellOnToken(sandbox, token, await cryptogramOf(token.id, 'c'), used)).Payment.Status).toBe(1)
})
