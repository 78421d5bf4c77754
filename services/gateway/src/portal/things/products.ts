import type { ProductJson, salesSchema } from '@cofre/api/product'
import type { z } from 'zod'
import { typedReais, type Field } from '../desk/fields'
import { thing, type Block } from '../desk/thing'
import { link, reais, time, word, type Badge, type Value } from '../words/value'
import { METHODS } from '../words/invoice-words'

type Sales = z.output<typeof salesSchema>
type Method = ProductJson['methods'][number]
const LINK_METHODS = ['CREDIT_CARD', 'BOLETO', 'PIX'] as const satisfies readonly Method[]

function badgeOf({ active }: ProductJson): Badge {
  return active ? { text: 'Active', mood: 'good' } : { text: 'Not sold', mood: 'quiet' }
}

/** Without a product: of a new one. */
function fieldsOf(product?: ProductJson): Field[] {
  const { maxInstallments, affiliateId } = product ?? {}
  return [
    { name: 'name', label: 'Name', kind: 'text', required: true, value: product?.name ?? '' },
    {
      name: 'value',
      label: 'Price',
      kind: 'money',
      required: true,
      value: product ? typedReais(product.value) : '',
    },
    { name: 'description', label: 'Description', kind: 'long', value: product?.description ?? '' },
    { name: 'active', label: 'Sold', kind: 'check', value: String(product?.active ?? true) },
    {
      name: 'methods',
      label: 'Ways to pay by the link',
      kind: 'choices',
      hint: word('None ticked: all for which you have an account.'),
      value: (product?.methods ?? []).join(' '),
      options: LINK_METHODS.map((method) => [method, METHODS[method]] as const),
    },
    {
      name: 'maxInstallments',
      label: 'Most installments',
      kind: 'number',
      hint: word(
        'From 1 to 12. 1: only in full. The payer pays no interest, unless you pass the card fee on.',
      ),
      value: String(maxInstallments ?? 1),
    },
    {
      name: 'feePassThrough',
      label: 'The payer bears the card fee',
      kind: 'check',
      value: String(product?.feePassThrough ?? false),
    },
    {
      name: 'softDescriptor',
      label: 'Text on the card statement',
      kind: 'text',
      hint: word('13 letters and digits at most.'),
      value: product?.softDescriptor ?? '',
    },
    {
      name: 'affiliateId',
      label: 'Store',
      kind: 'number',
      hint: word('The number of the store that charges the cards. Empty: your only one.'),
      value: String(affiliateId ?? ''),
    },
  ]
}

/** The link to share, and what it sold. */
function linkBlock({ id, active, paymentLinkUrl: url, ...product }: ProductJson, sales: Sales | []): Block {
  if (url === null) {
    return {
      title: word('Payment link'),
      facts: [],
      none: 'Only a product that is paid once, and has a price, has a link.',
    }
  }
  const { problem, shown } = { problem: problemOf(product), shown: 'count' in sales ? sales : undefined }
  return {
    title: word('Payment link'),
    ...(active ? {} : { badge: { text: 'Closed link', mood: 'quiet' } as const }),
    ...(problem !== null && { alert: { title: word('Check the payment link'), text: problem } }),
    facts: shown
      ? [
          ['Sales', countOf(shown)],
          ['Sold amount', reais(shown.amountInCents)],
          ['Invoices', link(`/invoices?paymentLinkProductId=${id}`, word('Show'))],
        ]
      : [],
    shared: { label: 'Share this address', url, picture: `${url}.svg` },
  }
}

function countOf({ count, isLowerBound }: Sales): Value {
  return isLowerBound ? word('More than {count}', { count }) : String(count)
}

/** What keeps the link from offering what the product says. Null: nothing. */
function problemOf({ warnings, methods }: Pick<ProductJson, 'warnings' | 'methods'>): Value {
  const codes = warnings.map(({ code }) => code)
  const missing = warnings.flatMap(({ code, pointer }) => {
    const method = methods[Number(pointer.split('/').at(-1))]
    return code === 'METHOD_UNAVAILABLE' && method ? [word(METHODS[method])] : []
  })
  if (codes.includes('NO_METHOD'))
    return word('Nobody can pay: you have no account for {methods}.', { methods: missing })
  if (missing.length > 0)
    return word('It does not offer {methods}: you have no account for it.', { methods: missing })
  return codes.includes('NO_CARD_FEES') ? word('No card fees are set up, so the payer bears none.') : null
}

export const products = thing<ProductJson, ProductJson, { sales: Sales | [] }>({
  name: 'products',
  many: 'Products',
  none: 'There is no product yet.',
  list: 'listProducts',
  read: 'getProduct',
  filters: [
    { name: 'name', label: 'Name', kind: 'text' },
    {
      name: 'active',
      label: 'Sold',
      kind: 'choice',
      options: [
        ['true', 'Yes'],
        ['false', 'No'],
      ],
    },
  ],
  searched: ['name'],
  columns: [
    { name: 'Name', of: ({ name }) => name, leads: true },
    { name: 'Status', of: (product) => ({ badge: badgeOf(product) }) },
    { name: 'Created', of: ({ createdAt }) => time(createdAt) },
    { name: 'Price', of: ({ value }) => reais(value), number: true },
  ],
  beside: { sales: 'getPaymentLinkSales' },
  heading: ({ name }) => name,
  page: (product, { sales }) => ({
    badge: badgeOf(product),
    total: reais(product.value),
    blocks: [
      {
        facts: [
          ['Description', product.description],
          ['Ways to pay by the link', product.methods.map((method) => word(METHODS[method]))],
          ['Most installments', product.maxInstallments],
          ['The payer bears the card fee', word(product.feePassThrough ? 'Yes' : 'No')],
          ['Text on the card statement', product.softDescriptor],
          ['Store', product.affiliateId === null ? null : String(product.affiliateId)],
          ['Product id', String(product.id)],
          ['Created', time(product.createdAt)],
          ['Last change', time(product.updatedAt)],
        ],
      },
      linkBlock(product, sales),
    ],
  }),
  creations: [
    {
      name: 'new',
      operation: 'createProduct',
      label: 'New product',
      fields: async () => fieldsOf(),
      body: async (typed) => ({ body: { ...typed, productType: 'ONETIME' } }),
      done: 'The product was created.',
    },
  ],
  actions: [
    {
      operation: 'replaceProduct',
      name: 'edit',
      label: 'Edit',
      applies: () => true,
      says: () => word('The payment link stays the same. Existing invoices keep their items.'),
      fields: fieldsOf,
      // The form has no field for these two, and a replacement clears what it does not name.
      body: (typed, { productType, themeId }) => ({ body: { ...typed, productType, themeId } }),
      done: 'The product was changed.',
    },
    {
      operation: 'deleteProduct',
      name: 'delete',
      label: 'Delete',
      danger: true,
      removes: true,
      applies: () => true,
      says: () => word('The payment link ends. Existing invoices keep their items.'),
      done: 'The product was deleted.',
    },
  ],
})
