import { ChargeAction } from '@cofre/proto/orders/v1/orders'
import { DisputeStage, DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import {
  accept,
  ask,
  captured,
  contest,
  disputed,
  eventsOf,
  keptPieces,
  list,
  PDF,
  read,
  tidOf,
} from '../support/disputes'
import { get, newSeller, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

test('a case of the acquirer becomes a dispute of its charge', async () => {
  const { charge, dispute, found } = await disputed(orders, { deadline: '2099-12-18' })
  expect(dispute).toMatchObject({
    chargeId: charge.id,
    payment: 0,
    status: DisputeStatus.NEEDS_RESPONSE,
    stage: DisputeStage.CHARGEBACK,
    amount: 10_000,
    withdrawnAmount: 10_000,
    reason: { code: '104', brand: 'VISA', text: 'Outra fraude: cartão ausente' },
    respondBy: '2099-12-18',
    acquirerCaseId: found.idCase,
    lastFour: '1111',
    orderReference: 'A-1',
    answering: false,
  })
  expect(dispute.history).toMatchObject([{ status: DisputeStatus.NEEDS_RESPONSE, text: '' }])
  expect(await eventsOf(orders, dispute)).toEqual(['dispute.opened'])
  expect((await get(orders, charge)).disputedAmount).toBe(10_000)
  // Asked again, nothing is new.
  expect(await ask(orders, charge.sellerId)).toEqual([dispute])
})

test('a case is matched by its receipt when it names no tid, and kept when it matches nothing', async () => {
  const { charge, number } = await captured(orders)
  const { nsu = '', authorizationCode: authorization = '' } = charge.payments[0]?.acquirer ?? {}
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(charge.createdAt)
  const cases = orders.acquirer.disputes
  cases.open(number, { sale: { nsu, authorization, date } })
  cases.open(number, { sale: { nsu, authorization, date: '2020-01-01' } })
  cases.open(number, { sale: { nsu, authorization, date }, amount: 100.01 })
  const found = await ask(orders, charge.sellerId)
  expect(found.map(({ chargeId }) => chargeId)).toEqual([undefined, undefined, charge.id])
  expect((await get(orders, charge)).disputedAmount).toBe(10_000)
})

test('an accepted dispute is lost at once, and answered once', async () => {
  const { dispute, found } = await disputed(orders)
  const accepted = await accept(orders, dispute)
  expect(accepted).toMatchObject({
    status: DisputeStatus.ACCEPTED,
    withdrawnAmount: 10_000,
    answering: false,
  })
  await expect(accept(orders, dispute)).rejects.toMatchObject({ reason: 'INVALID_DISPUTE_STATE' })
  await ask(orders, dispute.sellerId)
  expect(await read(orders, dispute)).toMatchObject({ status: DisputeStatus.ACCEPTED })
  expect(found.answers).toHaveLength(1)
  expect(await eventsOf(orders, dispute)).toEqual(['dispute.opened', 'dispute.lost'])
})

test('a contested dispute is won, opened by a later stage, and lost', async () => {
  const { charge, dispute, found } = await disputed(orders)
  const { response: contested } = await contest(orders, dispute)
  expect(contested).toMatchObject({
    status: DisputeStatus.UNDER_REVIEW,
    evidence: { fileName: 'entrega.pdf', contentType: 'application/pdf', size: PDF.length },
  })
  const [sent] = found.answers
  expect(sent?.body.includes(PDF)).toBe(true)
  expect(sent?.body.toString('latin1')).toContain(`filename="${found.idCase}.pdf"`)
  expect(await keptPieces(orders)).toBe(0)

  found.action = 'A favor do Estabelecimento'
  const [won] = await ask(orders, charge.sellerId)
  expect(won).toMatchObject({ status: DisputeStatus.WON, withdrawnAmount: 0 })
  expect((await get(orders, charge)).disputedAmount).toBe(0)

  orders.acquirer.disputes.reopen(found, 'ARBITRAGEM')
  const [again] = await ask(orders, charge.sellerId)
  expect(again).toMatchObject({
    id: dispute.id,
    status: DisputeStatus.NEEDS_RESPONSE,
    stage: DisputeStage.ARBITRATION,
    withdrawnAmount: 10_000,
  })
  Object.assign(found, { state: 'done', action: 'A favor do Emissor', actionTakenCode: 'RECUSADO' })
  const [lost] = await ask(orders, charge.sellerId)
  expect(lost).toMatchObject({ status: DisputeStatus.LOST, withdrawnAmount: 10_000 })
  expect((await get(orders, charge)).disputedAmount).toBe(10_000)
  expect(await eventsOf(orders, dispute)).toEqual([
    'dispute.opened',
    'dispute.updated',
    'dispute.won',
    'dispute.opened',
    'dispute.lost',
  ])
})

test('a dispute of a part takes that part, and a request for information takes nothing', async () => {
  const { charge, dispute } = await disputed(orders, { amount: 25.5 })
  expect(dispute).toMatchObject({ amount: 2_550, withdrawnAmount: 2_550 })
  const current = await get(orders, charge)
  expect(current.disputedAmount).toBe(2_550)
  expect(current.allowedActions).toContain(ChargeAction.REFUND)
  const asked = await disputed(orders, { process: 'COBRANCA_AMIGAVEL' })
  expect(asked.dispute).toMatchObject({ stage: DisputeStage.INQUIRY, amount: 10_000, withdrawnAmount: 0 })
})

test('a case that somebody let pass is expired, and one answered at the acquirer is as it says there', async () => {
  const passed = await disputed(orders)
  Object.assign(passed.found, { state: 'done', action: 'A favor do Emissor' })
  const [expired] = await ask(orders, passed.charge.sellerId)
  expect(expired).toMatchObject({ status: DisputeStatus.EXPIRED, withdrawnAmount: 10_000 })
  const answered = await disputed(orders)
  Object.assign(answered.found, {
    state: 'done',
    action: 'Em análise com a Cielo',
    actionTakenCode: 'RECUSADO',
  })
  const [reviewed] = await ask(orders, answered.charge.sellerId)
  expect(reviewed).toMatchObject({ status: DisputeStatus.UNDER_REVIEW, evidence: undefined })
})

test('all pages of an account are read', async () => {
  const { charge, number } = await captured(orders)
  for (let opened = 0; opened < 201; opened += 1) orders.acquirer.disputes.open(number, { sale: {} })
  await ask(orders, charge.sellerId)
  const { rows } = await orders.pool.query(
    'SELECT count(*)::int AS count FROM disputes WHERE seller_id = $1',
    [charge.sellerId],
  )
  expect(rows[0]?.count).toBe(201)
})

test("another seller's dispute is not there", async () => {
  const { dispute } = await disputed(orders)
  const other = { ...dispute, sellerId: await newSeller(orders) }
  await expect(read(orders, other)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(accept(orders, other)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(contest(orders, other)).rejects.toMatchObject({ kind: 'not_found' })
  expect(await list(orders, other.sellerId)).toEqual([])
})

test('a case that the list no longer has is asked for by its name', async () => {
  const { charge, dispute, found } = await disputed(orders)
  await contest(orders, dispute)
  // Older than the list reaches.
  Object.assign(found, { state: 'open', establishmentNumber: '1', action: 'A favor do Estabelecimento' })
  const [won] = await ask(orders, charge.sellerId)
  expect(won).toMatchObject({ status: DisputeStatus.WON, tid: tidOf(charge) })
})
