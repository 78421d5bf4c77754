import { isGood, makeCryptogram } from '../src/token-service/cryptogram'
import { paymentsOf, query } from './sales'
import { MERCHANT, startTestSandbox, type TestSandbox } from './support'
import { activeToken, callTokens, cryptogramFor, OTHER_MERCHANT, sellOnToken, truthOf } from './tokens'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const MASTERCARD = '5555555555554444'
const cryptogramOf = async (id: string, reference?: string) =>
  (await cryptogramFor(sandbox, id, reference)).body.cryptogram

test('each transaction has its own cryptogram, with which its sale is approved', async () => {
  const token = await activeToken(sandbox, 'charged')
  const given = await cryptogramFor(sandbox, token.id, 'tx-1')
  expect([given.status, given.body]).toEqual([
    201,
    {
      cryptogram: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
      eci: '07',
      expiresAt: expect.any(Number),
    },
  ])
  const second = await cryptogramOf(token.id, 'tx-2')
  const sale = await sellOnToken(sandbox, token, given.body.cryptogram)
  const { Payment } = await sellOnToken(sandbox, token, second)
  expect([sale.Payment.Status, Payment.Status]).toEqual([1, 1])
  expect(sale.Payment.CreditCard.CardNumber).toBe(`489537******${token.token.lastFour}`)
  expect(JSON.stringify(sale)).not.toContain(given.body.cryptogram)

  const [{ cryptograms }] = await truthOf(sandbox, 'charged')
  expect(cryptograms).toMatchObject([
    { reference: 'tx-1', amount: 10_000, lastFour: given.body.cryptogram.slice(-5, -1) },
    { reference: 'tx-2', lastFour: second.slice(-5, -1), usedAt: expect.any(Number) },
  ])
  expect(cryptograms[0].merchantOrderId).toBe(sale.MerchantOrderId)
  expect(await paymentsOf(sandbox, sale.MerchantOrderId)).toMatchObject([
    { networkToken: { id: token.id, cryptogramLastFour: cryptograms[0].lastFour } },
  ])
  const asked = await query(sandbox, `sales/${sale.Payment.PaymentId}`)
  expect(JSON.stringify(asked.body)).not.toContain(token.token.number)
})

test('of a hundred concurrent sales with one cryptogram, one is approved', async () => {
  const token = await activeToken(sandbox, 'once')
  const cryptogram = await cryptogramOf(token.id)
  const sales = await Promise.all(Array.from({ length: 100 }, () => sellOnToken(sandbox, token, cryptogram)))
  const codes = sales.map(({ Payment }) => Payment.ReturnCode)
  expect(codes.filter((code) => code === '4')).toHaveLength(1)
  expect(codes.filter((code) => code === '12')).toHaveLength(99)
})

test('the cryptogram of another token is refused, and stays valid for its own', async () => {
  const token = await activeToken(sandbox, 'one')
  const other = await activeToken(sandbox, 'other')
  const cryptogram = await cryptogramOf(other.id)
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment.ReturnCode).toBe('12')
  expect((await sellOnToken(sandbox, other, cryptogram)).Payment.Status).toBe(1)
})

test('a new cryptogram for the same transaction makes the older one invalid', async () => {
  const token = await activeToken(sandbox, 'renewed')
  const older = await cryptogramOf(token.id, 'same')
  const newer = await cryptogramOf(token.id, 'same')
  expect((await sellOnToken(sandbox, token, older)).Payment.ReturnCode).toBe('12')
  expect((await sellOnToken(sandbox, token, newer)).Payment.Status).toBe(1)
  const [{ cryptograms }] = await truthOf(sandbox, 'renewed')
  expect(cryptograms).toMatchObject([{ replacedAt: expect.any(Number), usedAt: null }, { replacedAt: null }])
})

test('a cryptogram is valid for fifteen minutes', () => {
  const { cryptogram } = makeCryptogram({ tokenId: 't', reference: 'r', amount: 1 }, 0)
  expect([isGood(cryptogram, 899_999), isGood(cryptogram, 900_000)]).toEqual([true, false])
})

test('an unknown or absent cryptogram is declined; a recurring sale needs none', async () => {
  const token = await activeToken(sandbox, 'absent')
  const unknown = Buffer.alloc(20).toString('base64')
  expect((await sellOnToken(sandbox, token, unknown)).Payment).toMatchObject({ Status: 3, ReturnCode: '12' })
  expect((await sellOnToken(sandbox, token, undefined)).Payment.ReturnCode).toBe('12')
  await sellOnToken(sandbox, token, await cryptogramOf(token.id))
  const recurring = {
    card: { CardOnFile: { Usage: 'Used', Reason: 'Recurring' } },
    payment: { IssuerTransactionId: '000000000000001', Recurrent: true },
  }
  expect((await sellOnToken(sandbox, token, undefined, recurring)).Payment.Status).toBe(1)
  expect((await sellOnToken(sandbox, token, unknown, recurring)).Payment.ReturnCode).toBe('12')
})

