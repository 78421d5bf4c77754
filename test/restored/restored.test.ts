import { eventually } from '@cofre/testing/testing'
import { describeWith } from '../../engines/src/describe-with'
import { authorizeBody, cardToken, customer } from '../journeys/system'
import { endAll, type Ends } from './ends'
import { startProduct, type Product } from './product'

type Charge = {
  id: number
  status: string
  capturedAmount: number
  payments: { acquirer: { orderNumber: string } }[]
}
type Told = { id: string; sequence: number; resource: { id: number } }
/** The inbox of an endpoint of the seller, which gets all events. */
const ENDPOINT = 'endpoint'
type Sale = { merchantOrderId: string; capturedAmount: number }

const LOGS = { postgres: 'psql', kafka: 'kafka tools and psql' } as const
/** Words of the blocks of the page that read the log, by event log. */
const READ_TOLD = { postgres: 'psql "$EVENT_LOG" -Atc', kafka: '--group restore' } as const
const READ_AGAIN = { postgres: 'UPDATE event_log_groups', kafka: '--group notifier.$topic' } as const

for (const eventLog of ['postgres', 'kafka'] as const) {
  describeWith(LOGS[eventLog], `a restore by the page, the event log in ${eventLog}`, () =>
    restores(eventLog),
  )
}

