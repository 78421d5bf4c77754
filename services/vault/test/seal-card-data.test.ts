import { CardKind, CardSource } from '@cofre/proto/vault/v1/vault'
import { statementsIn } from '@cofre/testing/statements'
import { card, SELLER, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())
afterEach(() => (world.clock.now = Date.now))

const OPEN = { ...card({ cvv: '987' }) }

test('a card comes back masked, sealed and described, the rest of the body as it was', async () => {
  const { json, cards, errors } = await vault.seal({ note: 'x', card: OPEN, list: [1, null, true] })

  expect(errors).toEqual([])
  expect(json).toEqual({
    note: 'x',
    card: { ...OPEN, cardNumber: '411111******1111', cvv: '***' },
    list: [1, null, true],
  })
  expect(cards).toEqual([
    {
      pointer: '#/card',
      handle: expect.stringMatching(/^[\w-]{36}\.[\w-]+$/),
      source: CardSource.CARD,
      card: {
        bin: '411111',
        lastFour: '1111',
        brand: 'VISA',
        expirationYear: 2090,
        expirationMonth: 12,
        holderName: 'ANA SOUZA',
      },
      usable: true,
      hasCvv: true,
    },
  ])
})

test('a card is found at the top of the body and in a list', async () => {
  const { cards } = await vault.seal({ ...card(), payments: [{ card: OPEN }, { card: card() }] })

  expect(cards.map(({ pointer, hasCvv }) => [pointer, hasCvv])).toEqual([
    ['#', false],
    ['#/payments/0/card', true],
    ['#/payments/1/card', false],
  ])
})

test.each([
  ['a number that is not text', { cardNumber: 4111111111111111 }, '#/cardNumber', 'TYPE'],
  ['a number with spaces', { cardNumber: '4111 1111 1111 1111' }, '#/cardNumber', 'FORMAT'],
  ['a number too short', { cardNumber: '41111111' }, '#/cardNumber', 'LENGTH'],
  [
    'a number of a length that its brand does not issue',
    { cardNumber: '37828224631000' },
    '#/cardNumber',
    'LENGTH',
  ],
  ['a number with a wrong digit', { cardNumber: '4111111111111112' }, '#/cardNumber', 'LUHN'],
  ['a CVV that is a number', { cvv: 123 }, '#/cvv', 'TYPE'],
  ['a CVV of two digits', { cvv: '12' }, '#/cvv', 'FORMAT'],
  ['a month that is over', { expiration: { year: 2020, month: 1 } }, '#/expiration', 'EXPIRED'],
])('%s is a fault with its place, and gets no handle', async (_, change, pointer, code) => {
  const { cards, errors, body } = await vault.seal(card(change))

  expect(errors).toEqual([{ pointer, code, detail: expect.any(String) }])
  expect(cards).toMatchObject([{ handle: '', usable: false }])
  expect(body.toString()).not.toMatch(/4111 ?1111 ?1111|3782822463|"cvv":12/)
})

test('a month and a year may stand as text', async () => {
  const { errors, cards } = await vault.seal(card({ expiration: { year: '2090', month: '08' } }))
  expect(errors).toEqual([])
  expect(cards).toMatchObject([{ usable: true, card: { expirationYear: 2090, expirationMonth: 8 } }])
  const past = await vault.seal(card({ expiration: { year: '2020', month: '01' } }))
  expect(past.errors).toMatchObject([{ pointer: '#/expiration', code: 'EXPIRED' }])
})

test('faults of shape are left to the caller: no expiration means no handle and no error', async () => {
  const { errors, cards } = await vault.seal({ cardNumber: '4111111111111111', expiration: 'soon' })

  expect(errors).toEqual([])
  expect(cards).toMatchObject([{ handle: '', card: { lastFour: '1111' } }])
})

test('a card is good through the last day of its month in São Paulo', async () => {
  const body = card({ expiration: { year: 2031, month: 8 } })
  world.clock.now = () => Date.parse('2031-09-01T02:59:59Z')
  expect((await vault.seal(body)).errors).toEqual([])
  world.clock.now = () => Date.parse('2031-09-01T03:00:00Z')
  expect((await vault.seal(body)).errors).toMatchObject([{ code: 'EXPIRED' }])
})

