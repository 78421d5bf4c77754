import { webcrypto } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { newWrappedKey } from '../../src/keys/key-ring'
import { replaceCurrentKey } from '../../src/keys/key-store'
import { card, SELLER, startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
let jwk: JWK
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  const key = await callRpc(vault.gateway, vault.gateway.getEncryptionKey, {})
  jwk = JSON.parse(key.jwk)
})
afterAll(() => world.stop())

/** Encrypts as an SDK does. */
async function encrypt(plaintext: unknown, header = dated(plaintext)): Promise<string> {
  const bytes = Buffer.from(typeof plaintext === 'string' ? plaintext : JSON.stringify(plaintext))
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid ?? '', ...header })
    .encrypt(await importJWK(jwk, 'RSA-OAEP-256'))
}

/** Returns a header with the current time, unless the plaintext has one. */
function dated(plaintext: unknown): Record<string, unknown> {
  const isDated = typeof plaintext === 'object' && plaintext !== null && 'iat' in plaintext
  return isDated ? {} : { iat: Math.floor(world.clock.now() / 1_000) }
}

/** Encrypts as a page does, with nothing but the browser's own functions: RFC 7516, section 7.1. */
async function encryptInBrowser(plaintext: unknown): Promise<string> {
  const { subtle } = webcrypto
  const base64url = (bytes: Uint8Array | ArrayBuffer) =>
    Buffer.from(bytes as ArrayBuffer).toString('base64url')
  const rsa = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const publicKey = await subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, rsa, false, ['encrypt'])
  const contentKey = webcrypto.getRandomValues(new Uint8Array(32))
  const nonce = webcrypto.getRandomValues(new Uint8Array(12))
  const header = base64url(
    Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', iat: Date.now() / 1_000 })),
  )
  const aes = await subtle.importKey('raw', contentKey, 'AES-GCM', false, ['encrypt'])
  const parameters = { name: 'AES-GCM', iv: nonce, additionalData: Buffer.from(header), tagLength: 128 }
  const sealed = new Uint8Array(await subtle.encrypt(parameters, aes, Buffer.from(JSON.stringify(plaintext))))
  const wrapped = await subtle.encrypt({ name: 'RSA-OAEP' }, publicKey, contentKey)
  const parts = [wrapped, nonce, sealed.slice(0, -16), sealed.slice(-16)].map(base64url)
  return [header, ...parts].join('.')
}

const OPEN = card({ cvv: '987' })

test('the key is a public JWK, and only the gateway gets it', async () => {
  expect(jwk).toEqual({
    kty: 'RSA',
    n: expect.any(String),
    e: 'AQAB',
    kid: expect.any(String),
    use: 'enc',
    alg: 'RSA-OAEP-256',
  })
  expect(Buffer.from(jwk.n ?? '', 'base64url')).toHaveLength(384)
  await expect(callRpc(vault.orders, vault.orders.getEncryptionKey, {})).rejects.toMatchObject({ code: 7 })
})

test('every replica has the same key', async () => {
  const other = await world.startVault()

  expect(JSON.parse(other.deps.encryptionKey.publicJwk)).toEqual(jwk)
})

test.each([
  ['an SDK', (plaintext: unknown) => encrypt(plaintext)],
  ['a browser', encryptInBrowser],
])('a card encrypted by %s reads like the same card in the open, masked in the same place', async (_, by) => {
  const open = await vault.seal({ amount: 1, card: OPEN })
  const encrypted = await vault.seal({ amount: 1, card: { encryptedCard: await by(OPEN) } })

  expect(encrypted.errors).toEqual([])
  expect(encrypted.json).toEqual(open.json)
  expect(encrypted.fingerprint).toEqual(open.fingerprint)
  expect(encrypted.cards).toEqual(open.cards.map((it) => ({ ...it, handle: expect.stringMatching(/./) })))
  const stored = await vault.store(encrypted.cards[0]?.handle ?? '')
  expect(stored.card).toEqual(open.cards[0]?.card)
})

test('a card encrypted at the top of the body, and a voucher card, are opened', async () => {
  const voucher = {
    cardNumber: '6370360000000007',
    cvv: '123',
    expires: { month: 1, year: 90 },
    holder: { name: 'ANA' },
  }
  const { json, cards } = await vault.seal({ cardType: 'MEAL', encryptedCard: await encrypt(voucher) })

  expect(json).toEqual({ ...voucher, cardType: 'MEAL', cardNumber: '637036******0007', cvv: '***' })
  expect(cards).toMatchObject([{ pointer: '#', usable: true, hasCvv: true }])
})

