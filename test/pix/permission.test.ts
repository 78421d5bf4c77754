import { randomUUID } from 'node:crypto'
import { PixPermissionStatus } from '@cofre/proto/invoices/v1/pix'
import { BillingFrequency, CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import type { FaultKind } from '../../sandbox/src/faults'
import { recRoutes } from '../../sandbox/src/pix/automatic/rec-routes'
import { chargeKey } from '../../sandbox/src/pix/charges/charge'
import { codeWithPermission } from '../../services/invoices/src/pix/rules/code-with-permission'
import { moveClock, now } from '../../services/invoices/src/clock/billing-clock'
import { keepKey } from '../../services/invoices/src/pix/store/pix-account-store'
import { cancelRecurring } from '../../services/invoices/test/support/recurring'
import {
  ask,
  atDay,
  cancelPermission,
  decide,
  eventsOf,
  lastInvoice,
  lookAtPermissions,
  permissionOf,
  permittable,
  permitted,
  recOf,
  report,
  runJobs,
} from './permitted'
import { atBank, CLIENT, issue, lookAtKeys, startPix, type TestPix } from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
beforeEach(() => atDay(pix, '2055-01-31'))
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
})

const { CREATED, APPROVED, REJECTED, EXPIRED, CANCELLED, PENDING } = PixPermissionStatus

test('a permission says to the payer’s bank what is collected, how often, from when on, and for how much', async () => {
  const recurring = await permittable(pix)
  const permission = await ask(pix, recurring)
  expect(permission).toMatchObject({ status: CREATED, firstCycle: 1, amount: 9_980, cancelling: false })
  expect(recOf(pix, permission).terms).toMatchObject({
    vinculo: { contrato: String(recurring.id), objeto: 'Caneca' },
    calendario: { dataInicial: '2055-01-31', periodicidade: 'MENSAL' },
    valor: { valorRec: '99.80' },
    politicaRetentativa: 'PERMITE_3R_7D',
  })
  expect(await permissionOf(pix, recurring)).toEqual(permission)
})

test('a repeat brings the open permission; the bank has one', async () => {
  const recurring = await permittable(pix)
  const [one, other] = await Promise.all([ask(pix, recurring), ask(pix, recurring)])
  expect(other.id).toBe(one.id)
  expect((await ask(pix, recurring)).recId).toBe((await permissionOf(pix, recurring))?.recId)
})

test('a cycle with items of its own leaves the amount to each invoice', async () => {
  const recurring = await permittable(pix)
  await pix.pool.query(
    `INSERT INTO recurring_items (recurring_invoice_id, id, product_id, description, quantity, unit_price, cycle)
     SELECT recurring_invoice_id, 2, product_id, 'x', 1, 100, 3 FROM recurring_items WHERE recurring_invoice_id = $1`,
    [recurring.id],
  )
  const permission = await ask(pix, recurring)
  expect(permission.amount).toBeUndefined()
  expect(recOf(pix, permission).terms.valor).toBeUndefined()
})

test.each([
  ['APROVADA', APPROVED, ['created', 'pix_permission_approved'], ''],
  ['REJEITADA', REJECTED, ['created', 'pix_permission_rejected'], 'AP13'],
  ['EXPIRADA', EXPIRED, ['created', 'pix_permission_expired'], ''],
  ['CANCELADA', CANCELLED, ['created', 'pix_permission_cancelled'], 'SLDB'],
] as const)('a permission that the bank reports as %s', async (status, known, events, code) => {
  const recurring = await permittable(pix)
  const permission = await ask(pix, recurring)
  await decide(pix, permission, status)
  await lookAtPermissions(pix)
  await lookAtPermissions(pix)
  expect(await permissionOf(pix, recurring)).toMatchObject({ status: known, code, copyAndPaste: '' })
  expect(await eventsOf(pix, recurring)).toEqual(events)
})

test('a decision that no notice reports is found by the daily look', async () => {
  const recurring = await permittable(pix)
  const permission = await ask(pix, recurring)
  pix.bank.recs.save({ ...recOf(pix, permission), history: [{ status: 'APROVADA', at: now() }] })
  await lookAtPermissions(pix)
  expect((await permissionOf(pix, recurring))?.status).toBe(CREATED)
  atDay(pix, '2055-02-02')
  await lookAtPermissions(pix)
  expect((await permissionOf(pix, recurring))?.status).toBe(APPROVED)
})

const fault = (kind: FaultKind) =>
  pix.faults.add({ partner: 'PIX_BANK', kind, times: 1, delayMs: 0, changes: true, queries: false })

test.each([
  ['the place of its QR code', []],
  ['the permission', ['SLOW']],
] as const)(
  'the bank’s answer to %s gets lost in any way: there is one permission',
  async (_call, before) => {
    for (const kind of ['ANSWER_LOST', 'DONE_500', 'NOT_REACHED', 'HTTP_500'] as const) {
      const recurring = await permittable(pix)
      const known = pix.bank.recs.all().length
      for (const each of [...before, kind]) fault(each)
      expect((await ask(pix, recurring)).status).toBe(PENDING)
      moveClock(now() - Date.now() + 60_000)
      await lookAtPermissions(pix)
      expect((await permissionOf(pix, recurring))?.status).toBe(CREATED)
      expect(pix.bank.recs.all().length - known).toBe(1)
    }
  },
)

