import { answerWith } from '../support/vouchers'
import { card, SELLER, startWorld, type Vault, type World } from '../support/vault'

const NEW_NUMBER = '5555555555554444'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())
beforeEach(() => world.partner.forget())

const declinedWith = (NewCard: unknown) =>
  answerWith(world, { Payment: { Status: 3, ReturnCode: '57', NewCard } }, 201)
const renewal = (changes: object = {}) => ({
  CardNumber: NEW_NUMBER,
  ExpirationDate: '08/2095',
  SaveCard: false,
  Brand: 'Master',
  ...changes,
})
/** The card that the partner got with the last call. */
const sentCard = () => JSON.parse(world.partner.received.at(-1)?.body ?? '').Payment.CreditCard

test('a stored card takes the number that its issuer replaced it with, under the same token', async () => {
  const { id, token } = await vault.storeNew(card())
  const other = await vault.storeNew(card(), SELLER + 1)
  declinedWith(renewal())
  const { answer, numberKept } = await vault.forward('', { cardToken: token })
  expect(numberKept).toBe(true)
  expect(answer?.body.toString()).not.toContain(NEW_NUMBER)
  const shown = {
    bin: '555555',
    lastFour: '4444',
    brand: 'MASTERCARD',
    expirationYear: 2095,
    expirationMonth: 8,
  }
  expect(await vault.describe({ token })).toMatchObject({
    id,
    token,
    card: { ...shown, holderName: 'ANA SOUZA' },
  })
  expect(await vault.describe({ token: other.token }, SELLER + 1)).toMatchObject({
    card: { lastFour: '1111' },
  })
  await vault.forward('', { cardToken: token })
  expect(sentCard()).toMatchObject({ CardNumber: NEW_NUMBER, ExpirationDate: '08/2095' })
})

test.each([
  ['too short a number', renewal({ CardNumber: '555555' })],
  ['a number of no supported brand', renewal({ CardNumber: '9999999999999995' })],
  ['an expiry that is none', renewal({ ExpirationDate: '13/2095' })],
  ['no expiry', renewal({ ExpirationDate: null })],
  ['a masked number', renewal({ CardNumber: '555555******4444' })],
  ['a text', 'new'],
  ['nothing', undefined],
])('an answer with %s leaves the card as it is', async (_, newCard) => {
  const { token } = await vault.storeNew(card())
  declinedWith(newCard)
  expect((await vault.forward('', { cardToken: token })).numberKept).toBe(false)
  expect(await vault.describe({ token })).toMatchObject({ card: { lastFour: '1111', expirationYear: 2090 } })
})

test('the new number of a card that is not stored is not kept', async () => {
  const handle = await vault.handleOf(card())
  declinedWith(renewal())
  expect((await vault.forward(handle)).numberKept).toBe(false)
})

test('a card that was deleted during the call stays deleted', async () => {
  const { token } = await vault.storeNew(card())
  declinedWith(renewal())
  const { respond } = world.partner
  world.partner.respond = (response, body) => void vault.remove({ token }).then(() => respond(response, body))
  expect((await vault.forward('', { cardToken: token })).numberKept).toBe(false)
  await expect(vault.describe({ token })).rejects.toMatchObject({ kind: 'not_found' })
})
