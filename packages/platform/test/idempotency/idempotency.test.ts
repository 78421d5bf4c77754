import { join } from 'node:path'
import { Seller } from '@cofre/proto/gateway/v1/gateway'
import { newCall, runCall, type Call } from '../../src/grpc/call-context'
import { callRpc } from '../../src/grpc/client'
import { idempotencyService } from '../../src/idempotency/find-request'
import { withIdempotency } from '../../src/idempotency/idempotency'
import { answerMark, forgetMarks, insertMark, newMark } from '../../src/idempotency/mark'
import { withTransaction } from '../../src/postgres/postgres'
import { createLog } from '../../src/telemetry/log'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
})
afterAll(() => database.drop())

const callWith = (key: string, fingerprint = 'f'): Call => ({
  ...newCall({ timeoutMs: 5_000 }),
  idempotency: { key, method: 'POST', path: '/things', fingerprint },
})
let effects = 0
const work = async (): Promise<Seller> => ({ id: ++effects, name: 'Loja', createdAt: 1, lenient: false })
const request = (call: Call, doing = work) =>
  runCall(call, () => withIdempotency(database.pool, 7, Seller, doing))

test('the same key and body gives the kept answer and one effect', async () => {
  const first = await request(callWith('a'))

  expect(first.replayed).toBe(false)
  expect(await request(callWith('a'))).toEqual({ response: first.response, replayed: true })
})

test('twenty at once leave one effect and twenty equal answers', async () => {
  const before = effects
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(callWith('b'))))

  expect(effects).toBe(before + 1)
  expect(new Set(answers.map(({ response }) => response.id)).size).toBe(1)
  expect(answers.filter(({ replayed }) => replayed)).toHaveLength(19)
})

test('the same key with another body is refused', async () => {
  await request(callWith('c'))
  await expect(request(callWith('c', 'other'))).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a body counts as the same when another known key made its fingerprint', async () => {
  const { response } = await request(callWith('c-2', 'k1:f'))
  const call = callWith('c-2', 'k2:f')
  const known = { ...call, idempotency: { ...call.idempotency!, otherFingerprints: ['k1:f', 'f'] } }
  await expect(request(known)).resolves.toEqual({ response, replayed: true })
  await expect(request(call)).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a request that fails leaves no mark: the key may be used again', async () => {
  const fail = () => Promise.reject(new Error('no'))
  await expect(request(callWith('d'), fail)).rejects.toThrow('no')
  await expect(request(callWith('d'))).resolves.toMatchObject({ response: { name: 'Loja' } })
})

test('another seller, method or path has its own key', async () => {
  const one = await request(callWith('e'))
  const call = callWith('e')
  const other = runCall(call, () => withIdempotency(database.pool, 8, Seller, work))
  expect((await other).response.id).not.toBe(one.response.id)

  for (const change of [{ method: 'PUT' }, { path: '/others' }]) {
    const changed: Call = { ...call, idempotency: { ...call.idempotency!, ...change } }
    const first = await request(changed)
    expect(first).toMatchObject({ replayed: false })
    expect(first.response.id).not.toBe(one.response.id)
    expect(await request(changed)).toEqual({ response: first.response, replayed: true })
  }
  expect(await request(call)).toEqual({ response: one.response, replayed: true })
})

test('a request is found as repeated only by its own seller, method and path', async () => {
  const keyed = (change = {}): Call => {
    const call = callWith('found')
    return { ...call, idempotency: { ...call.idempotency!, ...change } }
  }
  await request(keyed())
  const network = await openTestNetwork()
  const log = createLog('test', 'silent')
  const { address } = await network.serve('orders', [idempotencyService({ log, pool: database.pool })])
  const marks = await network.clientOf(IdempotencyClient, address, 'gateway')
  const find = (call: Call, sellerId = 7) =>
    runCall(call, () => callRpc(marks, marks.findRequest, { sellerId, key: 'found' }))
  expect(await find(keyed())).toMatchObject({ method: 'POST', path: '/things', isRepeated: true })
  for (const found of [find(keyed(), 8), find(keyed({ method: 'PUT' })), find(keyed({ path: '/others' }))]) {
    await expect(found).rejects.toMatchObject({ kind: 'not_found' })
  }
  await network.close()
})

test('a mark in flight answers IN_USE until its operation completes', async () => {
  const mark = runCall(callWith('f'), () => newMark(7))
  await withTransaction(database.pool, (tx) => insertMark(tx, mark))
  await expect(request(callWith('f'))).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'IDEMPOTENCY_KEY_IN_USE',
  })

  await answerMark(database.pool, mark.operationId, Seller.encode(await work()).finish())
  await expect(request(callWith('f'))).resolves.toMatchObject({
    response: { name: 'Loja' },
    replayed: true,
  })
})

test('done marks are forgotten after 7 days, marks in flight are not', async () => {
  const mark = runCall(callWith('g'), () => newMark(7))
  await withTransaction(database.pool, (tx) => insertMark(tx, mark))
  await request(callWith('h'))
  await database.pool.query(
    "UPDATE idempotency SET created_at = now() - interval '8 days' WHERE key IN ('g', 'h')",
  )

  expect(await forgetMarks(database.pool)).toBe(1)
  const { rows } = await database.pool.query("SELECT key FROM idempotency WHERE key IN ('g', 'h')")
  expect(rows).toEqual([{ key: 'g' }])
})
