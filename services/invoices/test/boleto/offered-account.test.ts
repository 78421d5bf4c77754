import { AGREEMENT, startSlipBank } from '../support/start-boletos'

const SELLER = 7

let bank: Awaited<ReturnType<typeof startSlipBank>>
beforeAll(async () => {
  bank = await startSlipBank()
})
afterAll(() => bank.stop())

test('pages learn at once that an account was added, and then ask the vault no more for some seconds', async () => {
  const { accounts } = bank.boletos
  let asked = 0
  bank.vaultHooks.onCall = () => void (asked += 1)
  expect(await accounts.has(SELLER)).toBe(false)
  bank.accounts.enabled.set(SELLER, AGREEMENT)
  expect(await accounts.find(SELLER)).toBeDefined()
  const before = asked
  expect([await accounts.has(SELLER), await accounts.has(SELLER)]).toEqual([true, true])
  expect(asked).toBe(before + 1)
})

test('what is done with an account asks the vault: one that was removed is gone at once', async () => {
  const { accounts } = bank.boletos
  bank.accounts.enabled.set(SELLER, AGREEMENT)
  expect(await accounts.has(SELLER)).toBe(true)
  bank.accounts.enabled.delete(SELLER)
  expect(await accounts.find(SELLER)).toBeUndefined()
})
