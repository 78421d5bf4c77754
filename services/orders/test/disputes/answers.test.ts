import { dropAbandoned } from '../../src/dispute-store/evidence-store'
import { createPool } from '@cofre/platform/postgres/postgres'
import { IdempotencyClient, RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import { callRpc } from '@cofre/platform/grpc/client'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { eventually, PATIENT } from '@cofre/testing/testing'
import {
  accept,
  ask,
  contest,
  disputed,
  eventsOf,
  keptPieces,
  passAnswerDeadline,
  PDF,
  read,
  resolveAnswers,
} from '../support/disputes'
import { startOrders, withKey, type TestOrders } from '../support/start-orders'

let orders: TestOrders
let idempotency: IdempotencyClient
beforeAll(async () => {
  orders = await startOrders()
  idempotency = await orders.network.clientOf(IdempotencyClient, orders.address, 'gateway')
})
beforeEach(() => orders.acquirer.faults.clear())
afterAll(() => orders.stop())

test('two answers at once are one answer at the acquirer', async () => {
  const { dispute, found } = await disputed(orders)
  orders.acquirer.fail('refuse', 'slow')
  orders.acquirer.fail('accept', 'slow')
  const answers = [
    contest(orders, dispute),
    contest(orders, dispute),
    accept(orders, dispute),
    accept(orders, dispute),
  ]
  const ended = await Promise.allSettled(answers)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of ended) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ reason: 'INVALID_DISPUTE_STATE' })
  }
  expect(found.answers).toHaveLength(1)
  expect(await keptPieces(orders)).toBe(0)
})

test('a repeat with the same key is the first answer; another file under that key is refused', async () => {
  const { dispute, found } = await disputed(orders)
  const first = await withKey('once', () => contest(orders, dispute))
  const again = await withKey('once', () => contest(orders, dispute))
  expect(again).toEqual({ ...first, replayed: true })
  const other = Buffer.concat([PDF, Buffer.from('!')])
  await expect(withKey('once', () => contest(orders, dispute, { file: other }))).rejects.toMatchObject({
    reason: 'IDEMPOTENCY_KEY_REUSED',
  })
  expect(found.answers).toHaveLength(1)
  expect(await keptPieces(orders)).toBe(0)
})

test.each([
  ['contest', 'refuse', DisputeStatus.UNDER_REVIEW],
  ['accept', 'accept', DisputeStatus.ACCEPTED],
] as const)('a lost answer to a %s is asked about, not repeated', async (kind, call, status) => {
  const { dispute, found } = await disputed(orders)
  orders.acquirer.fail(call, 'answer_lost')
  const answered =
    kind === 'accept' ? await accept(orders, dispute) : (await contest(orders, dispute)).response
  expect(answered).toMatchObject({ status: DisputeStatus.NEEDS_RESPONSE, answering: true })
  await expect(accept(orders, dispute)).rejects.toMatchObject({ reason: 'INVALID_DISPUTE_STATE' })
  await resolveAnswers(orders)
  expect(await read(orders, dispute)).toMatchObject({ status, answering: false })
  expect(found.answers).toHaveLength(1)
  expect(await keptPieces(orders)).toBe(0)
})

test('an answer that provably did not arrive leaves once more, with its file', async () => {
  const { dispute, found } = await disputed(orders)
  orders.acquirer.fail('refuse', 'lost_undone')
  const { response } = await contest(orders, dispute)
  expect(response.answering).toBe(true)
  // Before its deadline and the grace, an open case proves nothing.
  await resolveAnswers(orders)
  expect(await read(orders, dispute)).toMatchObject({ answering: true })
  expect(found.answers).toHaveLength(0)
  await passAnswerDeadline(orders)
  await Promise.all([resolveAnswers(orders), resolveAnswers(orders)])
  expect(await read(orders, dispute)).toMatchObject({ status: DisputeStatus.UNDER_REVIEW, answering: false })
  expect(found.answers).toHaveLength(1)
  expect(found.answers[0]?.body.includes(PDF)).toBe(true)
  expect(await keptPieces(orders)).toBe(0)
  expect(await eventsOf(orders, dispute)).toEqual(['dispute.opened', 'dispute.updated'])
})

