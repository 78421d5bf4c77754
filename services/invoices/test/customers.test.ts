import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import {
  CustomerFields,
  ListCustomersRequest,
  type Customer,
  type CustomerAddress,
} from '@cofre/proto/invoices/v1/customers'
import { ANA, createCustomer } from './support/customers'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

const client = () => invoices.customers
const get = ({ sellerId, id }: Customer) =>
  callRpc(client(), client().getCustomer, { sellerId, customerId: id })
const replace = ({ sellerId, id }: Pick<Customer, 'sellerId' | 'id'>, fields: CustomerFields) =>
  callRepeatable(client(), client().replaceCustomer, { sellerId, customerId: id, fields })
const remove = ({ sellerId, id }: Customer) =>
  callRpc(client(), client().deleteCustomer, { sellerId, customerId: id })
const notFound = { reason: 'NOT_FOUND' }

test('a customer is kept whole, and omitted fields stay empty', async () => {
  const sellerId = newSeller()
  const whole = await createCustomer(invoices, sellerId)
  expect(whole).toMatchObject({ sellerId, fields: ANA })
  expect(await get(whole)).toEqual(whole)
  const least = CustomerFields.fromPartial({ name: 'Ana', document: '12ABC34501DE35' })
  const small = await callRpc(client(), client().createCustomer, { sellerId, fields: least })
  expect(small.fields).toEqual(least)
})

test('each part of an address is kept as that part', async () => {
  const address = { ...ANA.address, neighborhood: 'Centro', city: 'São Paulo' } as CustomerAddress
  const customer = await createCustomer(invoices, newSeller(), { address })
  expect(customer.fields?.address).toEqual(address)
  expect(await get(customer)).toEqual(customer)
})

test('a customer without a name or a document is refused', async () => {
  const sellerId = newSeller()
  const fields = CustomerFields.fromPartial({})
  const errors = ['#/name', '#/document'].map((pointer) => expect.objectContaining({ pointer }))
  await expect(callRpc(client(), client().createCustomer, { sellerId, fields })).rejects.toMatchObject({
    extra: { errors },
  })
})

test('repeats make one customer, even at the same time', async () => {
  const sellerId = newSeller()
  const make = () =>
    withKey('twice', () => callRepeatable(client(), client().createCustomer, { sellerId, fields: ANA }))
  const answers = await Promise.allSettled([make(), make(), make()])
  const made = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value.response.id] : []))
  expect(new Set(made).size).toBe(1)
  expect((await make()).replayed).toBe(true)
  const { rows } = await invoices.pool.query('SELECT count(*) AS n FROM customers WHERE seller_id = $1', [
    sellerId,
  ])
  expect(rows[0].n).toBe(1)
})

test('a customer is replaced as a whole, once for each key', async () => {
  const customer = await createCustomer(invoices, newSeller())
  const fields = CustomerFields.fromPartial({ name: 'Bruno', document: '52998224725' })
  const { response: replaced } = await withKey('replace', () => replace(customer, fields))
  expect(replaced).toMatchObject({ id: customer.id, fields, createdAt: customer.createdAt })
  await replace(customer, ANA)
  expect(await withKey('replace', () => replace(customer, fields))).toEqual({
    response: replaced,
    replayed: true,
  })
  expect((await get(customer)).fields).toEqual(ANA)
})

test('a customer shows when it was last replaced', async () => {
  const { id, sellerId, createdAt } = await createCustomer(invoices, newSeller())
  await invoices.pool.query(`UPDATE customers SET updated_at = now() - interval '1 day' WHERE id = $1`, [id])
  const { response: replaced } = await replace({ id, sellerId }, ANA)
  expect(replaced.updatedAt).toBeGreaterThanOrEqual(createdAt)
})

test('a deleted customer is gone everywhere, and nothing of it stays in the table', async () => {
  const customer = await createCustomer(invoices, newSeller())
  await remove(customer)
  await expect(get(customer)).rejects.toMatchObject(notFound)
  await expect(replace(customer, ANA)).rejects.toMatchObject(notFound)
  await expect(remove(customer)).rejects.toMatchObject(notFound)
  const { rows } = await invoices.pool.query('SELECT FROM customers WHERE seller_id = $1', [
    customer.sellerId,
  ])
  expect(rows).toEqual([])
})

