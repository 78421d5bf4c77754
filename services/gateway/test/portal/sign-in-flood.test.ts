import { issueToken } from '../../src/sellers/api-tokens/issue-token'
import { openBrowser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

const FLOOD = 24
let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

test('of many sign-ins at once a few are checked, and a new API token does not wait for them', async () => {
  const { sellerId, email } = await system.makeSeller()
  const ask = async () => {
    const { accessToken } = await issueToken(system.deps, {
      sellerId,
      title: 'shop',
      scopes: [],
      allScopes: true,
    })
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await fetch(`${system.url}/api/v2/charges`, { headers })).status
  }
  expect(await ask()).toBe(200)

  let looked = 0
  const flood = Array.from({ length: FLOOD }, async (_, nth) => {
    const answer = await openBrowser(system.url).signIn(`guess.${nth}@example.com`, 'wrong wrong wrong')
    if (answer.status === 401) looked += 1
    return answer
  })
  await Promise.race(flood)
  const before = looked
  expect(await ask()).toBe(200)
  const meanwhile = looked - before
  const answers = await Promise.all(flood)

  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length + looked).toBe(FLOOD)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '2'))
  expect(refused[0]?.text).toContain('Too many people are signing in')
  expect(meanwhile).toBeLessThanOrEqual(FLOOD / 2)

  // A password that was not checked does not count as wrong.
  const signedIn = await openBrowser(system.url).signIn(email, PASSWORD)
  expect(signedIn.status).toBe(303)
})
