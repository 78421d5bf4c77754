import { callRpc } from '@cofre/platform/grpc/client'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { card, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
let jwk: JWK
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  const { jwk: key } = await callRpc(vault.gateway, vault.gateway.getEncryptionKey, {})
  jwk = JSON.parse(key)
})
afterAll(() => world.stop())

const TOKEN = 'a'.repeat(64)

async function encrypt(plaintext: string): Promise<string> {
  const iat = Math.floor(world.clock.now() / 1_000)
  return new CompactEncrypt(Buffer.from(plaintext))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', iat })
    .encrypt(await importJWK(jwk, 'RSA-OAEP-256'))
}

test('card members that are null are absent, and stay null', async () => {
  const nulls = { encryptedCard: null, cvv: null, encryptedCvv: null }
  const open = { ...card(), ...nulls, holder: { name: 'ANA SOUZA', document: null } }
  const stored = { token: TOKEN, cvv: null, encryptedCvv: null }
  const { json, cards, errors } = await vault.seal({ a: open, cardToken: stored, card: null })

  expect(errors).toEqual([])
  expect(json).toEqual({ a: { ...open, cardNumber: '411111******1111' }, cardToken: stored, card: null })
  expect(cards.map(({ source, usable, hasCvv }) => [source, usable, hasCvv])).toEqual([
    [CardSource.CARD, true, false],
    [CardSource.CARD_TOKEN, false, false],
  ])
})

test('an encrypted card beside members that are null is opened; null members within it are absent', async () => {
  const encryptedCard = await encrypt(JSON.stringify({ ...card(), cvv: null }))
  const nulls = { cardNumber: null, holder: null, expiration: null, cvv: null }
  const { json, cards, errors } = await vault.seal({ card: { ...nulls, encryptedCard } })

  expect(errors).toEqual([])
  expect(json).toEqual({ card: { ...card(), cardNumber: '411111******1111', cvv: null } })
  expect(cards).toMatchObject([{ source: CardSource.CARD, usable: true, hasCvv: false }])
})

test('a CVV of no digits is a fault that says to leave it out', async () => {
  const { errors } = await vault.seal({ card: card({ cvv: '' }) })
  expect(errors).toEqual([{ pointer: '#/card/cvv', code: 'FORMAT', detail: LEAVE_OUT }])
})

const LEAVE_OUT = 'must not be empty; leave it out if you have none'

test.each([
  ['{"amount":1,"amount":2}', ['#/amount DUPLICATE']],
  ['{"metadata":{"k":1,"\\u006b":2}}', ['#/metadata/k DUPLICATE']],
  ['{"card":{"cvv":"123","cvv":"456"}}', ['#/card/cvv DUPLICATE', '#/card/cvv CARD_DATA_MISPLACED']],
  ['{"metadata":{"n":12345678901234567890}}', ['#/metadata/n PRECISION']],
  ['{"metadata":{"__proto__":"x"}}', ['#/metadata/__proto__ RESERVED']],
])('what parsing would lose of %s is a fault', async (text, faults) => {
  const { errors } = await vault.seal(Buffer.from(text))
  expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(faults)
})

test('a card number that hides behind a second member of its name is not shown', async () => {
  const { body, errors } = await vault.seal(Buffer.from('{"4111111111111111":1,"4111111111111111":2}'))
  expect(errors).toContainEqual({ pointer: '#', code: 'DUPLICATE', detail: 'must not be given twice' })
  expect(JSON.stringify([body.toString(), errors])).not.toContain('4111111111111111')
})

test('a member that stands twice in an encrypted card is its one fault, and no handle is made', async () => {
  const twice = JSON.stringify(card()).replace('{', '{"cardNumber":"5555555555554444",')
  const { cards, errors } = await vault.seal({ card: { encryptedCard: await encrypt(twice) } })
  expect(errors).toEqual([
    { pointer: '#/card/encryptedCard', code: 'DUPLICATE', detail: 'must hold no member twice' },
  ])
  expect(cards).toMatchObject([{ handle: '', usable: false }])
})

test('a list is read as an object is: its card data is masked and a fault', async () => {
  const { json, errors } = await vault.seal([{ key: 'a', value: '4111111111111111' }])
  expect(json).toEqual([{ key: 'a', value: '411111******1111' }])
  expect(errors).toMatchObject([{ pointer: '#/0/value', code: 'CARD_DATA_MISPLACED' }])
})
