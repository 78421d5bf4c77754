import { card, SELLER, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

/** True when the number of a stored card still opens after a change of its row. */
async function opensWith(change: string, values: unknown[], sellerId = SELLER): Promise<boolean> {
  const { id } = await vault.storeNew(card())
  await world.database.pool.query(`UPDATE cards SET ${change} WHERE id = $1`, [id, ...values])
  const { rows } = await world.database.pool.query('SELECT token FROM cards WHERE id = $1', [id])
  const handle = await vault.handleOf({ cardToken: { token: rows[0].token } }, sellerId)
  return vault.forward(handle, { sellerId }).then(
    () => true,
    () => false,
  )
}

test('a stored number opens in the row that it was sealed for', async () => {
  expect(await opensWith('holder_name = $2', ['ANA'])).toBe(true)
})

test('a stored number does not open for another seller, even under the same token', async () => {
  expect(await opensWith('seller_id = $2', [SELLER + 1], SELLER + 1)).toBe(false)
})

test('a stored number does not open under another token, even of the same seller', async () => {
  expect(await opensWith('token = $2', ['a'.repeat(64)])).toBe(false)
})
