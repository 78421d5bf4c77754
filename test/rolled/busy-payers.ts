import { eventually, restAfter } from '@cofre/testing/testing'
import { INVOICES, invoiceOf, newShop, type Shop } from '../journeys/shop'
import { cardEndingIn, cardFields, type Answer, type System } from '../journeys/system'

export type BusyPayers = {
  /** Ids of invoices that became PAID, by how they were paid. */
  paid: Readonly<Record<'card' | 'boleto' | 'cycle', readonly number[]>>
  /** The unexpected answers and outcomes. */
  failures: readonly string[]
  stop(): Promise<void>
}

const REST_MS = 200
const FAILURES_MAX = 20
const DAY_MS = 86_400_000

type Invoice = { id: number; transactions: { type: string; status: string; chargeId: number | null }[] }

/** Starts payers of the second seller: by card, boleto and automatic charge, until stopped. They repeat nothing. */
export async function startBusyPayers(balanced: System): Promise<BusyPayers> {
  const { sellerId, token } = balanced.ready.secondSeller
  const ready = { ...balanced.ready, sellerId, token }
  const api: System['api'] = (method, path, options) => balanced.api(method, path, { token, ...options })
  const system: System = { ...balanced, ready, api }
  const shop = await newShop(system)
  const payers = payersOf(system, shop)
  const paid = { card: [] as number[], boleto: [] as number[], cycle: [] as number[] }
  const failures: string[] = []
  let stopping = false
  const repeat = async (kind: keyof typeof paid) => {
    while (!stopping && failures.length < FAILURES_MAX) {
      const began = Date.now()
      await payers[kind]().then(
        (id) => paid[kind].push(id),
        (error: Error) => failures.push(`${kind}: ${error.message}`),
      )
      await restAfter(began, REST_MS)
    }
  }
  const paying = Promise.all([repeat('card'), repeat('boleto'), repeat('cycle')])
  const stop = async () => {
    stopping = true
    await paying
  }
  return { paid, failures, stop }
}

/** Functions that make one invoice each and return its id once it is PAID by a single transaction. */
function payersOf(system: System, shop: Shop) {
  const { sellerId } = system.ready
  const ask = async (path: string, due: number, body?: object) => {
    const answer = await system.api('POST', path, body ? { body } : {})
    return expected(answer, due, path)
  }
  const read = async (path: string) => expected(await system.api('GET', path), 200, path)
  const becomesPaid = async (id: number, type: string): Promise<number> => {
    const { transactions }: Invoice = await eventually(async () => {
      const invoice = await read(`${INVOICES}/${id}`)
      expect(invoice.status).toBe('PAID')
      return invoice
    })
    expect(transactions).toMatchObject([{ type, status: 'SUCCEEDED' }])
    return id
  }
  const make = async () => {
    const { id } = await ask(`/api/v2/sellers/${sellerId}/invoices`, 201, invoiceOf(shop))
    return id as number
  }
  const keepCard = () => ask('/api/v2/cards/tokens', 201, cardFields(cardEndingIn(1)))

  const card = async () => {
    const [id, { token }] = [await make(), await keepCard()]
    await ask(`${INVOICES}/${id}/credit-card/pay`, 201, { cardToken: { token } })
    return becomesPaid(id, 'CREDIT_CARD')
  }
  const boleto = async () => {
    const id = await make()
    const { digitableLine } = await ask(`${INVOICES}/${id}/boleto`, 201)
    await system.sandbox('POST', `/boletos/${digitableLine}/pay`, {})
    return becomesPaid(id, 'BOLETO')
  }
  const cycle = async () => {
    const { id: cardId } = await keepCard()
    const items = [{ productId: shop.productId, quantity: 1, unitPriceInCents: 4_990 }]
    const recurring = await ask(`/api/v2/sellers/${sellerId}/recurring-invoices`, 201, {
      ...yesterday(),
      customerId: shop.customerId,
      cardId,
      recurringItems: items,
    })
    const path = `/api/v2/recurring-invoices/${recurring.id}`
    const id = await eventually(async () => {
      const { content } = await read(`${path}/invoices`)
      expect(content).toHaveLength(1)
      return content[0].id as number
    })
    await becomesPaid(id, 'CREDIT_CARD')
    await ask(`${path}/cancel`, 200)
    return id
  }
  return { card, boleto, cycle }
}

/** A cycle that was due for billing and charging yesterday: the sweepers of both replicas find it. */
const yesterday = () => ({
  billingFrequency: 'YEARLY',
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  billingCycleStartDate: Date.now() - DAY_MS,
  isBillingCycleStartDateOverridden: true,
  daysUntilDue: 0,
})

function expected({ status, body }: Answer, due: number, path: string): any {
  if (status === due) return body
  throw new Error(`${path} ${status} ${body?.detail ?? body?.code}`)
}

/** The amounts that the acquirer captured for each of these invoices, in cents. */
export async function takenFor(balanced: System, ids: readonly number[]): Promise<number[][]> {
  const { token } = balanced.ready.secondSeller
  const taken: number[][] = []
  for (const id of ids) {
    const { body } = await balanced.api('GET', `${INVOICES}/${id}`, { token })
    const charge = await balanced.api('GET', `/api/v2/charges/${body.transactions[0].chargeId}`, { token })
    const { orderNumber } = charge.body.payments[0].acquirer
    const payments: { capturedAmount: number }[] = await balanced.sandbox(
      'GET',
      `/acquirer/payments?merchantOrderId=${orderNumber}`,
    )
    taken.push(payments.map(({ capturedAmount }) => capturedAmount))
  }
  return taken
}