test('a CVV encrypted for a stored card goes with it', async () => {
  const { token } = await vault.storeNew(card())
  const { json, cards } = await vault.seal({
    cardToken: { token, encryptedCvv: await encrypt({ cvv: '321' }) },
  })

  expect(json).toEqual({ cardToken: { token, cvv: '***' } })
  expect(cards).toMatchObject([{ usable: true, hasCvv: true }])
  await vault.forward(cards[0]?.handle ?? '')
  expect(world.partner.received.at(-1)?.body).toContain('"SecurityCode":"321"')
})

test('faults inside encrypted data are reported where the open fields would stand', async () => {
  const { errors } = await vault.seal({
    card: { encryptedCard: await encrypt(card({ cardNumber: '4111', cvv: 1 })) },
  })

  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['#/card/cardNumber', 'LENGTH'],
    ['#/card/cvv', 'TYPE'],
  ])
})

test('an unknown member is a fault without its value, and the card stays usable', async () => {
  const { cvv, ...rest } = OPEN as Record<string, unknown>
  const { errors, cards, json } = await vault.seal({
    card: { encryptedCard: await encrypt({ ...rest, cvvv: cvv, '4111111111111111': 1, sellerId: SELLER }) },
  })

  expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual([
    '#/card/encryptedCard UNKNOWN_FIELD',
    '#/card/encryptedCard/cvvv UNKNOWN_FIELD',
  ])
  expect(cards).toMatchObject([{ pointer: '#/card', usable: true, hasCvv: false }])
  expect(JSON.stringify([errors, json])).not.toMatch(/"987"|41111111/)
})

test('an unknown member beside an encrypted CVV is a fault too, and the card stays usable', async () => {
  const { token } = await vault.storeNew(card())
  const encryptedCvv = await encrypt({ cvv: '321', cvc: '321' })
  const { errors, cards } = await vault.seal({ cardToken: { token, encryptedCvv } })

  expect(errors).toMatchObject([{ pointer: '#/cardToken/encryptedCvv/cvc', code: 'UNKNOWN_FIELD' }])
  expect(cards).toMatchObject([{ usable: true, hasCvv: true }])
})

describe('encrypted data that cannot be opened is a fault at its place', () => {
  test.each([
    ['what is no JWE', 'UNDECRYPTABLE', async () => 'abc'],
    ['a plaintext that is not JSON', 'FORMAT', () => encrypt('4111111111111111 ANA')],
    ['a plaintext that is no card', 'FORMAT', () => encrypt({ cvv: '123' })],
    [
      'a JWE that was altered',
      'UNDECRYPTABLE',
      async () => (await encrypt(OPEN)).replace(/.$/, (it) => (it === 'A' ? 'Q' : 'A')),
    ],
    ['another algorithm', 'UNDECRYPTABLE', () => encryptDirectly()],
  ])('%s', async (_, code, jwe) => {
    const given = await jwe()
    const { errors, cards, json } = await vault.seal({ card: { encryptedCard: given } })

    expect(errors).toEqual([{ pointer: '#/card/encryptedCard', code, detail: expect.any(String) }])
    expect(cards).toMatchObject([{ pointer: '#/card', handle: '', usable: false }])
    expect(json).toEqual({ card: { encryptedCard: '***' } })
  })

  test('a JWE that is not text', async () => {
    const { errors } = await vault.seal({
      encryptedCard: 7,
      a: { cardToken: { token: 'ab'.repeat(32), encryptedCvv: {} } },
    })

    expect(errors).toMatchObject([
      { pointer: '#/encryptedCard', code: 'TYPE' },
      { pointer: '#/a/cardToken/encryptedCvv', code: 'TYPE' },
    ])
  })

  test('a card both in the open and encrypted', async () => {
    const { errors, json } = await vault.seal({ card: { ...OPEN, encryptedCard: await encrypt(OPEN) } })

    expect(errors).toMatchObject([{ pointer: '#/card', code: 'EXACTLY_ONE' }])
    expect(json.card).toMatchObject({ cardNumber: '411111******1111', encryptedCard: '***' })
  })

  test('more than ten in one body, which are refused unopened', async () => {
    const encryptedCard = await encrypt(OPEN)
    const decrypt = jest.spyOn(vault.deps.encryptionKey, 'decrypt')
    const body = { list: Array.from({ length: 11 }, () => ({ encryptedCard })) }

    await expect(vault.seal(body)).rejects.toMatchObject({ kind: 'invalid_argument' })
    expect(decrypt).not.toHaveBeenCalled()
    decrypt.mockRestore()
  })
})