test('a voucher card writes the year of its expiry in two digits', async () => {
  const voucher = { cardType: 'MEAL', cardNumber: '6370360000000007', holder: { name: 'ANA' } }
  const good = await vault.seal({ ...voucher, expires: { month: 5, year: 90 } })
  expect(good.cards).toMatchObject([{ usable: true, card: { brand: '', expirationYear: 2090 } }])
  const past = await vault.seal({ ...voucher, expires: { month: 5, year: 20 } })
  expect(past.errors).toMatchObject([{ pointer: '#/expires', code: 'EXPIRED' }])
})

test('a stored card is named by its token; tokens of one body are looked up together', async () => {
  const { id, token } = await vault.storeNew(card())
  const unknown = 'ab'.repeat(32)
  const body = { payments: [{ cardToken: { token, cvv: '123' } }, { cardToken: { token: unknown } }] }
  const { json, cards, errors } = await vault.seal(body)

  // The table of BINs is read by the clock, once a second, whatever the body holds.
  expect(await statementsIn(() => vault.seal(body), 'FROM cards')).toHaveLength(1)
  expect(errors).toEqual([])
  expect(json.payments[0].cardToken).toEqual({ token, cvv: '***' })
  expect(cards).toMatchObject([
    { pointer: '#/payments/0/cardToken', source: CardSource.CARD_TOKEN, usable: true, hasCvv: true },
    { pointer: '#/payments/1/cardToken', usable: false, handle: '', card: undefined },
  ])
  expect(cards[0]?.card).toEqual((await vault.describe({ id })).card)
})

test("another seller's token can't be used, and is no error", async () => {
  const { token } = await vault.storeNew(card())

  const { cards, errors } = await vault.seal({ cardToken: { token } }, SELLER + 1)

  expect({ cards, errors }).toMatchObject({ cards: [{ usable: false, handle: '' }], errors: [] })
})

test('a malformed token and a malformed CVV are faults', async () => {
  const { errors, cards } = await vault.seal({
    cardToken: { token: 'abc', cvv: 'x' },
    a: { cardToken: { token: 7 } },
  })

  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['#/cardToken/token', 'FORMAT'],
    ['#/cardToken/cvv', 'FORMAT'],
    ['#/a/cardToken/token', 'TYPE'],
  ])
  expect(cards).toMatchObject([{ handle: '' }, { handle: '' }])
})

test.each([
  ['in a text', { note: '5555555555554444' }, '#/note'],
  ['in fours', { metadata: { k: '5555 5555 5555 4444' } }, '#/metadata/k'],
  ['within a text', { note: 'card 5555-5555-5555-4444, thanks' }, '#/note'],
  ['as a number', { amount: 5555555555554444 }, '#/amount'],
  ['as a name', { metadata: { '5555555555554444': 'x' } }, '#/metadata/555555******4444'],
  ['as a document', { customer: { document: '5555555555554444' } }, '#/customer/document'],
  ['as a token', { networkToken: { token: '5555555555554444' } }, '#/networkToken/token'],
])('a card number %s is misplaced, and masked', async (_, body, pointer) => {
  const { errors, body: masked } = await vault.seal(body)

  expect(errors).toEqual([{ pointer, code: 'CARD_DATA_MISPLACED', detail: expect.any(String) }])
  expect(masked.toString()).toContain('555555******4444')
  expect(masked.toString()).not.toMatch(/5555.?5555.?5555/)
})

test('card data known by its name is misplaced outside a card, however the name is written', async () => {
  const { errors, json } = await vault.seal({
    metadata: { CVV: '123', card_number: 'x', security_code: 9 },
    cvv: '1',
  })

  expect(json).toEqual({ metadata: { CVV: '***', card_number: '***', security_code: '***' }, cvv: '***' })
  expect(errors.map(({ pointer }) => pointer)).toEqual([
    '#/metadata/CVV',
    '#/metadata/card_number',
    '#/metadata/security_code',
    '#/cvv',
  ])
  expect(errors[0]?.detail).toBe(
    'is card data by its name: send cards only in the card fields, or rename this member',
  )
})

