import { eventually } from '@cofre/testing/testing'
import { newShop, read, write, type Shop } from './shop'
import { discard, startSystem, type System } from './system'

const DAY_MS = 86_400_000
const RECURRING = '/api/v2/recurring-invoices'

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const advance = async (to: number) => {
  const { status } = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to } })
  expect(status).toBe(200)
}
const permissionOf = async (id: number) => (await read(system, `${RECURRING}/${id}`)).body.pixPermission
const collectionOf = async (id: number) => (await read(system, `/api/v2/invoices/${id}/pix-collection`)).body
const newestOf = async (id: number) => (await read(system, `${RECURRING}/${id}/invoices`)).body.content[0]

test('a payer pays the first invoice and permits the others by one code: each is collected, until the seller cancels', async () => {
  const pixReceiver = { branch: '0001', account: '1234567', type: 'CHECKING' }
  const settings = { lateness: 'WAIVE', pixReceiver }
  expect((await write(system, 'PUT', '/api/v2/invoices/settings', { body: settings })).status).toBe(200)
  const made = await write(system, 'POST', `/api/v2/sellers/${system.ready.sellerId}/recurring-invoices`, {
    body: {
      customerId: shop.customerId,
      daysUntilDue: 5,
      billingFrequency: 'MONTHLY',
      collectionMethod: 'CHARGE_AUTOMATICALLY',
      acceptedPaymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'PIX' }],
      recurringItems: [{ productId: shop.productId, quantity: 1, unitPriceInCents: 9_900 }],
    },
  })
  const { id } = made.body
  await eventually(async () => expect(await newestOf(id)).toMatchObject({ cycle: 1 }))
  const first = await newestOf(id)
  const { body: charge } = await write(system, 'POST', `/api/v2/invoices/${first.id}/pix`)
  expect(await permissionOf(id)).toMatchObject({ status: 'CREATED', amountInCents: 9_900, firstCycle: 2 })
  await system.sandbox('POST', '/pix/pay', { copyAndPaste: charge.copyAndPaste })
  const { recId } = await permissionOf(id)
  await system.sandbox('POST', `/pix/recs/${recId}/accept`, { journey: 'JORNADA_4' })
  await eventually(async () => {
    expect((await read(system, `/api/v2/invoices/${first.id}`)).body.status).toBe('PAID')
    expect(await permissionOf(id)).toMatchObject({ status: 'APPROVED' })
  })

  for (const codes of [[], ['AM02'], ['AC05']]) {
    const { nextCycleDate, nextCycleDueDate } = (await read(system, `${RECURRING}/${id}`)).body
    await advance(nextCycleDate)
    const invoice = await newestOf(id)
    await eventually(async () => expect(await collectionOf(invoice.id)).toMatchObject({ status: 'ACTIVE' }))
    for (const code of codes) await system.sandbox('POST', '/pix/cobrs/next', { code, idRec: recId })
    // Banks move a first try that falls on a weekend or a holiday, by five days at most.
    await advance(nextCycleDueDate + 5 * DAY_MS)
    await system.sandbox('POST', '/pix/cobrs/collect', {})
    const failed = codes.map((code) => expect.objectContaining({ status: 'REJECTED', code }))
    await eventually(async () => {
      const { tries } = await collectionOf(invoice.id)
      expect(tries.slice(0, codes.length)).toEqual(failed)
      expect(tries.at(-1).status).toBe(
        codes[0] === undefined ? 'PAID' : codes[0] === 'AM02' ? 'SCHEDULED' : 'REJECTED',
      )
    })
    await advance(nextCycleDueDate + 9 * DAY_MS)
    await system.sandbox('POST', '/pix/cobrs/collect', {})
    const isFinal = codes[0] === 'AC05'
    await eventually(async () =>
      expect((await read(system, `/api/v2/invoices/${invoice.id}`)).body.status).toBe(
        isFinal ? 'CLOSED' : 'PAID',
      ),
    )
  }
  expect((await write(system, 'POST', `${RECURRING}/${id}/pix-permission/cancel`)).status).toBe(200)
  await eventually(async () =>
    expect(await permissionOf(id)).toMatchObject({ status: 'CANCELLED', endedBy: 'USUARIO_RECEBEDOR' }),
  )
})