test('killed between upload and answer: the key is in flight, then has the one answer', async () => {
  const { dispute, found } = await disputed(orders)
  const pool = createPool({ url: orders.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
  const replica = await orders.startReplica(pool)
  orders.acquirer.fail('refuse', 'hang')
  const asked = orders.acquirer.calls.length
  const request = withKey('dies', () => contest(replica, dispute)).catch((error: unknown) => error)
  await eventually(() => expect(orders.acquirer.calls.length).toBeGreaterThan(asked))
  await pool.end()
  orders.acquirer.release()
  expect(await request).toBeInstanceOf(Error)
  const find = () =>
    callRpc(idempotency, idempotency.findRequest, { sellerId: dispute.sellerId, key: 'dies' })
  expect((await find()).state).toBe(RequestState.IN_FLIGHT)
  await resolveAnswers(orders)
  expect((await find()).state).toBe(RequestState.DONE)
  const repeated = await withKey('dies', () => contest(orders, dispute))
  expect(repeated).toMatchObject({ replayed: true, response: { status: DisputeStatus.UNDER_REVIEW } })
  expect(found.answers).toHaveLength(1)
  expect(await keptPieces(orders)).toBe(0)
})

test('an answer that somebody gave at the acquirer first is adopted as it is there', async () => {
  const { dispute, found } = await disputed(orders)
  Object.assign(found, { state: 'done', action: 'A favor do Emissor', actionTakenCode: 'ACATADO' })
  const { response } = await contest(orders, dispute)
  expect(response).toMatchObject({ answering: true })
  await resolveAnswers(orders)
  const after = await read(orders, dispute)
  expect(after).toMatchObject({ status: DisputeStatus.ACCEPTED, answering: false, evidence: undefined })
})

test('a refusal of the acquirer leaves the dispute open, and the key free', async () => {
  const { dispute, found } = await disputed(orders)
  orders.acquirer.fail('refuse', { status: 412, body: { code: '903', message: 'páginas' } })
  await expect(withKey('bad', () => contest(orders, dispute))).rejects.toMatchObject({
    reason: 'DISPUTE_ANSWER_REFUSED',
    message: expect.stringContaining('903'),
  })
  expect(await read(orders, dispute)).toMatchObject({ answering: false, evidence: undefined })
  expect(await keptPieces(orders)).toBe(0)
  await withKey('bad', () => contest(orders, dispute, { reason: 'outra' }))
  expect(found.answers).toHaveLength(1)
})

test('an acquirer that is busy did nothing', async () => {
  const { dispute, found } = await disputed(orders)
  orders.acquirer.fail('accept', { status: 200, body: [{ code: 901 }] })
  await expect(accept(orders, dispute)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' })
  expect(await read(orders, dispute)).toMatchObject({ answering: false })
  await accept(orders, dispute)
  expect(found.answers).toHaveLength(1)
})

test.each([
  ['an unknown kind of file', { contentType: 'image/png' }, '#/file'],
  ['a file that is not what it says', { file: Buffer.from('MZ not a pdf') }, '#/file'],
  ['an empty file', { file: Buffer.alloc(0) }, '#/file'],
  ['no reason', { reason: ' ' }, '#/reason'],
  ['a long reason', { reason: 'x'.repeat(101) }, '#/reason'],
  ['nobody who answers', { answeredBy: 'Ana' }, '#/answeredBy'],
])('%s is refused before anything leaves', async (_, changes, pointer) => {
  const { dispute, found } = await disputed(orders)
  await expect(contest(orders, dispute, changes)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer }] },
  })
  expect(found.answers).toHaveLength(0)
  expect(await keptPieces(orders)).toBe(0)
})

test('a file beyond the limit of the acquirer is not kept', async () => {
  const { dispute, found } = await disputed(orders)
  const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * 1024 * 1024)])
  await expect(contest(orders, dispute, { file })).rejects.toMatchObject({ reason: 'BODY_TOO_LARGE' })
  expect(found.answers).toHaveLength(0)
  expect(await keptPieces(orders)).toBe(0)
})

test('an upload that breaks off leaves nothing, and the dispute as it was', async () => {
  const { dispute } = await disputed(orders)
  async function* broken() {
    yield PDF.subarray(0, 1_000)
    await eventually(async () => expect(await keptPieces(orders)).toBe(1))
    throw new Error('the sender is gone')
  }
  await expect(contest(orders, dispute, { file: broken() })).rejects.toThrow('the sender is gone')
  expect(await read(orders, dispute)).toMatchObject({ answering: false, evidence: undefined })
  await orders.pool.query("UPDATE evidence_chunks SET created_at = now() - interval '2 hours'")
  await dropAbandoned(orders.pool)
  expect(await keptPieces(orders)).toBe(0)
})

test('news of the case that comes while an answer is under way ends the answer', async () => {
  const { dispute, found, charge } = await disputed(orders)
  orders.acquirer.fail('refuse', 'answer_lost')
  await contest(orders, dispute)
  expect(found.state).toBe('done')
  const [adopted] = await ask(orders, charge.sellerId)
  expect(adopted).toMatchObject({ status: DisputeStatus.UNDER_REVIEW, answering: false })
})