test('another seller’s customer is not found', async () => {
  const theirs = { ...(await createCustomer(invoices, newSeller())), sellerId: newSeller() }
  await expect(get(theirs)).rejects.toMatchObject(notFound)
  await expect(replace(theirs, ANA)).rejects.toMatchObject(notFound)
  await expect(remove(theirs)).rejects.toMatchObject(notFound)
})

test('two replacements at once leave one of them whole', async () => {
  const customer = await createCustomer(invoices, newSeller())
  const bruno = CustomerFields.fromPartial({ name: 'Bruno', document: '52998224725' })
  await Promise.all([replace(customer, ANA), replace(customer, bruno)])
  expect([ANA, bruno]).toContainEqual((await get(customer)).fields)
})

describe('a list', () => {
  let sellerId: number
  let all: Customer[]
  beforeAll(async () => {
    sellerId = newSeller()
    all = [
      await createCustomer(invoices, sellerId),
      await createCustomer(invoices, sellerId, { name: 'Bruno', document: '52998224725' }),
      await createCustomer(invoices, sellerId, { email: 'Other@Example.com' }),
    ]
    await createCustomer(invoices, newSeller())
  })
  const list = (request: Partial<ListCustomersRequest>) =>
    callRpc(
      client(),
      client().listCustomers,
      ListCustomersRequest.fromPartial({ sellerId, size: 10, ...request }),
    )
  /** The found customers, by their places in `all`. */
  const search = async (filter: Partial<ListCustomersRequest>) => {
    const { customers } = await list(filter)
    return customers.map(({ id }) => all.findIndex((customer) => customer.id === id))
  }

  test('has the newest first, in pages', async () => {
    const newestFirst = [...all].reverse()
    expect(await list({})).toEqual({
      customers: newestFirst,
      total: 3,
      totalIsLowerBound: false,
      more: false,
      place: expect.stringMatching(/^\d{16}$/),
    })
    expect(await list({ size: 2, page: 1 })).toMatchObject({ customers: [all[0]], total: 3, more: false })
    expect(await search({ after: all[2]?.id ?? 0, page: 5 })).toEqual([1, 0])
  })

  test('is narrowed by document, e-mail and name, in any case, and by several of them', async () => {
    expect(await search({ document: '12345678909' })).toEqual([2, 0])
    expect(await search({ email: 'OTHER@example.com' })).toEqual([2])
    expect(await search({ name: 'ana souza' })).toEqual([2, 0])
    expect(await search({ name: 'ANA SOUZA', email: 'ana@example.com' })).toEqual([0])
  })

  test('is narrowed by the beginnings of words, without accents, of one seller', async () => {
    const joao = await createCustomer(invoices, newSeller(), { name: "João da Conceição-Souza D'Ávila" })
    const { sellerId: of } = joao
    await createCustomer(invoices, of, { name: 'Maria da Luz' })
    await createCustomer(invoices, newSeller(), { name: 'João' })
    const found = async (name: string) => (await list({ sellerId: of, name })).customers.map(({ id }) => id)
    for (const name of ['joao', 'JOÃO da', 'conceicao', 'souza jo', 'avil', " d'avila "]) {
      expect([name, await found(name)]).toEqual([name, [joao.id]])
    }
    expect(await found('da')).toHaveLength(2)
    for (const name of ['oao', 'joao maria', '%', "'", String.raw`\'`, '&|!:*']) {
      expect([name, await found(name)]).toEqual([name, []])
    }
  })

  test('is narrowed by name whether accents are composed or not', async () => {
    const joao = await createCustomer(invoices, newSeller(), { name: 'Jo\u00e3o' })
    const { customers } = await list({ sellerId: joao.sellerId, name: 'JOA\u0303O' })
    expect(customers).toEqual([joao])
  })

  test.each([{ size: 0 }, { size: 101 }, { page: -1 }])('%p is refused', async (page) => {
    await expect(list(page)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  })
})
