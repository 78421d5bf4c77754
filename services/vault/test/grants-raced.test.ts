import type { ServerResponse } from 'node:http'
import { eventually } from '@cofre/testing/testing'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { startWorld, voucher, type Vault, type World } from './support/vault'
import {
  answerWith,
  given as givenBy,
  lastCall,
  lastForm,
  newToken,
  putClient,
  voucherCalls,
  type VoucherCalls,
} from './support/vouchers'

let world: World
let vault: Vault
let vouchers: VoucherCalls
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  vouchers = await voucherCalls(vault)
  await putClient(vault)
})
afterAll(() => world.stop())
beforeEach(() => world.partner.forget())

const unusable = { kind: 'failed_precondition', reason: 'CARD_TOKEN_UNUSABLE' }
const kept = { outcome: Outcome.ANSWERED, grantKept: true }
const lost = { outcome: Outcome.UNKNOWN, grantKept: false, answer: undefined }
const given = (generation: number) => givenBy(`access-${generation}`, `refresh-${generation}`)

async function granted() {
  const token = newToken()
  await vouchers.keepCode(token, 'code')
  answerWith(world, given(1))
  expect(await vouchers.exchange(token)).toMatchObject(kept)
  world.partner.forget()
  return token
}

/** Holds the calls that reach the partner open until the test answers them. */
function holdCalls() {
  const open: ServerResponse[] = []
  world.partner.respond = (response) => void open.push(response)
  return {
    arrived: (count: number) => eventually(() => expect(open).toHaveLength(count)),
    answer: (at: number, body: unknown) => open[at]?.writeHead(200).end(JSON.stringify(body)),
  }
}

async function accessTokenOf(token: string) {
  answerWith(world, {})
  await vouchers.payAsHolder(token)
  return lastCall(world).headers.authorization
}

/** Cuts the vault off from its database. */
function cutDatabase({ deps: { pool } }: Vault) {
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  Object.assign(pool, { query: () => Promise.reject(gone) })
}

test('of two concurrent refreshes the first answer is kept, and the outcome of the other is unknown', async () => {
  const token = await granted()
  const calls = holdCalls()
  const first = vouchers.refresh(token)
  await calls.arrived(1)
  const second = vouchers.refresh(token)
  await calls.arrived(2)
  calls.answer(1, given(3))
  expect(await second).toMatchObject(kept)
  calls.answer(0, given(2))
  expect(await first).toMatchObject(lost)

  expect(await accessTokenOf(token)).toBe('Bearer access-3')
})

test('of two concurrent exchanges of one code, one is kept', async () => {
  const token = newToken()
  await vouchers.keepCode(token, 'code')
  const calls = holdCalls()
  const exchanges = [vouchers.exchange(token), vouchers.exchange(token)]
  await calls.arrived(2)
  calls.answer(0, given(1))
  calls.answer(1, given(1))
  const outcomes = (await Promise.all(exchanges)).map(({ grantKept }) => grantKept)

  expect(outcomes.filter(Boolean)).toHaveLength(1)
  expect(await accessTokenOf(token)).toBe('Bearer access-1')
})

test('a grant that arrives after its voucher token was destroyed is not kept', async () => {
  const token = newToken()
  await vouchers.keepCode(token, 'code')
  const calls = holdCalls()
  const exchange = vouchers.exchange(token)
  await calls.arrived(1)
  await vouchers.destroy(token)
  calls.answer(0, given(1))

  expect(await exchange).toMatchObject(lost)
  await expect(vouchers.payAsHolder(token)).rejects.toMatchObject(unusable)
})

test('a code that is kept again during its exchange does not make the answer outdated', async () => {
  const token = newToken()
  await vouchers.keepCode(token, 'code')
  const calls = holdCalls()
  const exchange = vouchers.exchange(token)
  await calls.arrived(1)
  await vouchers.keepCode(token, 'code')
  calls.answer(0, given(1))

  expect(await exchange).toMatchObject(kept)
})

test('a rotation during a refresh does not affect it', async () => {
  const token = await granted()
  const other = await world.startVault()
  const calls = holdCalls()
  const refresh = (await voucherCalls(other)).refresh(token)
  await calls.arrived(1)
  expect(await vault.rotateDataKey()).toMatchObject({ grantsEncrypted: expect.any(Number) })
  calls.answer(0, given(2))

  expect(await refresh).toMatchObject(kept)
  expect(await accessTokenOf(token)).toBe('Bearer access-2')
})

test('an answer that is cut off leaves the code: the caller decides whether to try again', async () => {
  const token = newToken()
  await vouchers.keepCode(token, 'code')
  world.partner.respond = (response) => void response.socket?.destroy()
  expect(await vouchers.exchange(token)).toMatchObject(lost)
  answerWith(world, given(1))
  expect(await vouchers.exchange(token)).toMatchObject(kept)
})

test('nothing is sent when the database is lost before the call', async () => {
  const token = await granted()
  const away = await world.startVault()
  const calls = await voucherCalls(away)
  cutDatabase(away)
  expect(await calls.refresh(token)).toMatchObject({ outcome: Outcome.NOT_SENT })
  await expect(calls.keepCode(newToken(), 'code')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(world.partner.received).toEqual([])
})

test('when the database is lost during the call, its outcome is unknown and the earlier grant stays', async () => {
  const token = await granted()
  const away = await world.startVault()
  const calls = holdCalls()
  const refresh = (await voucherCalls(away)).refresh(token)
  await calls.arrived(1)
  cutDatabase(away)
  calls.answer(0, given(2))

  expect(await refresh).toMatchObject(lost)
  answerWith(world, given(3))
  await vouchers.refresh(token)
  expect(lastForm(world).refresh_token).toBe('refresh-1')
})

test('vouchers are kept, refreshed and paid with while keys are rotated, and none is lost', async () => {
  const withGrant = await granted()
  const deaf = await voucherCalls(await world.startVault())
  answerWith(world, given(2))
  const tokens: string[] = []
  let rotating = true
  const keepCalling = async (calls: typeof vouchers) => {
    while (rotating) {
      const token = newToken()
      await calls.keep(token, await calls.handleOf(voucher()))
      await calls.keepCode(token, 'code')
      tokens.push(token)
      expect((await calls.pay(token)).answer?.status).toBe(200)
    }
  }
  const refreshing = async () => {
    while (rotating) expect(await deaf.refresh(withGrant)).toMatchObject({ grantKept: true })
  }
  const load = [keepCalling(vouchers), keepCalling(deaf), refreshing()]
  for (let i = 0; i < 3; i++) await vault.rotateDataKey()
  rotating = false
  await Promise.all(load)

  expect(tokens.length).toBeGreaterThan(2)
  for (const token of tokens) expect(await deaf.exchange(token)).toMatchObject({ grantKept: true })
})
