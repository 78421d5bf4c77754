import type { CustomerJson } from '@cofre/api/customer'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { ProductJson } from '@cofre/api/product'
import { customerFields, customerOf } from '../bills/bill-customer'
import { termFields, termsOf } from '../bills/bill-terms'
import { typedReais, type Field } from '../desk/fields'
import type { Ask, Composed, Given } from '../desk/thing'
import { word } from '../words/value'
import { METHODS } from '../words/invoice-words'

const OFFERED = 100
const ACCEPTED = ['CREDIT_CARD', 'PIX', 'BOLETO'] as const

type Typed = Record<string, unknown>

/** What a bill says before anybody types. */
export type Billed = Pick<
  InvoiceJson,
  'items' | 'acceptedPaymentMethods' | 'fine' | 'interest' | 'discounts'
> & { customer: Pick<CustomerJson, 'id' | 'document'> }

/**
 * The fields of what bills a customer, with `rows` items. `between`: those that stand between customer and items.
 * `billed`: undefined for a new one.
 */
export async function billFields(
  ask: Ask,
  given: Given,
  rows: number,
  between: readonly Field[],
  billed?: Billed,
): Promise<Field[]> {
  const products = await productsOf(ask, billed?.items)
  const accepted = billed?.acceptedPaymentMethods.map(({ method }) => method) ?? []
  return [
    ...(await customerFields(ask, given, billed?.customer)),
    ...between,
    ...numbered(rows).flatMap((row) => itemFields(row, products, billed?.items[row])),
    ...ACCEPTED.map((method): Field => ({
      name: method,
      label: METHODS[method],
      kind: 'check',
      value: String(billed === undefined || accepted.includes(method)),
    })),
    ...termFields(billed),
  ]
}

/** The body for the API: the customer, the items, the methods and the terms. `rest`: what else was typed. */
export async function billBody(
  ask: Ask,
  rows: number,
  { document, customerId, ...given }: Typed,
  compose: (bill: {
    customerId: number
    items: object[]
    acceptedPaymentMethods: object[]
    rest: Typed
  }) => Typed,
  billed?: Billed,
): Promise<Composed> {
  const customer = await customerOf(ask, { document, customerId }, billed?.customer)
  if ('faults' in customer) return customer
  const made = termsOf(given, billed)
  if ('faults' in made) return made
  const { terms, maxInstallments, rest: typed } = made
  const items = itemsOf(typed, rows, await productsOf(ask, billed?.items))
  if (items.length === 0) return { faults: { 'items.0.productId': 'Choose a product.' } }
  const acceptedPaymentMethods = ACCEPTED.filter((method) => typed[method] === true).map((method) => {
    const accepted = billed?.acceptedPaymentMethods.find((each) => each.method === method) ?? { method }
    if (method !== 'CREDIT_CARD' || maxInstallments === undefined) return accepted
    const kept = 'cardSettings' in accepted ? accepted.cardSettings : {}
    return { ...accepted, cardSettings: { ...kept, maxInstallments } }
  })
  const others = Object.entries(typed).filter(
    ([name]) => !name.startsWith('items.') && !ACCEPTED.some((each) => each === name),
  )
  const rest = { ...Object.fromEntries(others), ...terms }
  return { body: compose({ customerId: customer.id, items, acceptedPaymentMethods, rest }) }
}

const numbered = (rows: number) => Array.from({ length: rows }, (_each, row) => row)

export function itemFields(
  row: number,
  products: readonly Offered[],
  item?: InvoiceJson['items'][number],
): Field[] {
  const options = products.map(
    ({ id, name, value }) => [String(id), { own: `${name} (R$ ${typedReais(value)})` }] as const,
  )
  return [
    {
      name: `items.${row}.productId`,
      label: 'Product',
      kind: 'choice',
      value: String(item?.productId ?? ''),
      options: [['', 'None'], ...options],
      ...(row === 0 && { hint: word('Empty price: that of the product.') }),
      row,
    },
    {
      name: `items.${row}.quantity`,
      label: 'Quantity',
      kind: 'number',
      value: String(item?.quantity ?? 1),
      row,
    },
    {
      name: `items.${row}.unitPriceInCents`,
      label: 'Unit price',
      kind: 'money',
      value: item ? typedReais(item.unitPriceInCents) : '',
      row,
    },
  ]
}

type Offered = Pick<ProductJson, 'id' | 'name' | 'value'>

/** Rows with a product. Without a price, that of the product. */
export function itemsOf(typed: Typed, rows: number, products: readonly Offered[]) {
  return numbered(rows).flatMap((row) => {
    const product = products.find(({ id }) => String(id) === typed[`items.${row}.productId`])
    if (!product) return []
    const unitPriceInCents = typed[`items.${row}.unitPriceInCents`] ?? product.value
    return [{ productId: product.id, quantity: typed[`items.${row}.quantity`] ?? 1, unitPriceInCents }]
  })
}

/** The products that are sold, and those that are billed already: they may be sold no more. */
export async function productsOf(ask: Ask, billed: InvoiceJson['items'] = []): Promise<Offered[]> {
  const { content } = (await ask('listProducts', { active: 'true', size: String(OFFERED) })) as {
    content: ProductJson[]
  }
  const others = billed
    .map(({ productId: id, description: name, unitPriceInCents: value }) => ({ id, name, value }))
    .filter(({ id }, at, all) => [...content, ...all.slice(0, at)].every((each) => each.id !== id))
  return [...content, ...others]
}
