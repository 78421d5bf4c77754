import type { InvoiceJson } from '@cofre/api/invoice'
import { eventually } from '@cofre/testing/testing'
import { askForInvoice, INVOICES, invoiceOf, newShop, type Shop } from './shop'
import { authorize, cardEndingIn, cardFields, customer, type System } from './system'

export type OneOfEach = {
  /** By the first words of the path of the API. */
  ids: Record<string, string | number>
  shop: Shop
  /** A finalized invoice, with the number T-1. */
  invoice: InvoiceJson
}

/** Makes one of each resource that a path of the API names, for the demo seller of a new product. */
export async function makeOneOfEach(of: System): Promise<OneOfEach> {
  const { api, ready } = of
  const shop = await newShop(of)
  const { body: invoice } = await askForInvoice(of, invoiceOf(shop, { invoiceNumber: 'T-1' }))
  await api('POST', `${INVOICES}/${invoice.id}/finalize`)
  const make = async (path: string, body: object) => (await api('POST', path, { body })).body
  const url = `${ready.sandboxInboxUrl}/tenancy`
  const expires = { month: 12, year: 49 }
  const voucher = { cardType: 'MEAL', cardBrand: 'VR', cardNumber: '6370361234567890', expires }
  const at = `/api/v2/sellers/${ready.sellerId}/vouchers`
  const kept = await make(`${at}/tokens`, { ...voucher, holder: { name: 'ANA SOUZA' } })
  const card = { cardType: 'MEAL', cardBrand: 'VR', token: kept.token }
  const network = { ...cardFields(cardEndingIn(1)), notificationUrl: url }
  const endpoint = (await make('/api/v2/webhooks/endpoints', { url })).id
  const { id: delivery, webhookId: event } = await make(`/api/v2/webhooks/endpoints/${endpoint}/ping`, {})
  // The record of a request is stored a moment after its answer.
  const request = await eventually(async () => {
    const { body } = await api('GET', '/api/v2/history/requests')
    expect(body.content.length).toBeGreaterThan(0)
    return body.content[0].id
  })
  const ids = {
    'history/requests': request,
    charges: (await authorize(of, 1)).body.id,
    disputes: await disputeOf(of),
    'cards/tokens': (await make('/api/v2/cards/tokens', cardFields(cardEndingIn(1)))).id,
    'cards/tokens/network': (await make('/api/v2/cards/tokens/network', network)).token,
    'vouchers/tokens': kept.token,
    'vouchers/payments': (await make(`${at}/payments`, { amount: 3_500, customer, card })).id,
    'webhooks/endpoints': endpoint,
    'webhooks/deliveries': delivery,
    events: event,
    'webhooks/listeners': (await make('/api/v2/webhooks/listeners', {})).id,
    customers: shop.customerId,
    products: shop.productId,
    recipients: (await make('/api/v2/recipients', { name: 'Ana', document: '12345678909' })).id,
    invoices: invoice.id,
    'invoices/unexpected-receipts': await receiptOf(of, shop),
    'recurring-invoices': await recurringOf(of, shop),
    'recurring-invoices/reference': ORDER_REFERENCE,
  }
  return { ids, shop, invoice }
}

/** Has the holder of a card dispute a charge. */
async function disputeOf({ api, sandbox, ready }: System): Promise<number> {
  const card = { ...cardFields(cardEndingIn(1)), cvv: '123' }
  const body = { amount: 4_990, installments: 1, customer, card }
  const { body: charge } = await api('POST', '/api/v2/orders/credit-card/charge', { body })
  await sandbox('POST', '/acquirer/chargebacks', { tid: charge.payments[0].acquirer.tid })
  return eventually(async () => {
    const { body: page } = await api('GET', '/api/v2/disputes', { token: ready.token })
    expect(page.content).toHaveLength(1)
    return page.content[0].id
  })
}

const ORDER_REFERENCE = 'TENANCY-1'

/** A recurring invoice, of which the clock has made the first invoice. */
async function recurringOf(of: System, { customerId, productId }: Shop): Promise<number> {
  const { body } = await of.api('POST', `/api/v2/sellers/${of.ready.sellerId}/recurring-invoices`, {
    body: {
      customerId,
      billingFrequency: 'MONTHLY',
      collectionMethod: 'SEND_INVOICE',
      orderReference: ORDER_REFERENCE,
      recurringItems: [{ productId, quantity: 1, unitPriceInCents: 4_990 }],
    },
  })
  await eventually(async () => {
    const { body: page } = await of.api('GET', `/api/v2/recurring-invoices/${body.id}/invoices`)
    expect(page.content).toHaveLength(1)
  })
  return body.id
}

/** Pays a boleto twice: the second payment waits for a person. */
async function receiptOf(of: System, shop: Shop): Promise<number> {
  const { id } = (await askForInvoice(of, invoiceOf(shop, { invoiceNumber: 'T-2' }))).body
  const line = await eventually(async () => {
    const { body } = await of.api('POST', `${INVOICES}/${id}/boleto`)
    expect(body.digitableLine).toMatch(/^\d{47}$/)
    return body.digitableLine
  })
  for (const _ of [1, 2]) await of.sandbox('POST', `/boletos/${line}/pay`)
  return eventually(async () => {
    const { body } = await of.api('GET', `${INVOICES}/unexpected-receipts`)
    expect(body.content).toHaveLength(1)
    return body.content[0].id
  })
}