function restores(eventLog: keyof typeof LOGS): void {
  let product: Product
  let orders = 0
  const ends: Ends = []
  beforeAll(async () => {
    product = await startProduct(eventLog, ends)
    const { status } = await api('POST', '/webhooks/endpoints', { url: urlOf(ENDPOINT) })
    expect(status).toBe(201)
  })
  afterAll(() => endAll(ends))

  const api = async (method: string, path: string, body?: unknown) => {
    const { api: ask } = product.system
    return ask(method, `/api/v2${path}`, body === undefined ? {} : { body })
  }
  const urlOf = (inbox: string) => `${product.system.ready.sandboxInboxUrl}/${inbox}`
  const sellerPath = () => `/sellers/${product.system.ready.sellerId}/orders/credit-card`
  /** Makes a direct charge that notifies the inbox. */
  const sell = async (inbox: string, token?: string): Promise<Charge & { externalReference: number }> => {
    const { body } = await api('POST', `${sellerPath()}/charge`, {
      amount: 1_000,
      installments: 1,
      customer,
      externalReference: ++orders,
      cardToken: { token: token ?? (await cardToken(product.system, 1)) },
      notificationUrl: urlOf(inbox),
    })
    expect(body.status).toBe('CAPTURED')
    return body
  }
  const read = async ({ id }: Charge) => (await api('GET', `/charges/${id}`)).body
  const told = async (inbox: string): Promise<Told[]> => {
    const posts: { body: string }[] = await product.system.sandbox('GET', `/inbox/${inbox}`)
    return posts.map(({ body }) => JSON.parse(body))
  }
  const untilTold = (inbox: string, sequences: number[]) =>
    eventually(async () => expect((await told(inbox)).map(({ sequence }) => sequence)).toEqual(sequences))
  const untilEndpointTold = ({ id }: Charge, sequences: number[]) =>
    eventually(async () => {
      const ofCharge = (await told(ENDPOINT)).filter(({ resource }) => resource.id === id)
      expect(ofCharge.map(({ sequence }) => sequence)).toEqual(sequences)
    })
  const numberOf = ({ payments }: Charge) => payments[0]?.acquirer.orderNumber ?? ''
  const sales = (): Promise<Sale[]> => product.system.sandbox('GET', '/acquirer/payments')

  test('orders: lost changes are listed, all else is there, every event is delivered', async () => {
    const { system, databases } = product
    await databases.orders.backUp()
    const kept = await sell('kept')
    const toRefund = await sell('to-refund')
    const order = authorizeBody([await cardToken(system, 0)], 1_000)
    const { body: toCapture } = await api('POST', `${sellerPath()}/authorize`, {
      ...order,
      orderReference: 'A-1',
    })
    for (const inbox of ['kept', 'to-refund']) await untilTold(inbox, [1])
    await untilEndpointTold(toCapture, [1])
    const known = [kept, toRefund, toCapture]
    const before = await Promise.all(known.map(read))
    const moment = await databases.orders.moment()

    // All of this is lost: delivered changes, published ones, and one that only the acquirer has.
    expect((await api('POST', `/charges/${toCapture.id}/capture`)).body.status).toBe('CAPTURED')
    expect((await api('POST', `/charges/${toRefund.id}/refund`, { amount: 100 })).status).toBe(201)
    const lost = await sell('lost')
    await untilTold('to-refund', [1, 2])
    await untilEndpointTold(toCapture, [1, 2])
    await untilTold('lost', [1])
    await system.stopService('notifier')
    const untold = await sell('untold')
    await eventually(async () => expect(await databases.orders.query('SELECT FROM outbox')).toEqual([]))
    // PostgreSQL restores a sequence up to 32 values ahead: 40 more values stand for more charges than that.
    await databases.orders.query(
      "SELECT nextval(pg_get_serial_sequence('charges', 'id')) FROM generate_series(1, 40)",
    )
    await databases.orders.holdOutbox()
    const unpublished = await sell('unpublished')
    await databases.orders.lose()
    system.startService('notifier')
    product.write('report.txt', (await sales()).map(({ merchantOrderId }) => `${merchantOrderId}\n`).join(''))

    await product.restore('orders', moment, async (run) => {
      await run(READ_TOLD[eventLog])
      const list = await run('tee lost.csv')
      expect(await run('tee lost.csv')).toBe(list)
      const [changes = '', unknown = ''] = list.split('order_number\n')
      const named = changes
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(0, 5))
      const row = ({ id }: Charge, reference: number | string, here: string, then: string) =>
        [id, system.ready.sellerId, reference, here, then].map(String)
      expect(named).toEqual([
        row(toRefund, toRefund.externalReference, 'CAPTURED', 'PARTIALLY_REFUNDED'),
        row(toCapture, 'A-1', 'AUTHORIZED', 'CAPTURED'),
        row(lost, lost.externalReference, 'UNKNOWN', 'CAPTURED'),
        row(untold, untold.externalReference, 'UNKNOWN', 'CAPTURED'),
      ])
      expect(unknown.trim()).toBe(numberOf(unpublished))
      await run('UPDATE charges SET sequence')
    })

    expect(await Promise.all(known.map(read))).toEqual(before)
    expect((await api('GET', `/charges/${lost.id}`)).status).toBe(404)
    await untilTold('untold', [1])
    expect((await sell('after')).id).toBeGreaterThan(unpublished.id)
    await untilTold('after', [1])
    // The lost capture is requested again: sent, refused, not done twice, and its event follows the delivered ones.
    await api('POST', `/charges/${toCapture.id}/capture`)
    await eventually(async () => expect((await read(toCapture)).status).toBe('CAPTURED'))
    await untilEndpointTold(toCapture, [1, 2, 3])
    const sale = (await sales()).filter(({ merchantOrderId }) => merchantOrderId === numberOf(toCapture))
    expect(sale.map(({ capturedAmount }) => capturedAmount)).toEqual([1_000])
    for (const inbox of ['kept', 'lost']) await untilTold(inbox, [1])
  })

  test('notifier: events that its database forgot are delivered, events that it knows are not repeated', async () => {
    const { system, databases } = product
    await databases.notifier.backUp()
    await sell('remembered')
    await untilTold('remembered', [1])
    // A delivery may arrive before it is stored, and is stored as done a moment after it arrived.
    await eventually(async () => {
      const stored = await databases.notifier.query(
        "SELECT DISTINCT status FROM deliveries WHERE resource_id IN (SELECT resource_id FROM deliveries WHERE url LIKE '%/remembered')",
      )
      expect(stored).toEqual([{ status: 'DELIVERED' }])
    })
    const moment = await databases.notifier.moment()

    await system.sandbox('POST', '/inbox/refusing/respond', { status: 500, times: 10_000 })
    await sell('refusing')
    await sell('forgotten')
    await eventually(async () => expect(await told('refusing')).not.toEqual([]))
    await untilTold('forgotten', [1])
    await databases.notifier.lose()
    await sell('meanwhile')

    await product.restore('notifier', moment, async (run) => {
      await system.sandbox('DELETE', '/inbox/refusing')
      await run(READ_AGAIN[eventLog])
    })
    await untilTold('refusing', [1])
    await untilTold('meanwhile', [1])
    // Delivered once more under the same id, by which receivers drop it.
    await untilTold('forgotten', [1, 1])
    expect(new Set((await told('forgotten')).map(({ id }) => id)).size).toBe(1)
    await untilTold('remembered', [1])
  })

  test('vault: cards from before are charged, later ones refused, and their payments refunded', async () => {
    const { system, databases } = product
    await databases.vault.backUp()
    const kept = await cardToken(system, 0)
    await sell('card-kept', kept)
    const moment = await databases.vault.moment()

    const lost = await cardToken(system, 4)
    const paid = await sell('card-lost', lost)
    await databases.vault.lose()

    await product.restore('vault', moment, async () => {})
    await sell('card-kept-after', kept)
    const order = { amount: 1_000, installments: 1, customer, cardToken: { token: lost } }
    const { status, body } = await api('POST', `${sellerPath()}/charge`, order)
    expect([status, body.code]).toEqual([422, 'CARD_TOKEN_UNUSABLE'])
    expect((await api('POST', `/charges/${paid.id}/refund`)).body.status).toBe('REFUNDED')
    for (const inbox of ['card-kept', 'card-kept-after']) await untilTold(inbox, [1])
    await untilTold('card-lost', [1, 2])
  })
}
