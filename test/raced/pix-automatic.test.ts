import { eventually } from '@cofre/testing/testing'
import { INVOICES, move, newShop, read, write, type Shop } from '../journeys/shop'
import { discard, startSystem, type Answer, type System } from '../journeys/system'

const MANY = 6
const AMOUNT = 9_900
const DAY_MS = 86_400_000
/** High limits: a test sends many requests at once. */
const PATIENT = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000' }
const RECURRING = '/api/v2/recurring-invoices'
const RACED_MS = 600_000

let system: System
let shop: Shop
/** The billing clock, which only moves forward. */
let today = Date.now()
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (_name, settings) => ({ ...settings, ...PATIENT }) })
  shop = await newShop(system)
  const pixReceiver = { branch: '0001', account: '1234567', type: 'CHECKING' }
  const settings = { lateness: 'WAIVE', pixReceiver }
  expect((await write(system, 'PUT', '/api/v2/invoices/settings', { body: settings })).status).toBe(200)
})
afterAll(async () => {
  await discard(system)
})

type AtBank = { txid: string; idRec: string; status: string }
type Permission = { recId: string; status: string }

async function advance(to: number): Promise<void> {
  const answer = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to } })
  expect([answer.status, answer.body.code]).toEqual([200, undefined])
  today = to
}

/** A recurring invoice that is billed for the first time in so many days, and collected by Pix Automático. */
async function newRecurring(days: number): Promise<number> {
  const made = await write(system, 'POST', `/api/v2/sellers/${system.ready.sellerId}/recurring-invoices`, {
    body: {
      customerId: shop.customerId,
      billingCycleStartDate: today + days * DAY_MS,
      daysUntilDue: 5,
      billingFrequency: 'YEARLY',
      collectionMethod: 'CHARGE_AUTOMATICALLY',
      acceptedPaymentMethods: [{ method: 'PIX' }],
      recurringItems: [{ productId: shop.productId, quantity: 1, unitPriceInCents: AMOUNT }],
    },
  })
  expect([made.status, made.body.code]).toEqual([201, undefined])
  return made.body.id
}

const permissionAt = (id: number) => `${RECURRING}/${id}/pix-permission`
const permissionOf = async (id: number): Promise<Permission> => (await read(system, permissionAt(id))).body
const cancel = (id: number) => write(system, 'POST', `${permissionAt(id)}/cancel`)
const accept = (recId: string): Promise<Answer> => system.sandbox('POST', `/pix/recs/${recId}/accept`, {})
const settle = (txid: string): Promise<unknown> => system.sandbox('POST', `/pix/cobrs/${txid}/settle`, {})
const statusOf = async (id: number) => (await read(system, `${INVOICES}/${id}`)).body.status as string
const atBank = async (recId: string): Promise<AtBank[]> =>
  ((await system.sandbox('GET', '/pix/cobrs')) as AtBank[]).filter(({ idRec }) => idRec === recId)

async function asked(id: number): Promise<Permission> {
  expect((await write(system, 'POST', permissionAt(id))).status).toBe(201)
  return eventually(async () => {
    const permission = await permissionOf(id)
    expect(permission.status).toBe('CREATED')
    return permission
  })
}

/** A recurring invoice that its payer has permitted. */
async function permitted(days: number): Promise<{ id: number; recId: string }> {
  const id = await newRecurring(days)
  const { recId } = await asked(id)
  await accept(recId)
  await eventually(async () => expect((await permissionOf(id)).status).toBe('APPROVED'))
  return { id, recId }
}

/** Invoices whose collections the payer's bank makes today. */
async function collectedToday() {
  const all = await Promise.all(Array.from({ length: MANY }, () => permitted(2)))
  await advance(today + 3 * DAY_MS)
  const flying = await Promise.all(
    all.map(async ({ id, recId }) => {
      const collections = await eventually(async () => {
        const found = await atBank(recId)
        expect(found).toMatchObject([{ status: 'ATIVA' }])
        return found
      })
      const [invoice] = (await read(system, `${RECURRING}/${id}/invoices`)).body.content
      return { id, recId, invoiceId: invoice.id as number, txid: collections[0]?.txid ?? '' }
    }),
  )
  await advance(today + 8 * DAY_MS)
  return flying
}

