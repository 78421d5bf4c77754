import { join } from 'node:path'
import { RequestState, IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { openTestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { newCall, runCall, type IdempotencyKey } from '../../src/grpc/call-context'
import { callRpc } from '../../src/grpc/client'
import { idempotencyService } from '../../src/idempotency/find-request'
import {
  answerMark,
  answerOf,
  answerOfKey,
  fingerprintsOf,
  freeMarksSql,
  insertMark,
  keptAnswer,
  newMark,
  type Mark,
} from '../../src/idempotency/mark'
import { withTransaction } from '../../src/postgres/postgres'
import { createLog } from '../../src/telemetry/log'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
})
afterAll(() => database.drop())

const ANSWER = Buffer.from('answer')
const RUNNING = {
  kind: 'conflict',
  reason: 'IDEMPOTENCY_KEY_IN_USE',
  message: 'The first request with this key is still running.',
  extra: { retryAfterSeconds: 1 },
}
const REUSED = {
  kind: 'failed_precondition',
  reason: 'IDEMPOTENCY_KEY_REUSED',
  message: 'This Idempotency-Key was used for another body.',
}

const keyOf = (key: string, fingerprint = 'f'): IdempotencyKey => ({
  key,
  method: 'POST',
  path: '/things',
  fingerprint,
})
const markOf = (idempotency: IdempotencyKey): Mark =>
  runCall({ ...newCall({ timeoutMs: 60_000 }), idempotency }, () => newMark(7))
const insert = (mark: Mark) => withTransaction(database.pool, (tx) => insertMark(tx, mark))

test('a request without a key, or outside a call, leaves no mark and has no answer', async () => {
  for (const mark of [newMark(7), runCall(newCall({ timeoutMs: 60_000 }), () => newMark(7))]) {
    expect(mark).toMatchObject({ sellerId: 7, key: undefined })
    expect(await insert(mark)).toBeUndefined()
    expect(await answerOfKey(database.pool, mark)).toBeUndefined()
    expect(await answerOf(database.pool, mark.operationId)).toBeUndefined()
    await expect(keptAnswer(database.pool, mark)).rejects.toThrow('without a key')
  }
})

test('a key is new, then in use, then has its answer, and none for another body', async () => {
  const [mark, other] = [markOf(keyOf('a')), markOf(keyOf('a', 'other'))]
  expect(await answerOfKey(database.pool, mark)).toBeUndefined()
  await expect(keptAnswer(database.pool, mark)).rejects.toMatchObject(RUNNING)

  expect(await insert(mark)).toBeUndefined()
  await expect(answerOfKey(database.pool, mark)).rejects.toMatchObject(RUNNING)
  expect(await answerOf(database.pool, mark.operationId)).toBeUndefined()
  await expect(answerOfKey(database.pool, other)).rejects.toMatchObject(REUSED)

  await answerMark(database.pool, mark.operationId, ANSWER)
  expect(await answerOfKey(database.pool, mark)).toEqual(ANSWER)
  expect(await answerOf(database.pool, mark.operationId)).toEqual(ANSWER)
  expect(await insert(markOf(keyOf('a')))).toEqual(ANSWER)
  await expect(answerOfKey(database.pool, other)).rejects.toMatchObject(REUSED)
})

test('an operation frees its mark in flight where the condition holds; a mark with its answer stays', async () => {
  const [running, done] = [markOf(keyOf('b')), markOf(keyOf('c'))]
  await insert(running)
  await insert(done)
  await answerMark(database.pool, done.operationId, ANSWER)
  const free = (when: string) =>
    database.pool.query(freeMarksSql('$1', when), [[running.operationId, done.operationId]])
  expect((await free('false')).rowCount).toBe(0)
  await expect(answerOfKey(database.pool, running)).rejects.toMatchObject(RUNNING)
  expect((await free('true')).rowCount).toBe(1)
  expect(await answerOfKey(database.pool, running)).toBeUndefined()
  expect(await answerOfKey(database.pool, done)).toEqual(ANSWER)
})

test('the other fingerprints of a body come after its own', () => {
  const key = keyOf('k')
  expect(fingerprintsOf(key)).toEqual(['f'])
  expect(fingerprintsOf({ ...key, otherFingerprints: ['g'] })).toEqual(['f', 'g'])
})

test('a key is found with the state of its request: in flight, then done with the answer', async () => {
  const network = await openTestNetwork()
  const log = createLog('test', 'silent')
  const { address } = await network.serve('orders', [idempotencyService({ log, pool: database.pool })])
  const marks = await network.clientOf(IdempotencyClient, address, 'gateway')
  const find = () => callRpc(marks, marks.findRequest, { sellerId: 7, key: 'd' })
  await expect(find()).rejects.toMatchObject({ message: expect.stringContaining('No answer is kept') })
  const mark = markOf(keyOf('d'))
  await insert(mark)
  expect(await find()).toMatchObject({
    method: 'POST',
    path: '/things',
    state: RequestState.IN_FLIGHT,
    response: Buffer.alloc(0),
    completedAt: undefined,
    createdAt: expect.any(Number),
    isRepeated: false,
  })
  await answerMark(database.pool, mark.operationId, ANSWER)
  const done = { state: RequestState.DONE, response: ANSWER, completedAt: expect.any(Number) }
  expect(await find()).toMatchObject(done)
  await network.close()
})