test('a token of another seller is declined with 57, and its cryptogram is not used up', async () => {
  const token = await activeToken(sandbox, 'theirs')
  const cryptogram = await cryptogramOf(token.id)
  const stolen = await sellOnToken(sandbox, token, cryptogram, { headers: OTHER_MERCHANT })
  expect(stolen.Payment.ReturnCode).toBe('57')
  expect((await sellOnToken(sandbox, token, cryptogram, { headers: MERCHANT })).Payment.Status).toBe(1)
})

test('a cryptogram with the number of no token is declined with 57', async () => {
  const token = await activeToken(sandbox, 'no-token')
  const cryptogram = await cryptogramOf(token.id)
  const card = { CardNumber: '4111111111111111' }
  expect((await sellOnToken(sandbox, token, cryptogram, { card })).Payment.ReturnCode).toBe('57')
})

test.each(['SUSPENDED', 'DELETED'])('a token that has become %s is declined with 57', async (status) => {
  const token = await activeToken(sandbox, `meanwhile-${status}`)
  const cryptogram = await cryptogramOf(token.id)
  await sandbox.control('POST', `/token-service/tokens/${token.id}/status`, { status })
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment).toMatchObject({
    Status: 3,
    ReturnCode: '57',
  })
  expect((await cryptogramFor(sandbox, token.id)).body.code).toBe('TOKEN_NOT_ACTIVE')
})

test("the card's expiry date in place of the token's is declined with 54", async () => {
  const token = await activeToken(sandbox, 'expiry')
  const cryptogram = await cryptogramOf(token.id)
  const card = { ExpirationDate: '11/2049' }
  expect((await sellOnToken(sandbox, token, cryptogram, { card })).Payment.ReturnCode).toBe('54')
})

test('only Mastercard sends the advice that the token is at fault', async () => {
  const token = await activeToken(sandbox, 'advised', { number: MASTERCARD })
  const advice = async (change = {}) => {
    const { Payment } = await sellOnToken(sandbox, token, undefined, change)
    return [Payment.ReturnCode, Payment.MerchantAdviceCode]
  }
  expect(await advice()).toEqual(['12', '04'])
  expect(await advice({ card: { ExpirationDate: '11/2049' } })).toEqual(['54', undefined])
  expect(await advice({ headers: OTHER_MERCHANT })).toEqual(['57', '04'])
  const visa = await activeToken(sandbox, 'unadvised')
  expect((await sellOnToken(sandbox, visa, undefined)).Payment.MerchantAdviceCode).toBeUndefined()
})

test('a sale has the outcome of the card behind the token, and a decline uses the cryptogram up too', async () => {
  const token = await activeToken(sandbox, 'declined', { number: '4111111111111152' })
  const cryptogram = await cryptogramOf(token.id)
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment.ReturnCode).toBe('05')
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment.ReturnCode).toBe('12')
})

test('a requested decline takes precedence and uses the cryptogram up', async () => {
  const token = await activeToken(sandbox, 'asked', { number: MASTERCARD })
  const cryptogram = await cryptogramOf(token.id)
  await sandbox.control('POST', '/acquirer/next', { returnCode: '57', merchantAdviceCode: '04' })
  expect((await sellOnToken(sandbox, token, cryptogram)).Payment).toMatchObject({
    ReturnCode: '57',
    MerchantAdviceCode: '04',
  })
  expect((await truthOf(sandbox, 'asked'))[0].cryptograms[0].usedAt).toEqual(expect.any(Number))
})

test('a decline for a card applies to its network token too', async () => {
  const token = await activeToken(sandbox, 'named', { number: MASTERCARD })
  const cardLastFour = MASTERCARD.slice(-4)
  await sandbox.control('POST', '/acquirer/next', { returnCode: '51', cardLastFour })
  const { Payment } = await sellOnToken(sandbox, token, await cryptogramOf(token.id))
  expect(Payment.ReturnCode).toBe('51')
})

test.each([
  ['no reference', { amount: 1 }],
  ['no amount', { reference: 'r' }],
  ['part of a cent', { reference: 'r', amount: 1.5 }],
])('a request for a cryptogram with %s is answered with 400', async (_name, body) => {
  const { id } = await activeToken(sandbox, 'asked-badly')
  const answer = await callTokens(sandbox, 'POST', `/${id}/cryptograms`, { body })
  expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST'])
})
