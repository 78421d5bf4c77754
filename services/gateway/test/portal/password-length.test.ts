import { createPortalUser } from '../../src/sellers/rpc/create-portal-user'
import { openBrowser, readable } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const PAGE = '/portal/settings/account'
const RULE = 'must have 12 to 200 characters'

/** What the form of a signed-in user says of a new password. */
async function byForm(newPassword: string) {
  const { email } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const fields = { currentPassword: PASSWORD, newPassword, repeatedPassword: newPassword }
  const answer = await browser.submit(`${PAGE}/password`, fields, PAGE)
  if (answer.status === 303) return 'accepted'
  expect(answer.status).toBe(422)
  return readable(answer.text).includes(`A password ${RULE}.`) ? 'refused' : answer.text
}

/** What cofrectl gets when it makes a user with this password. */
async function byAdmin(password: string) {
  const { sellerId } = await system.makeSeller()
  const email = `${crypto.randomUUID()}@example.com`
  return createPortalUser(system.deps, { sellerId, email, password }).then(
    () => 'accepted',
    (error) => {
      const errors = [{ pointer: '#/password', code: 'LENGTH', detail: RULE }]
      expect(error).toMatchObject({ reason: 'VALIDATION_FAILED', extra: { errors } })
      return 'refused'
    },
  )
}

test.each([
  ['11 letters', 'x'.repeat(11), 'refused'],
  ['12 letters', 'x'.repeat(12), 'accepted'],
  ['200 letters', 'x'.repeat(200), 'accepted'],
  ['201 letters', 'x'.repeat(201), 'refused'],
  ['6 emoji, of two units each', '🔑'.repeat(6), 'refused'],
  ['200 emoji', '🔑'.repeat(200), 'accepted'],
  ['201 emoji', '🔑'.repeat(201), 'refused'],
  ['6 letters, each with an accent of its own', 'e\u0301'.repeat(6), 'refused'],
  ['200 letters, each with an accent of its own', 'e\u0301'.repeat(200), 'accepted'],
])('a password of %s is judged alike by the form and for cofrectl', async (_name, password, outcome) => {
  expect([await byForm(password), await byAdmin(password)]).toEqual([outcome, outcome])
})
