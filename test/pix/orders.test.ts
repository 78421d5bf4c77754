import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeStatus, TransactionStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { createPool } from '@cofre/platform/postgres/postgres'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { termsOf } from '../../sandbox/src/pix/charges/charge'
import { get, passDeadlines, withKey } from '../../services/orders/test/support/start-orders'
import { resolvePending } from '../../services/orders/test/support/resolve-pending'
import { listPendingTooLong } from '../../services/orders/src/charge-store/pending-transaction-store'
import { PIX_KEY } from './start-pix'
import {
  atBank,
  books,
  charge,
  chargeAgain,
  expire,
  newPixSeller,
  nextChange,
  orderOf,
  paid,
  payAt,
  startPixOrders,
  tell,
  told,
  txidOf,
  type PixOrders,
} from './start-pix-orders'

const { PENDING, CAPTURED, EXPIRED, FAILED } = ChargeStatus

let pix: PixOrders
beforeAll(async () => {
  pix = await startPixOrders()
})
afterAll(() => pix.stop())
afterEach(() => pix.faults.clear())

const eventsOf = async (id: number) => {
  const { rows } = await pix.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

const isAsked = async (id: number) => {
  const { rows } = await pix.pool.query('SELECT ask_at IS NOT NULL AS asked FROM charges WHERE id = $1', [id])
  return rows[0].asked
}

test('an order is registered at the bank, and waits for its Pix', async () => {
  const made = await charge(pix, { expiresInSeconds: 900 })
  expect(made).toMatchObject({ status: PENDING, amount: 12_345, authorizedAmount: 0, orderReference: 'A-1' })
  const [payment] = made.payments
  expect(payment).toMatchObject({ card: undefined, status: PENDING })
  expect(payment?.pix?.copyAndPaste).toMatch(/^000201.*6304[0-9A-F]{4}$/)
  expect(payment?.pix?.expiresAt).toBe(made.createdAt + 900_000)
  const { calendario, valor, chave, devedor } = termsOf(atBank(pix, made))
  expect({ calendario, valor, chave, devedor }).toMatchObject({
    calendario: { expiracao: 900 },
    valor: { original: '123.45' },
    chave: PIX_KEY,
    devedor: { cpf: '12345678909', nome: 'Ana Souza' },
  })
  const { copyAndPaste } = await callRpc(pix.client, pix.client.getPixCode, { txid: txidOf(made) })
  expect(copyAndPaste).toBe(payment?.pix?.copyAndPaste)
  expect(await eventsOf(made.id)).toEqual(['charge.pending'])
})

test('a paid order is captured, with its end-to-end id and the payer’s masked document', async () => {
  const made = await charge(pix)
  const { endToEndId } = payAt(pix, made)
  const captured = await told(pix, made)
  expect(captured).toMatchObject({
    status: CAPTURED,
    authorizedAmount: 12_345,
    capturedAmount: 12_345,
    payments: [
      {
        acquirer: { paymentId: endToEndId },
        pix: { payerName: 'Ana Souza', payerDocument: '***456789**' },
      },
    ],
  })
  expect(await eventsOf(made.id)).toEqual(['charge.pending', 'charge.captured'])
  await expect(callRpc(pix.client, pix.client.getPixCode, { txid: txidOf(made) })).rejects.toMatchObject({
    kind: 'not_found',
  })
  // A second report changes nothing, and nobody asks any more.
  expect(await told(pix, made)).toMatchObject({ status: CAPTURED, transactions: captured.transactions })
  expect(await isAsked(made.id)).toBe(false)
})

test('a payment that no webhook reports is found by the sweeper', async () => {
  const made = await charge(pix)
  payAt(pix, made)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(CAPTURED)
})

test('a hint of charges that nobody knows, or in no known words, changes nothing', async () => {
  const made = await paid(pix, await charge(pix))
  await tell(pix, 'ORDERKNOWNBYNOBODY2222222222', txidOf(made).toLowerCase())
  await callRpc(pix.client, pix.client.takePixHint, { body: Buffer.from('<html>'), listed: [] })
  expect(await isAsked(made.id)).toBe(false)
})

test('a repeated key gets the first answer; ten at once make one charge at the bank', async () => {
  const request = orderOf(newPixSeller(pix))
  const once = () => withKey('k1', () => chargeAgain(pix, request))
  const first = await once()
  expect(await once()).toEqual({ response: first.response, replayed: true })
  const other = orderOf(newPixSeller(pix))
  const before = pix.bank.charges.all().length
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => withKey('k2', () => chargeAgain(pix, other))),
  )
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(pix.bank.charges.all().length).toBe(before + 1)
})

test('refused: a seller without an account, no amount, no time', async () => {
  const request = orderOf(newPixSeller(pix))
  pix.accounts.enabled.delete(request.sellerId)
  await expect(withKey('k', () => chargeAgain(pix, request))).rejects.toMatchObject({
    reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
  })
  pix.accounts.enabled.set(request.sellerId, PIX_KEY)
  // The key is free: nothing was done.
  expect((await withKey('k', () => chargeAgain(pix, request))).response.status).toBe(PENDING)
  for (const changes of [{ amount: 0 }, { expiresInSeconds: 59 }, { expiresInSeconds: 86_401 }]) {
    await expect(chargeAgain(pix, { ...request, ...changes })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
    })
  }
})

test('a charge that the bank refuses is FAILED, with the bank’s code', async () => {
  const made = await charge(pix, { customer: { ...orderOf(1).customer!, document: '123' } })
  expect(made).toMatchObject({
    status: FAILED,
    transactions: [{ failure: { code: 'ACQUIRER_REFUSED', acquirerCode: 'CobOperacaoInvalida' } }],
  })
})

