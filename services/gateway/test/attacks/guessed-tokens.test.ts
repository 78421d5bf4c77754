import { eventually } from '@cofre/testing/testing'
import { startGateway, type Gateway } from '../support/gateway'

const CHARGES = '/api/v2/charges'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({ ANONYMOUS_PER_SECOND: '1', ANONYMOUS_BURST: '1' })
})
afterAll(() => gateway.stop())

test('once an address has guessed too often, a right guess is refused unseen, and a known token works', async () => {
  expect(await gateway.call('GET', CHARGES)).toMatchObject({ status: 200 })
  await eventually(async () => {
    // A new token for each turn: a token that was let in once is known. The address regains one guess a second.
    const right = (await gateway.tokenWith([])).accessToken
    await gateway.call('GET', CHARGES, { token: 'e30.e30.AAAA' })
    expect(await gateway.call('GET', CHARGES, { token: right })).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    })
  })
  expect(await gateway.call('GET', CHARGES)).toMatchObject({ status: 200 })
})
