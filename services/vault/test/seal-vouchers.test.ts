import type { webcrypto } from 'node:crypto'
import { CardKind, CardSource } from '@cofre/proto/vault/v1/vault'
import { CompactEncrypt, importJWK } from 'jose'
import { statementsIn } from '@cofre/testing/statements'
import { SELLER, startWorld, voucher, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

const TOKEN = 'ab'.repeat(32)
const NUMBER = '6370360000000001'
const seal = (body: unknown) => vault.seal(body, SELLER, CardKind.VOUCHER)
/** Encrypts as an SDK does. */
async function encrypt(plaintext: unknown): Promise<string> {
  const jwk = JSON.parse(vault.deps.encryptionKey.publicJwk)
  return new CompactEncrypt(Buffer.from(JSON.stringify(plaintext)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', iat: Date.now() / 1_000 })
    .encrypt((await importJWK(jwk, 'RSA-OAEP-256')) as webcrypto.CryptoKey)
}

test('a voucher comes back masked like a card, sealed and described, whatever its check digit', async () => {
  const body = voucher({ cvv: '987' })
  const { json, cards, errors } = await seal(body)

  expect(errors).toEqual([])
  expect(json).toEqual({ ...body, cardNumber: '637036******0001', cvv: '***' })
  expect(cards).toMatchObject([
    {
      pointer: '#',
      handle: expect.stringMatching(/^[\w-]{36}\.[\w-]+$/),
      source: CardSource.CARD,
      card: { bin: '637036', lastFour: '0001', expirationYear: 2090, expirationMonth: 12 },
      usable: true,
      hasCvv: true,
    },
  ])
})

test.each([
  ['of 12 digits', '603389000001'],
  ['of 19 digits', '6033890000000000001'],
  ['of a length that no payment card of its range has', '37828224631000'],
])('a voucher number %s is accepted', async (_, cardNumber) => {
  expect(await seal(voucher({ cardNumber }))).toMatchObject({ errors: [], cards: [{ usable: true }] })
})

test.each([
  ['a number that is not text', { cardNumber: 6370360000000001 }, '#/cardNumber', 'TYPE'],
  ['a number with spaces', { cardNumber: '6370 3600 0000 0001' }, '#/cardNumber', 'FORMAT'],
  ['a number of 11 digits', { cardNumber: '63703600001' }, '#/cardNumber', 'LENGTH'],
  ['a number of 20 digits', { cardNumber: '63703600000000000001' }, '#/cardNumber', 'LENGTH'],
  ['a CVV of two digits', { cvv: '12' }, '#/cvv', 'FORMAT'],
  ['a month that is over', { expires: { year: 20, month: 1 } }, '#/expires', 'EXPIRED'],
])('%s is a fault with its place, and gets no handle', async (_, change, pointer, code) => {
  const { cards, errors, body } = await seal(voucher(change))

  expect(errors).toEqual([{ pointer, code, detail: expect.any(String) }])
  expect(cards).toMatchObject([{ handle: '', usable: false }])
  expect(body.toString()).not.toMatch(/6370 ?3600 ?000|"cvv":"12/)
})

test('the number is masked wherever else it stands in the body, though no check digit reveals it', async () => {
  const { json, errors } = await seal({
    note: `card ${NUMBER}, thanks`,
    [NUMBER]: 1,
    amount: Number(NUMBER),
    list: ['6370-3600-0000-0001', '6370360000000002'],
    ...voucher({ holder: { name: `ANA ${NUMBER}`, document: NUMBER } }),
  })

  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(
    [
      '#/note',
      '#/637036******0001',
      '#/amount',
      '#/list/0',
      '#/list/1',
      '#/holder/name',
      '#/holder/document',
    ].map((at) => [at, 'CARD_DATA_MISPLACED']),
  )
  expect(json).toMatchObject({
    note: 'card 637036******0001, thanks',
    list: ['637036******0001', '637036******0002'],
  })
  expect(JSON.stringify(json)).not.toContain(NUMBER)
})

test('a number that is a CNPJ by its length is masked in a document too; another CNPJ is not', async () => {
  const body = voucher({ cardNumber: '63703600000001', customer: { document: '38657074000178' } })
  const { json, errors } = await seal({ ...body, holder: { name: 'ANA', document: '63703600000001' } })

  expect(json.holder.document).toBe('637036****0001')
  expect(json.customer.document).toBe('38657074000178')
  expect(errors.map(({ pointer }) => pointer)).toEqual(['#/holder/document'])
})

test('a payment card’s number where none belongs is misplaced, as in any body', async () => {
  const { json, errors } = await seal(voucher({ note: '4111111111111111' }))

  expect(json.note).toBe('411111******1111')
  expect(errors).toMatchObject([{ pointer: '#/note', code: 'CARD_DATA_MISPLACED' }])
})

test('an encrypted voucher reads like the same voucher in the open', async () => {
  const { cardNumber, expires, holder, ...rest } = voucher()
  const open = await seal({ ...rest, cardNumber, cvv: '987', expires, holder })
  const encryptedCard = await encrypt({ cardNumber, cvv: '987', expires, holder })
  const encrypted = await seal({ ...rest, note: 'x', encryptedCard })

  expect(encrypted.errors).toEqual([])
  expect(encrypted.json).toEqual({ ...open.json, note: 'x' })
  expect(encrypted.cards).toMatchObject([{ usable: true, hasCvv: true, card: open.cards[0]?.card }])
})

describe('a voucher token', () => {
  test('is sealed with its CVV, in the open or encrypted, and looked up nowhere', async () => {
    const sealOpen = () => seal({ amount: 1, card: { token: TOKEN, cardBrand: 'VR', cvv: '987' } })
    const open = await sealOpen()
    const encryptedCvv = await encrypt({ cvv: '987' })
    const sealEncrypted = () => seal({ amount: 1, card: { token: TOKEN, cardBrand: 'VR', encryptedCvv } })
    const encrypted = await sealEncrypted()

    expect(await statementsIn(() => Promise.all([sealOpen(), sealEncrypted()]), 'token')).toEqual([])
    expect(open.json.card).toEqual({ token: TOKEN, cardBrand: 'VR', cvv: '***' })
    expect(encrypted.json).toEqual(open.json)
    expect(encrypted.fingerprint).toEqual(open.fingerprint)
    for (const { cards, errors } of [open, encrypted]) {
      expect(errors).toEqual([])
      expect(cards).toEqual([
        {
          pointer: '#/card',
          handle: expect.stringMatching(/./),
          source: CardSource.VOUCHER_TOKEN,
          card: undefined,
          usable: true,
          hasCvv: true,
        },
      ])
    }
  })

  test('that is malformed, or has a malformed CVV, is a fault', async () => {
    const { cards, errors } = await seal({ card: { token: 'abc', cvv: 'x' }, a: { card: { token: 7 } } })

    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/card/token', 'FORMAT'],
      ['#/card/cvv', 'FORMAT'],
      ['#/a/card/token', 'TYPE'],
    ])
    expect(cards).toMatchObject([
      { handle: '', usable: false },
      { handle: '', usable: false },
    ])
  })

  test('is named only by a body of vouchers, which names no stored card', async () => {
    const { token } = await vault.storeNew({
      cardNumber: '4111111111111111',
      expiration: { year: 2090, month: 1 },
    })
    expect((await vault.seal({ card: { token: TOKEN } })).cards).toEqual([])
    const { cards, errors } = await seal({ cardToken: { token, cvv: '987' } })
    expect(cards).toEqual([])
    expect(errors).toMatchObject([{ pointer: '#/cardToken/cvv', code: 'CARD_DATA_MISPLACED' }])
  })
})

test('a voucher is neither stored nor sent as a payment card', async () => {
  const refused = { kind: 'invalid_argument', reason: 'VALIDATION_FAILED' }
  for (const body of [voucher(), { card: { token: TOKEN } }]) {
    const handle = await vault.handleOf(body, SELLER, CardKind.VOUCHER)
    await expect(vault.store(handle)).rejects.toMatchObject(refused)
    await expect(vault.forward(handle)).rejects.toMatchObject(refused)
  }
  expect(world.partner.received).toEqual([])
})
