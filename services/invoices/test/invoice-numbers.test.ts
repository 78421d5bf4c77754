import { whileHeld } from '@cofre/testing/lock-waits'
import { create, invoiceFor, newShop, type Shop } from './support/invoices'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
})
afterAll(() => invoices.stop())

const numberOf = async (invoiceNumber?: string) =>
  (await create(invoices, invoiceFor(shop, { invoiceNumber }))).invoiceNumber
const taken = { reason: 'INVOICE_NUMBER_TAKEN', extra: { errors: [{ pointer: '#/invoiceNumber' }] } }

test('numbers are made from 000001 for each seller', async () => {
  expect([await numberOf(), await numberOf()]).toEqual(['000001', '000002'])
  shop = await newShop(invoices)
  expect(await numberOf()).toBe('000001')
})

test('each number is unique for a seller; another seller may have it too', async () => {
  expect(await numberOf('A-1')).toBe('A-1')
  await expect(numberOf('A-1')).rejects.toMatchObject(taken)
  shop = await newShop(invoices)
  expect(await numberOf('A-1')).toBe('A-1')
})

test('a refusal leaves no gap', async () => {
  await numberOf()
  const unknown = invoiceFor({ ...shop, customerId: 999_999_999 })
  await expect(create(invoices, unknown)).rejects.toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
  await numberOf('A-1')
  await expect(numberOf('A-1')).rejects.toMatchObject(taken)
  expect(await numberOf()).toBe('000002')
})

test('a made number is the first that the seller has not given itself', async () => {
  for (const given of ['000001', '000002', '000004', '20261123', 'A-9', '123456789012']) await numberOf(given)
  expect([await numberOf(), await numberOf()]).toEqual(['000003', '000005'])
})

test('seven digits follow six, even if the seller has given those numbers', async () => {
  await numberOf()
  await invoices.pool.query('UPDATE invoice_numbers SET last = 999998 WHERE seller_id = $1', [shop.sellerId])
  for (const given of ['1000000', '1000001']) await numberOf(given)
  expect([await numberOf(), await numberOf(), await numberOf()]).toEqual(['999999', '1000002', '1000003'])
})

test('thousands of given numbers are skipped', async () => {
  const first = await create(invoices, invoiceFor(shop, { invoiceNumber: '000001' }))
  await invoices.pool.query(
    `INSERT INTO invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM invoices t, generate_series(2, 2500) n, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + 1000000 + n, 'public_id', 'given' || n, 'invoice_number', lpad(n::text, 6, '0'))) copy WHERE t.id = $1`,
    [first.id],
  )
  expect(await numberOf()).toBe('002501')
})

test('of two invoices with one number at once, one is made', async () => {
  const settled = await Promise.allSettled([numberOf('B-1'), numberOf('B-1'), numberOf('B-1')])
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of settled) if (each.status === 'rejected') expect(each.reason).toMatchObject(taken)
})

test('many invoices at once get numbers without gaps, even beside given numbers of the same form', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => numberOf()))
  const expected = Array.from({ length: 20 }, (_, at) => String(at + 1).padStart(6, '0'))
  expect(made.sort()).toEqual(expected)
  const mixed = await Promise.allSettled([
    ...expected.map(() => numberOf()),
    numberOf('000025'),
    numberOf('000030'),
  ])
  const [first, second] = mixed.splice(-2)
  const given = [first, second].flatMap((each) => (each?.status === 'rejected' ? [each.reason] : []))
  for (const refusal of given) expect(refusal).toMatchObject(taken)
  const numbers = mixed.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  expect(new Set(numbers).size).toBe(20)
})

test('an invoice does not wait for the numbers of another seller', async () => {
  const [one, other] = [shop, await newShop(invoices, newSeller())]
  const hold = 'INSERT INTO invoice_numbers (seller_id, last) VALUES ($1, 5)'
  const { invoiceNumber } = await whileHeld(invoices.pool, [hold, [one.sellerId]], () =>
    create(invoices, invoiceFor(other)),
  )
  expect(invoiceNumber).toBe('000001')
})
