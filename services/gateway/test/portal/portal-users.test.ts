import { callRpc } from '@cofre/platform/grpc/client'
import type { GatewayAdminClient } from '@cofre/proto/gateway/v1/gateway'
import { findPortalUser } from '../../src/sellers/portal-user-store'
import { isPassword } from '../../src/sellers/password'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
let admin: GatewayAdminClient
beforeAll(async () => {
  gateway = await startGateway()
  admin = gateway.admin
})
afterAll(() => gateway.stop())

describe('a portal user', () => {
  const create = (over: object = {}) =>
    callRpc(admin, admin.createPortalUser, {
      sellerId: gateway.sellerId,
      email: 'Ana@Example.com',
      password: 'correct horse battery',
      ...over,
    })

  test('is created with a hash of the password, once for each e-mail regardless of case', async () => {
    expect(await create()).toEqual({
      id: expect.any(Number),
      sellerId: gateway.sellerId,
      email: 'ana@example.com',
      role: 'OWNER',
      status: 'ACTIVE',
      createdAt: expect.any(Number),
    })
    const user = await findPortalUser(gateway.deps.pool, 'ANA@example.com')
    expect(await isPassword('correct horse battery', user?.passwordHash ?? '')).toBe(true)
    await expect(create({ email: 'ana@example.COM' })).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('is listed without the hash, of all sellers or of one', async () => {
    const other = await callRpc(admin, admin.createSeller, { name: 'Vizinha' })
    const user = await create({ sellerId: other.id, email: 'listed@example.com' })
    expect(await callRpc(admin, admin.listPortalUsers, { sellerId: other.id })).toEqual({
      users: [{ ...user, createdAt: expect.any(Number) }],
      more: false,
    })
    const { users } = await callRpc(admin, admin.listPortalUsers, {})
    expect(users.map(({ sellerId }) => sellerId)).toEqual(
      expect.arrayContaining([gateway.sellerId, other.id]),
    )
    expect(JSON.stringify(users)).not.toContain('scrypt')
    await expect(callRpc(admin, admin.listPortalUsers, { sellerId: 987 })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test('gets another role, is disabled and removed, but the only owner stays', async () => {
    const { id: sellerId } = await callRpc(admin, admin.createSeller, { name: 'Vizinha' })
    const owner = await create({ sellerId, email: 'owner@example.com' })
    const clerk = await create({ sellerId, email: 'clerk@example.com', role: 'SUPPORT' })
    expect(clerk).toMatchObject({ role: 'SUPPORT', status: 'ACTIVE' })
    const set = (id: number, change: { role?: string; disabled?: boolean }) =>
      callRpc(admin, admin.setPortalUser, { id, resetTwoSteps: false, ...change })
    await expect(set(owner.id, { disabled: true })).rejects.toMatchObject({ reason: 'LAST_OWNER' })
    await expect(callRpc(admin, admin.removePortalUser, { id: owner.id })).rejects.toMatchObject({
      reason: 'LAST_OWNER',
    })
    await expect(set(clerk.id, { role: 'KING' })).rejects.toMatchObject({ kind: 'invalid_argument' })
    await expect(set(987_654, { disabled: true })).rejects.toMatchObject({ kind: 'not_found' })
    expect(await set(clerk.id, { role: 'OWNER' })).toMatchObject({ role: 'OWNER' })
    expect(await set(owner.id, { disabled: true })).toMatchObject({ status: 'DISABLED' })
    expect(await set(owner.id, { disabled: false })).toMatchObject({ status: 'ACTIVE' })
    const { link } = await callRpc(admin, admin.makePasswordLink, { id: clerk.id })
    expect(link).toMatch(/\/portal\/join\/[\w-]{43}$/)
    expect(await callRpc(admin, admin.removePortalUser, { id: clerk.id })).toMatchObject({
      email: 'clerk@example.com',
    })
    await expect(callRpc(admin, admin.makePasswordLink, { id: clerk.id })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test('of an unknown seller, or with a short password or a broken e-mail is refused', async () => {
    await expect(create({ sellerId: 987, email: 'b@example.com' })).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(create({ email: 'b', password: 'short' })).rejects.toMatchObject({
      kind: 'invalid_argument',
      extra: { errors: [{ pointer: '#/email' }, { pointer: '#/password' }] },
    })
  })
})