test('two keys of one account share its address for permissions and collections: both are heard of there', async () => {
  const recurring = await permittable(pix)
  const permission = await ask(pix, recurring)
  const other = randomUUID()
  await keepKey(pix.pool, { account: other, sellerId: recurring.sellerId, at: now() })
  await pix.pool.query('UPDATE pix_permissions SET account = $1 WHERE id = $2', [other, permission.id])
  await lookAtKeys(pix)
  const addresses = () => pix.bank.webhooks.all().filter(({ subject }) => subject === 'rec')
  const first = addresses()
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second'")
  await lookAtKeys(pix)
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second'")
  await lookAtKeys(pix)
  expect(addresses()).toEqual(first)

  const later = new Date(now() + 86_400_000)
  await pix.pool.query('UPDATE pix_permissions SET ask_at = $1 WHERE id = $2', [later, permission.id])
  await report(pix, { recs: [{ idRec: permission.recId }] })
  const isDue = 'SELECT FROM pix_permissions WHERE id = $1 AND ask_at < $2'
  expect((await pix.pool.query(isDue, [permission.id, later])).rowCount).toBe(1)
})

test('the seller cancels it: the bank has ended it, also when an answer was lost', async () => {
  const { recurring, permission } = await permitted(pix)
  fault('ANSWER_LOST')
  expect(await cancelPermission(pix, recurring)).toMatchObject({ status: APPROVED, cancelling: true })
  moveClock(now() - Date.now() + 60_000)
  await lookAtPermissions(pix)
  expect(await permissionOf(pix, recurring)).toMatchObject({
    status: CANCELLED,
    cancelling: false,
    endedBy: 'USUARIO_RECEBEDOR',
  })
  expect(recOf(pix, permission).history.at(-1)?.status).toBe('CANCELADA')
  expect((await cancelPermission(pix, recurring)).status).toBe(CANCELLED)
})

test('a recurring invoice that is cancelled ends its permission', async () => {
  const { recurring } = await permitted(pix)
  await cancelRecurring(pix, recurring)
  await lookAtPermissions(pix)
  expect((await permissionOf(pix, recurring))?.status).toBe(CANCELLED)
})

test('the code of an invoice’s charge asks for the permission too, as the bank writes it; until the payer decided', async () => {
  const recurring = await permittable(pix)
  await runJobs(pix)
  const invoice = await lastInvoice(pix, recurring)
  const charge = await issue(pix, invoice)
  const permission = await permissionOf(pix, recurring)
  if (!permission) throw new Error('no permission was asked for')
  const show = recRoutes.find(([method, path]) => method === 'get' && path === '/rec/:idRec')?.[3]
  const shown = show?.(pix.bank, {
    client: CLIENT,
    params: { idRec: permission.recId },
    query: { txid: charge.txid },
    body: undefined,
    now: now(),
  })
  expect(shown?.body).toMatchObject({ dadosQR: { jornada: 'JORNADA_4', pixCopiaECola: charge.copyAndPaste } })
  await decide(pix, permission, 'APROVADA')
  await lookAtPermissions(pix)
  const plain = pix.bank.charges.get(chargeKey({ client: CLIENT, txid: charge.txid }))
  expect(plain).toBe(atBank(pix, charge))
  const after = await issue(pix, invoice)
  expect(after.txid).toBe(charge.txid)
  expect(codeWithPermission(after.copyAndPaste, permission.copyAndPaste)).toBe(charge.copyAndPaste)
})

const pixOnly = {
  acceptedMethods: [
    { method: PaymentMethod.PIX, cardSettings: undefined, boletoSettings: undefined, pixSettings: undefined },
  ],
  splits: [],
  notificationUrl: '',
  successUrl: '',
  partialPayments: false,
  discounts: [],
  fine: undefined,
  interest: undefined,
}

test('Pix Automático collects without a card; a frequency that it does not have is refused with words', async () => {
  const recurring = await permittable(pix, { terms: pixOnly })
  expect((await ask(pix, recurring)).status).toBe(CREATED)
  await expect(
    permittable(pix, { terms: pixOnly, frequency: BillingFrequency.BIWEEKLY }),
  ).rejects.toMatchObject({
    extra: { errors: [{ pointer: '#/billingFrequency', code: 'OTHER_METHOD' }] },
  })
  const byCard = await permittable(pix, { frequency: BillingFrequency.BIWEEKLY })
  await expect(ask(pix, byCard)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
})

test('a recurring invoice that is mailed, or whose seller has no account for it, asks for no permission', async () => {
  const mailed = await permittable(pix, { collectionMethod: CollectionMethod.SEND_INVOICE })
  await expect(ask(pix, mailed)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
  const recurring = await permittable(pix)
  pix.accounts.enabled.delete(recurring.sellerId)
  await expect(ask(pix, recurring)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
})
