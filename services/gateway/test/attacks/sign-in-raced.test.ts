import { randomBytes } from 'node:crypto'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { unlessItWaits } from '@cofre/testing/lock-waits'
import { insertSession } from '../../src/portal/session-store'
import { findPortalUser } from '../../src/sellers/portal-user-store'
import { startPortal, type PortalSystem } from '../portal/portal-system'

let portal: PortalSystem
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.stop())

test('a sign-in with the old password during a change of password does not outlive the change', async () => {
  const { email } = await portal.makeSeller()
  const { pool } = portal.deps
  const user = await findPortalUser(pool, email)
  const userId = user?.id ?? 0
  const sessions = async () =>
    (await pool.query('SELECT FROM portal_sessions WHERE user_id = $1', [userId])).rowCount
  // Does the same as a change of password, up to the moment before its commit.
  const passwordHash = user?.passwordHash ?? ''
  const [signingIn] = await withTransaction(pool, async (change) => {
    await change.query("UPDATE portal_users SET password_hash = 'another' WHERE id = $1", [userId])
    await change.query('DELETE FROM portal_sessions WHERE user_id = $1', [userId])
    const entering = insertSession(pool, {
      idHash: randomBytes(32),
      userId,
      passwordHash,
      from: { address: '', browser: '' },
    })
    await unlessItWaits(pool, entering)
    return [entering]
  })
  expect(await signingIn).toBe(false)
  expect(await sessions()).toBe(0)
})