describe('a seal with a time is good for 15 minutes', () => {
  const NOW = Date.UTC(2030, 0, 1) / 1_000
  beforeAll(() => (world.clock.now = () => NOW * 1_000))
  afterAll(() => (world.clock.now = Date.now))

  test.each([
    [0, true],
    [15 * 60, true],
    [15 * 60 + 1, false],
    [-60, true],
    [-61, false],
  ])('%i seconds ago: %s', async (age, good) => {
    const iat = NOW - age
    const both = {
      a: { encryptedCard: await encrypt({ ...OPEN, iat }) },
      b: { encryptedCard: await encrypt(OPEN, { iat }) },
    }
    const { cards, errors } = await vault.seal(both)

    expect(cards.map(({ usable }) => usable)).toEqual([good, good])
    expect(errors.map(({ code }) => code)).toEqual(good ? [] : ['STALE', 'STALE'])
  })

  test('a seal that is too old keeps its fingerprint, and shows no faults of its content', async () => {
    const body = { card: { encryptedCard: await encrypt(card({ cvv: '987', iat: NOW })) } }
    const expiring = {
      encryptedCard: await encrypt({ ...OPEN, expiration: { year: 2030, month: 1 }, iat: NOW }),
    }
    const fresh = [await vault.seal(body), await vault.seal(expiring)]
    world.clock.now = () => Date.UTC(2030, 1, 2)
    const stale = [await vault.seal(body), await vault.seal(expiring)]
    world.clock.now = () => NOW * 1_000

    expect(stale.map(({ fingerprint }) => fingerprint)).toEqual(fresh.map(({ fingerprint }) => fingerprint))
    expect(stale.map(({ cards }) => cards[0]?.handle)).toEqual(['', ''])
    expect(stale.flatMap(({ errors }) => errors)).toMatchObject([
      { pointer: '#/card/encryptedCard', code: 'STALE' },
      { pointer: '#/encryptedCard', code: 'STALE' },
    ])
  })

  test('a time that is not a number counts as missing', async () => {
    const { errors } = await vault.seal({ encryptedCard: await encrypt({ ...OPEN, iat: 'now' }) })
    expect(errors).toMatchObject([{ pointer: '#/encryptedCard', code: 'REQUIRED' }])
  })

  test('a seal without a time is refused, since it could be sent forever', async () => {
    const { errors, cards } = await vault.seal({ encryptedCard: await encrypt(OPEN, {}) })
    expect(errors).toMatchObject([{ pointer: '#/encryptedCard', code: 'REQUIRED' }])
    expect(cards[0]?.handle).toBe('')
  })
})

test.each([
  ['a header', (named: unknown) => encrypt(OPEN, { iat: Date.now() / 1_000, sellerId: named })],
  ['a plaintext', (named: unknown) => encrypt({ ...OPEN, sellerId: named })],
])('a seal that names a seller in %s is good for that seller alone', async (_, sealFor) => {
  const own = await vault.seal({ encryptedCard: await sealFor(SELLER) })
  const foreign = await vault.seal({ encryptedCard: await sealFor(SELLER + 1) })
  expect(own.errors).toEqual([])
  expect(foreign.errors).toMatchObject([{ pointer: '#/encryptedCard', code: 'OTHER_SELLER' }])
  expect(foreign.cards[0]?.handle).toBe('')
})

test.each([
  ['STALE', { iat: 1 }],
  ['OTHER_SELLER', { sellerId: SELLER + 1 }],
])('a card whose seal is %s gets no handle, whatever stands beside it', async (code, claims) => {
  const encryptedCard = await encrypt({ ...OPEN, ...claims })
  const both = { token: 'ab'.repeat(32), encryptedCard, encryptedCvv: await encrypt({ card: 1 }) }
  const { cards, errors } = await vault.seal({ cardToken: both })
  expect([cards[0]?.handle, ...errors.map((error) => error.code)]).toEqual(['', code, 'CARD_DATA_MISPLACED'])
})

test('a card encrypted to a key that was replaced since still opens, as the same request', async () => {
  const body = { card: { encryptedCard: await encrypt(OPEN) } }
  const before = await vault.seal(body)
  const { pool, keyEncryption } = vault.deps
  const replaced = vault.deps.keys.current('jwe').id
  await replaceCurrentKey(pool, await newWrappedKey(keyEncryption, 'jwe'))
  const renewed = await world.startVault()
  const after = await renewed.seal(body)

  expect(renewed.deps.keys.current('jwe').id).not.toBe(replaced)
  expect([after.errors, after.fingerprint]).toEqual([[], before.fingerprint])
})

test('only the card fields of a plaintext enter the body', async () => {
  const { json } = await vault.seal({
    amount: 1,
    encryptedCard: await encrypt({ ...OPEN, amount: 9, cardToken: {} }),
  })

  expect(json).toEqual({ ...OPEN, amount: 1, cardNumber: '411111******1111', cvv: '***' })
})

/** Encrypts under a key of the sender's choice, as the header says. */
async function encryptDirectly(): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(OPEN)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32))
}
