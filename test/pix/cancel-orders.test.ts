import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeAction, ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { get, passDeadlines } from '../../services/orders/test/support/start-orders'
import { resolvePending } from '../../services/orders/test/support/resolve-pending'
import { atBank, charge, nextChange, payAt, startPixOrders, type PixOrders } from './start-pix-orders'

const { PENDING, CAPTURED, EXPIRED } = ChargeStatus

let pix: PixOrders
beforeAll(async () => {
  pix = await startPixOrders()
})
afterAll(() => pix.stop())
afterEach(() => pix.faults.clear())

const cancel = ({ id: chargeId, sellerId }: Charge) =>
  callRpc(pix.client, pix.client.cancelCharge, { sellerId, chargeId })

test('a seller cancels a charge that waits: it is withdrawn at the bank, and EXPIRED; a repeat changes nothing', async () => {
  const made = await charge(pix)
  expect(made.allowedActions).toContain(ChargeAction.CANCEL)
  const over = await cancel(made)
  expect(over).toMatchObject({ status: EXPIRED, transactions: [{ failure: { code: 'CANCELLED' } }] })
  expect(over.allowedActions).not.toContain(ChargeAction.CANCEL)
  expect(atBank(pix, made).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  expect((await cancel(made)).status).toBe(EXPIRED)
  const { rows } = await pix.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
    String(made.id),
  ])
  expect(rows.map(({ type }) => type)).toEqual(['charge.pending', 'charge.expired'])
})

test('a cancellation without an answer is not forgotten: the sweeper withdraws the charge', async () => {
  const made = await charge(pix)
  nextChange(pix, 'HTTP_500')
  expect((await cancel(made)).status).toBe(PENDING)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect((await get(pix, made)).status).toBe(EXPIRED)
})

test('a Pix that came before the cancellation pays the charge; what is paid is not cancelled', async () => {
  const made = await charge(pix)
  payAt(pix, made)
  expect((await cancel(made)).status).toBe(CAPTURED)
  await expect(cancel(made)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
})
