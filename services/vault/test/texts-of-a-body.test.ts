import { card, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

test('numbers that the API asks for by name are left alone, with and without their punctuation', async () => {
  const body = {
    externalReference: 4_111_111_111_111_111,
    document: '38.657.074/0001-78',
    customer: { document: '38657074000178' },
    card: card({ holder: { name: 'ANA', document: '38.657.074/0001-78' } }),
  }
  const { errors, json } = await vault.seal(body)

  expect(errors).toEqual([])
  expect(json).toEqual({ ...body, card: { ...body.card, cardNumber: '411111******1111' } })
})

test.each([
  ['a document in metadata', { metadata: { document: '30569309025904' } }, '#/metadata/document'],
  ['a CNPJ in metadata', { metadata: { cnpj: '38657074000178' } }, '#/metadata/cnpj'],
  ['a document without its check digits', { document: '30569309025904' }, '#/document'],
  [
    'another reference',
    { metadata: { externalReference: 4_111_111_111_111_111 } },
    '#/metadata/externalReference',
  ],
])('%s is refused when it looks like a card number', async (_, body, pointer) => {
  const { errors } = await vault.seal(body)

  expect(errors).toEqual([
    {
      pointer,
      code: 'CARD_DATA_MISPLACED',
      detail: 'looks like a card number: send cards only in the card fields, or write this value differently',
    },
  ])
})

test('a holder name that is too long is a fault, and is neither searched nor kept', async () => {
  const search = jest.spyOn(String.prototype, 'codePointAt')
  const sealed = await vault.seal(card({ holder: { name: '0 '.repeat(120_000) } }))

  expect(search).not.toHaveBeenCalled()
  search.mockRestore()
  expect(sealed.errors).toEqual([
    { pointer: '#/holder/name', code: 'LENGTH', detail: 'must have at most 255 characters' },
  ])
  expect(sealed.cards).toMatchObject([{ usable: false, handle: '', card: { holderName: '' } }])
  expect(sealed.body.length).toBeLessThan(3_000)
})

test('a text or a name that is too long for any field goes on cut off, and is still too long', async () => {
  const long = `${'x'.repeat(2_049)}\u{1f600}`
  const { errors, json } = await vault.seal({
    note: `${long} 4111111111111111`,
    [`${long}4111111111111111`]: 1,
  })

  expect(errors).toEqual([])
  const cut = 'x'.repeat(2_049)
  expect(json).toEqual({ note: cut, [cut]: 1 })
})