/** Waits until bank and books agree about an invoice: what the bank collected pays it, or waits for a person. */
async function agreed(recId: string, invoiceId: number, cash = 0): Promise<string> {
  return eventually(async () => {
    const collected = (await atBank(recId)).filter(({ status }) => status === 'CONCLUIDA').length * AMOUNT
    const { body: invoice } = await read(system, `${INVOICES}/${invoiceId}`)
    const { body: page } = await read(system, `${INVOICES}/unexpected-receipts?size=100`)
    const receipts: { invoiceId: number; openInCents: number }[] = page.content
    const waiting = receipts.filter((receipt) => receipt.invoiceId === invoiceId)
    const open = waiting.reduce((sum, { openInCents }) => sum + openInCents, 0)
    expect([invoiceId, invoice.paidInCents + open]).toEqual([invoiceId, collected + cash])
    expect(invoice.paidInCents).toBe(invoice.status === 'PAID' ? AMOUNT : 0)
    return invoice.status as string
  })
}

test(
  'a permission accepted at the instant at which its seller cancels it is cancelled, here and at the bank',
  async () => {
    const ids = await Promise.all(Array.from({ length: MANY }, () => newRecurring(30)))
    const permissions = await Promise.all(ids.map(asked))
    await Promise.all(ids.flatMap((id, nth) => [cancel(id), accept(permissions[nth]?.recId ?? '')]))
    await eventually(async () => {
      for (const id of ids) expect((await permissionOf(id)).status).toBe('CANCELLED')
    })
    const recs: { idRec: string; status: string }[] = await system.sandbox('GET', '/pix/recs')
    const known = new Map(recs.map(({ idRec, status }) => [idRec, status]))
    expect(permissions.map(({ recId }) => known.get(recId))).toEqual(ids.map(() => 'CANCELADA'))
  },
  RACED_MS,
)

test(
  'a permission cancelled while its collections are being sent leaves none that is still collected',
  async () => {
    const all = await Promise.all(Array.from({ length: MANY }, () => permitted(2)))
    await Promise.all([advance(today + 3 * DAY_MS), ...all.map(({ id }) => cancel(id))])
    await eventually(async () => {
      for (const { id, recId } of all) {
        expect((await permissionOf(id)).status).toBe('CANCELLED')
        expect((await atBank(recId)).filter(({ status }) => status !== 'CANCELADA')).toEqual([])
      }
    })
  },
  RACED_MS,
)

test(
  'collected at the instant at which the permission or the invoice ends, or cash comes: every cent is booked once',
  async () => {
    const flying = await collectedToday()
    const ways = ['permission', 'void', 'cash'] as const
    const raced = flying.map((one, nth) => ({ ...one, way: ways[nth % ways.length] }))
    await Promise.all(
      raced.flatMap(({ id, invoiceId, txid, way }) => [
        settle(txid),
        way === 'permission'
          ? cancel(id)
          : way === 'void'
            ? move(system, invoiceId, 'void')
            : write(system, 'POST', `${INVOICES}/${invoiceId}/payments/external`, {
                body: { amountInCents: AMOUNT, paidAt: Date.now() - 1_000, kind: 'CASH' },
              }),
      ]),
    )
    for (const { recId, invoiceId, way } of raced) {
      // Cash that came too late was refused: then the collection paid.
      const movements = (await read(system, `${INVOICES}/${invoiceId}/movements`)).body.content
      const cash = movements.filter(({ method }: { method: string }) => method === 'EXTERNAL').length * AMOUNT
      const status = await agreed(recId, invoiceId, cash)
      // From the day of its first try on, nobody stops a collection.
      expect(await atBank(recId)).toMatchObject([{ status: 'CONCLUIDA' }])
      if (way === 'cash') expect(status).toBe('PAID')
      if (way === 'void') expect(['PAID', 'CANCELLED']).toContain(status)
      expect(await statusOf(invoiceId)).toBe(status)
    }
  },
  RACED_MS,
)
