import { callRpc } from '@cofre/platform/grpc/client'
import { CompactEncrypt, importJWK } from 'jose'
import { SELLER, startWorld, type Vault, type World } from '../support/vault'

const OPEN = {
  cardNumber: '4111111111111111',
  holder: { name: 'ANA' },
  expiration: { year: 2049, month: 12 },
}

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

async function encrypt(plaintext: object, claims: object = {}): Promise<string> {
  const key = await callRpc(vault.gateway, vault.gateway.getEncryptionKey, {})
  const jwk = JSON.parse(key.jwk)
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(plaintext)))
    .setProtectedHeader({
      alg: 'RSA-OAEP-256',
      enc: 'A256GCM',
      kid: jwk.kid,
      iat: Date.now() / 1_000,
      ...claims,
    })
    .encrypt(await importJWK(jwk, 'RSA-OAEP-256'))
}

describe('a seal that names an invoice', () => {
  const sealed = (named: unknown, place: 'header' | 'plaintext') =>
    place === 'header' ? encrypt(OPEN, { invoiceId: named }) : encrypt({ ...OPEN, invoiceId: named })
  const errorsOf = async (encryptedCard: string, invoiceIds: string[]) => {
    const { errors, cards } = await vault.seal({ card: { encryptedCard } }, SELLER, undefined, invoiceIds)
    expect(cards[0]?.handle === '').toBe(errors.length > 0)
    return errors.map(({ pointer, code }) => `${pointer} ${code}`)
  }

  test.each(['header', 'plaintext'] as const)(
    'in its %s pays that invoice, and nothing else',
    async (place) => {
      const refused = ['#/card/encryptedCard OTHER_INVOICE']
      for (const named of [77, '77', 'page-77']) {
        const encryptedCard = await sealed(named, place)
        expect(await errorsOf(encryptedCard, ['page-77', '77'])).toEqual([])
        expect(await errorsOf(encryptedCard, ['page-78', '78'])).toEqual(refused)
        expect(await errorsOf(encryptedCard, [])).toEqual(refused)
      }
    },
  )

  test.each([[null], [['77']], [{}], [7.7], [''], [true]])(
    'as %j names none, and is refused',
    async (named) => {
      expect(await errorsOf(await sealed(named, 'plaintext'), ['77'])).toEqual([
        '#/card/encryptedCard OTHER_INVOICE',
      ])
    },
  )

  test('in both places must name the same one', async () => {
    const inHeader = { invoiceId: 77 }
    expect(await errorsOf(await encrypt({ ...OPEN, invoiceId: 77 }, inHeader), ['77'])).toEqual([])
    expect(await errorsOf(await encrypt({ ...OPEN, invoiceId: 78 }, inHeader), ['77'])).toHaveLength(1)
  })

  test('in an encrypted CVV is enforced, too', async () => {
    const encryptedCvv = await encrypt({ cvv: '123', invoiceId: 78 })
    const { errors } = await vault.seal(
      { cardToken: { token: 'ab'.repeat(32), encryptedCvv } },
      SELLER,
      undefined,
      ['77'],
    )
    expect(errors.map(({ code }) => code)).toEqual(['OTHER_INVOICE'])
  })
})