test('a value that merely has digits is left alone', async () => {
  const body = {
    document: '38657074000178',
    amount: 99_999_999_999,
    dueDate: 1_767_225_600_000,
    orderReference: 'PED-4111111111111112',
    referenceId: '0f6c2f5e-5d0a-4c36-9a52-6c1b3b6f7a10',
    boleto: '00190500954014481606906809350314337370000000100',
  }

  expect(await vault.seal(body)).toMatchObject({ json: body, errors: [] })
})

test('a holder name that is a card number leaves masked', async () => {
  const { cards, errors } = await vault.seal(card({ holder: { name: '5555555555554444' } }))

  expect(cards[0]?.card?.holderName).toBe('555555******4444')
  expect(errors).toMatchObject([{ pointer: '#/holder/name', code: 'CARD_DATA_MISPLACED' }])
})

test('names in pointers are escaped', async () => {
  const { cards } = await vault.seal({ 'a/b~c': card() })

  expect(cards[0]?.pointer).toBe('#/a~1b~0c')
})

test('a member named __proto__ is a member like any other', async () => {
  const { json, cards } = await vault.seal(Buffer.from(`{"__proto__":${JSON.stringify(OPEN)}}`))

  expect(Object.getOwnPropertyDescriptor(json, '__proto__')?.value).toMatchObject({ cvv: '***' })
  expect(cards).toMatchObject([{ pointer: '#/__proto__' }])
})

test('equal requests of one seller have one fingerprint, and different ones another', async () => {
  const first = await vault.seal({ amount: 1, card: OPEN })
  const reordered = await vault.seal({ card: Object.fromEntries(Object.entries(OPEN).reverse()), amount: 1 })
  const otherCvv = await vault.seal({ amount: 1, card: { ...OPEN, cvv: '986' } })
  const otherAmount = await vault.seal({ amount: 2, card: OPEN })
  const otherSeller = await vault.seal({ amount: 1, card: OPEN }, SELLER + 1)

  expect(first.fingerprint).toHaveLength(32)
  expect(reordered.fingerprint).toEqual(first.fingerprint)
  expect(otherAmount.fingerprint).not.toEqual(first.fingerprint)
  // Otherwise a thousand guesses under the idempotency key of a request would find its CVV.
  expect(otherCvv.fingerprint).toEqual(first.fingerprint)
  expect(otherSeller.fingerprint).not.toEqual(first.fingerprint)
})

test.each([
  ['not JSON', '{"cardNumber":"4111111111111111"', 'MALFORMED_JSON'],
  ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'MALFORMED_JSON'],
  ['empty', '', 'MALFORMED_JSON'],
  ['neither an object nor a list', '"4111111111111111"', 'VALIDATION_FAILED'],
  ['too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'VALIDATION_FAILED'],
  ['of too many values', JSON.stringify({ a: Array(10_001).fill(0) }), 'VALIDATION_FAILED'],
  ['of too many bytes', JSON.stringify({ a: 'x'.repeat(256 * 1024) }), 'VALIDATION_FAILED'],
  ['of too many cards', JSON.stringify({ a: Array(21).fill(card()) }), 'VALIDATION_FAILED'],
])('a body that is %s is refused and not echoed', async (_, body, reason) => {
  const refused = vault.seal(Buffer.from(body))

  await expect(refused).rejects.toMatchObject({ kind: 'invalid_argument', reason })
  await expect(refused).rejects.not.toThrow(/4111/)
})

test('only the gateway may seal', async () => {
  const orders = await world.startVault().then((other) => other.clientAs('orders'))
  const call = new Promise((resolve, reject) =>
    orders.sealCardData(
      { sellerId: SELLER, body: Buffer.from('{}'), kind: CardKind.UNSPECIFIED, invoiceIds: [] },
      (error, answer) => (error ? reject(error) : resolve(answer)),
    ),
  )
  await expect(call).rejects.toMatchObject({ code: 7 })
})