test.each(['ANSWER_LOST', 'DONE_500'] as const)(
  '%s: the charge is PENDING, and the bank is asked, not called again',
  async (fault) => {
    nextChange(pix, fault)
    const made = await charge(pix)
    expect(made.payments[0]?.pix?.copyAndPaste).toBe('')
    expect(made.status).toBe(PENDING)
    await passDeadlines(pix, made)
    await resolvePending(pix.deps)
    const known = await get(pix, made)
    expect(known.payments[0]?.pix?.copyAndPaste).toMatch(/^000201/)
    expect(atBank(pix, made).revisions).toHaveLength(1)
    expect(await eventsOf(made.id)).toEqual(['charge.pending', 'charge.pending'])
    expect((await paid(pix, made)).status).toBe(CAPTURED)
  },
)

test('a charge that never reached the bank is FAILED, once the bank’s silence proves it', async () => {
  nextChange(pix, 'HTTP_500')
  const made = await charge(pix)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(PENDING)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect(await get(pix, made)).toMatchObject({
    status: FAILED,
    transactions: [{ failure: { code: 'NOT_SENT' } }],
  })
})

test('a process that dies after the bank registered: the sweeper finds the charge, and answers its key', async () => {
  const pool = createPool({ url: pix.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
  const replica = await pix.startReplica(pool)
  const request = orderOf(newPixSeller(pix))
  const before = pix.bank.charges.all().length
  pix.faults.add({
    partner: 'PIX_BANK',
    kind: 'SLOW',
    times: 1,
    delayMs: 3_000,
    changes: true,
    queries: false,
  })
  const asked = withKey('dies', () => chargeAgain({ ...pix, ...replica }, request)).catch(
    (error: unknown) => error,
  )
  await eventually(() => expect(pix.bank.charges.all().length).toBe(before + 1))
  await pool.end()
  expect(await asked).toBeInstanceOf(Error)
  await expect(withKey('dies', () => chargeAgain(pix, request))).rejects.toMatchObject({
    reason: 'IDEMPOTENCY_KEY_IN_USE',
  })
  await passDeadlines(pix)
  await resolvePending(pix.deps)
  const { response, replayed } = await withKey('dies', () => chargeAgain(pix, request))
  expect([response.status, replayed]).toEqual([PENDING, true])
  expect(response.payments[0]?.pix?.copyAndPaste).toMatch(/^000201/)
  expect(pix.bank.charges.all().length).toBe(before + 1)
})

test('a charge that nobody paid is withdrawn at the bank, and EXPIRED', async () => {
  const made = await charge(pix)
  await expire(pix, made)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect(atBank(pix, made).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  expect(await get(pix, made)).toMatchObject({
    status: EXPIRED,
    authorizedAmount: 0,
    transactions: [{ status: TransactionStatus.FAILED, failure: { code: 'NOT_PAID' } }],
  })
  expect(await eventsOf(made.id)).toEqual(['charge.pending', 'charge.expired'])
})

test('a withdrawal without an answer leaves the charge PENDING until the bank says what became of it', async () => {
  const made = await charge(pix)
  await expire(pix, made)
  nextChange(pix, 'HTTP_500')
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(PENDING)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(EXPIRED)
})

test('a payment at the last moment beats the withdrawal', async () => {
  const made = await charge(pix)
  payAt(pix, made)
  await expire(pix, made)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(CAPTURED)
})

test('a charge waits for its payer without being pending for too long', async () => {
  const made = await charge(pix)
  const { sellerId } = made
  const now = { before: Date.now() + 60_000, sellerId, limit: 10 }
  expect(await listPendingTooLong(pix.pool, now)).toEqual([])
  await expire(pix, made)
  expect(await listPendingTooLong(pix.pool, now)).toMatchObject([{ chargeId: made.id }])
})

test('two Pix for one order: the second is given back, and the charge shows it', async () => {
  const made = await charge(pix)
  payAt(pix, made)
  const second = payAt(pix, made, { forced: true })
  await told(pix, made)
  const captured = await told(pix, made)
  expect(captured).toMatchObject({ status: CAPTURED, capturedAmount: 12_345, refundedAmount: 0 })
  expect(captured.transactions.at(-1)).toMatchObject({
    type: TransactionType.VOID,
    status: TransactionStatus.SUCCEEDED,
    amount: 12_345,
    endToEndId: second.endToEndId,
  })
  expect(books(pix, made)).toEqual([
    { amount: 12_345, returned: [] },
    { amount: 12_345, returned: [12_345] },
  ])
})

test('a Pix of another amount that closes the charge at the bank is given back, and the order says so', async () => {
  const made = await charge(pix)
  payAt(pix, made, { forced: true, amountInCents: 10_000 })
  await told(pix, made)
  expect(await told(pix, made)).toMatchObject({
    status: EXPIRED,
    transactions: [{ failure: { code: 'WRONG_AMOUNT' } }, {}],
  })
  expect(books(pix, made)).toEqual([{ amount: 10_000, returned: [10_000] }])
})

test.each(['a webhook reports', 'the comparison of the books finds'])(
  'a Pix after the end that %s is given back',
  async (how) => {
    const made = await charge(pix)
    await expire(pix, made)
    await passDeadlines(pix, made)
    await resolvePending(pix.deps)
    payAt(pix, made, { forced: true })
    if (how.startsWith('a webhook')) await told(pix, made)
    else await pix.compare(made)
    await passDeadlines(pix, made)
    await resolvePending(pix.deps)
    expect(books(pix, made)).toEqual([{ amount: 12_345, returned: [12_345] }])
    expect(await get(pix, made)).toMatchObject({ status: EXPIRED, capturedAmount: 0 })
  },
)
