import { callRpc } from '@cofre/platform/grpc/client'
import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { askDisputes } from '../../src/sweepers/ask-disputes'
import { passDeadlines } from '../../src/sweepers/dispute-deadlines'
import { accept, captured, disputed, eventsOf, list, newNumber, read, tidOf } from '../support/disputes'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
beforeEach(async () => {
  orders.acquirer.faults.clear()
  await orders.pool.query(
    "UPDATE establishments SET disputes_ask_at = now() + interval '1 day' WHERE disputes_ask_at IS NOT NULL",
  )
})
afterAll(() => orders.stop())

const hint = (establishmentNumber: string) =>
  callRpc(orders.disputes, orders.disputes.takeDisputeHint, { establishmentNumber })
const listCalls = () => orders.acquirer.calls.filter((call) => call.includes('/PENDING')).length

test('an account is asked for once it has a number, and then every six hours', async () => {
  const { charge, number } = await captured(orders)
  orders.acquirer.disputes.open(number, { sale: { tid: tidOf(charge) } })
  expect(await askDisputes(orders.deps)).toBe(1)
  expect(await list(orders, charge.sellerId)).toHaveLength(1)
  expect(await askDisputes(orders.deps)).toBe(0)
  const { rows } = await orders.pool.query<{ hours: number }>(
    'SELECT (extract(epoch FROM disputes_ask_at - now()) / 3600)::float8 AS hours FROM establishments WHERE seller_id = $1',
    [charge.sellerId],
  )
  expect(rows[0]?.hours).toBeCloseTo(6, 1)
})

test('a hint makes the account due at once, at most every ten seconds, and nobody else', async () => {
  const { charge, number } = await captured(orders)
  await askDisputes(orders.deps)
  await orders.pool.query("UPDATE establishments SET disputes_taken_at = now() - interval '1 hour'")
  orders.acquirer.disputes.open(number, { sale: { tid: tidOf(charge) } })
  await hint(number)
  expect(await askDisputes(orders.deps)).toBe(1)
  expect(await list(orders, charge.sellerId)).toHaveLength(1)
  const asked = listCalls()
  await hint(number)
  expect(await askDisputes(orders.deps)).toBe(0)
  expect(listCalls()).toBe(asked)
  expect(await hint('0')).toEqual({})
})

test('without a hint the next look finds what it missed; half a picture is no picture', async () => {
  const { charge, found } = await disputed(orders)
  found.state = 'done'
  found.action = 'A favor do Emissor'
  await orders.pool.query(
    "UPDATE establishments SET disputes_ask_at = now() - interval '1 second' WHERE seller_id = $1",
    [charge.sellerId],
  )
  orders.acquirer.fail('cases', 'none', 'http_500')
  await askDisputes(orders.deps)
  expect((await list(orders, charge.sellerId))[0]).toMatchObject({ status: DisputeStatus.NEEDS_RESPONSE })
  const { rows } = await orders.pool.query<{ seconds: number }>(
    'SELECT extract(epoch FROM disputes_ask_at - now())::float8 AS seconds FROM establishments WHERE seller_id = $1',
    [charge.sellerId],
  )
  expect(rows[0]?.seconds).toBeLessThan(61)
  await orders.pool.query(
    "UPDATE establishments SET disputes_ask_at = now() - interval '1 second' WHERE seller_id = $1",
    [charge.sellerId],
  )
  await askDisputes(orders.deps)
  expect((await list(orders, charge.sellerId))[0]).toMatchObject({ status: DisputeStatus.EXPIRED })
})

/** Its last day was so many days ago, and the sweeper is due to look at it. */
const lastDayWas = ({ id }: { id: number }, days: number) =>
  orders.pool.query(
    "UPDATE disputes SET respond_by = current_date - $2::int, due_at = now() - interval '1 minute' WHERE id = $1",
    [id, days],
  )

test('the seller is reminded once, and a dispute that nobody answered expires five days after its last day', async () => {
  const today = dayOf(Date.now())
  const { dispute } = await disputed(orders, { deadline: addDays(today, 1) })
  await passDeadlines(orders.deps)
  await passDeadlines(orders.deps)
  expect(await eventsOf(orders, dispute)).toEqual(['dispute.opened', 'dispute.response_due'])
  await lastDayWas(dispute, 5)
  await passDeadlines(orders.deps)
  expect(await read(orders, dispute)).toMatchObject({ status: DisputeStatus.NEEDS_RESPONSE })
  await lastDayWas(dispute, 7)
  await passDeadlines(orders.deps)
  expect(await read(orders, dispute)).toMatchObject({
    status: DisputeStatus.EXPIRED,
    withdrawnAmount: 10_000,
  })
})

test('an answer that is under way does not expire', async () => {
  const { dispute } = await disputed(orders)
  orders.acquirer.fail('accept', 'answer_lost')
  await accept(orders, dispute)
  await lastDayWas(dispute, 7)
  await passDeadlines(orders.deps)
  expect(await read(orders, dispute)).toMatchObject({ status: DisputeStatus.NEEDS_RESPONSE, answering: true })
})

test('an establishment number belongs to one establishment, and has up to ten digits', async () => {
  const number = newNumber()
  await newSeller(orders, number)
  await expect(newSeller(orders, number)).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'ESTABLISHMENT_NUMBER_TAKEN',
  })
  await expect(newSeller(orders, '12345678901')).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: '#/establishmentNumber' }] },
  })
})

test('disputes are listed by status, charge, opening and last day', async () => {
  const { dispute, charge } = await disputed(orders, { deadline: '2099-12-18' })
  const none = {
    chargeId: undefined,
    openedFrom: undefined,
    openedTo: undefined,
    respondByTo: undefined,
    after: undefined,
  }
  const find = async (filter: object) => {
    const request = { sellerId: charge.sellerId, page: 0, size: 10, statuses: [], ...none, ...filter }
    return (await callRpc(orders.disputes, orders.disputes.listDisputes, request)).disputes.map(
      ({ id }) => id,
    )
  }
  const { openedAt, id } = dispute
  expect(await find({ statuses: [DisputeStatus.NEEDS_RESPONSE] })).toEqual([id])
  expect(await find({ statuses: [DisputeStatus.WON] })).toEqual([])
  expect(await find({ chargeId: charge.id, openedFrom: openedAt, openedTo: openedAt })).toEqual([id])
  expect(await find({ chargeId: charge.id + 1 })).toEqual([])
  expect(await find({ openedFrom: openedAt + 1 })).toEqual([])
  expect(await find({ respondByTo: '2099-12-18' })).toEqual([id])
  expect(await find({ respondByTo: '2099-12-17' })).toEqual([])
  await expect(find({ respondByTo: 'soon' })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  expect(await find({ after: id })).toEqual([])
})
