import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import {
  ListProductsRequest,
  ProductFields,
  ProductMethod,
  ProductType,
  type Product,
} from '@cofre/proto/invoices/v1/products'
import { createProduct, MUG } from './support/products'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

const { ONETIME, RECURRING } = ProductType

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

const client = () => invoices.products
const get = ({ sellerId, id }: Product) => callRpc(client(), client().getProduct, { sellerId, productId: id })
const replace = ({ sellerId, id }: Pick<Product, 'sellerId' | 'id'>, fields: ProductFields) =>
  callRepeatable(client(), client().replaceProduct, { sellerId, productId: id, fields })
const remove = ({ sellerId, id }: Product) =>
  callRpc(client(), client().deleteProduct, { sellerId, productId: id })
const notFound = { reason: 'NOT_FOUND' }
const LEAST = ProductFields.fromPartial({ productType: RECURRING, name: 'Plano', value: 0 })

test('a product is kept whole, and omitted fields stay empty', async () => {
  const sellerId = newSeller()
  const whole = await createProduct(invoices, sellerId)
  expect(whole).toMatchObject({ sellerId, fields: MUG })
  expect(await get(whole)).toEqual(whole)
  const small = await callRpc(client(), client().createProduct, { sellerId, fields: LEAST })
  expect((await get(small)).fields).toEqual(LEAST)
})

test.each<[Partial<ProductFields>, string]>([
  [{ name: '' }, '#/name'],
  [{ productType: ProductType.UNSPECIFIED }, '#/productType'],
  [{ value: 100_000_000_000 }, '#/value'],
  [{ value: -1 }, '#/value'],
])('%j is refused at %s', async (changes, pointer) => {
  await expect(createProduct(invoices, newSeller(), changes)).rejects.toMatchObject({
    extra: { errors: [expect.objectContaining({ pointer })] },
  })
})

test('a product may cost the highest amount', async () => {
  const { fields } = await createProduct(invoices, newSeller(), { value: 99_999_999_999 })
  expect(fields?.value).toBe(99_999_999_999)
})

test('a product shows when it was last replaced', async () => {
  const { id, sellerId, createdAt } = await createProduct(invoices, newSeller())
  await invoices.pool.query(`UPDATE products SET updated_at = now() - interval '1 day' WHERE id = $1`, [id])
  const { response: replaced } = await replace({ id, sellerId }, LEAST)
  expect(replaced.updatedAt).toBeGreaterThanOrEqual(createdAt)
})

test('repeats make one product, and a key is valid for one body', async () => {
  const sellerId = newSeller()
  const make = (body: string) =>
    withKey('once', () => callRepeatable(client(), client().createProduct, { sellerId, fields: MUG }), body)
  const { response: made } = await make('one')
  expect(await make('one')).toEqual({ response: made, replayed: true })
  await expect(make('other')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a method that nobody knows is refused', async () => {
  const fields = { ...MUG, methods: [ProductMethod.CREDIT_CARD, ProductMethod.UNSPECIFIED] }
  await expect(createProduct(invoices, newSeller(), fields)).rejects.toMatchObject({
    extra: { errors: [{ pointer: '#/methods', code: 'ENUM' }] },
  })
})

test('a product is replaced as a whole, and gone once it is deleted', async () => {
  const product = await createProduct(invoices, newSeller())
  expect((await replace(product, LEAST)).response).toMatchObject({ id: product.id, fields: LEAST })
  await remove(product)
  await expect(get(product)).rejects.toMatchObject(notFound)
  await expect(replace(product, MUG)).rejects.toMatchObject(notFound)
  await expect(remove(product)).rejects.toMatchObject(notFound)
})

test('another seller’s product is not found', async () => {
  const theirs = { ...(await createProduct(invoices, newSeller())), sellerId: newSeller() }
  await expect(get(theirs)).rejects.toMatchObject(notFound)
  await expect(replace(theirs, MUG)).rejects.toMatchObject(notFound)
  await expect(remove(theirs)).rejects.toMatchObject(notFound)
})

test('a list has the newest first, and is narrowed by name, type and whether it is active', async () => {
  const sellerId = newSeller()
  const all = [
    await createProduct(invoices, sellerId),
    await createProduct(invoices, sellerId, { name: 'Plano', productType: RECURRING }),
    await createProduct(invoices, sellerId, { active: false }),
  ]
  const search = async (filter: Partial<ListProductsRequest>) => {
    const request = ListProductsRequest.fromPartial({ sellerId, size: 10, ...filter })
    const { products } = await callRpc(client(), client().listProducts, request)
    return products.map(({ id }) => all.findIndex((product) => product.id === id))
  }
  expect(await search({})).toEqual([2, 1, 0])
  expect(await search({ size: 1, page: 1 })).toEqual([1])
  expect(await search({ name: 'CANECA' })).toEqual([2, 0])
  expect(await search({ productType: RECURRING })).toEqual([1])
  expect(await search({ active: false })).toEqual([2])
  expect(await search({ active: true, productType: ONETIME, name: 'caneca' })).toEqual([0])
  await expect(search({ size: 101 })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
