import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { NetworkTokensClient, NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { newToken } from '@cofre/testing/stand-ins/network-tokens'
import { openNetworkTokens } from '../../src/cards/network-tokens'
import { billedInvoice, chargeDue, type Billed, stopCharging } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual, eventsSent, PAN } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID, NEEDS_CARD, GIVEN_UP } = AutomaticChargeStatus

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(async () => {
  invoices.behind.networkTokens.tokens.clear()
  await stopCharging(invoices)
})
afterAll(() => invoices.stop())

const lastAsked = () => invoices.behind.orders.asked.authorize.at(-1)?.payments[0]
const authorizations = () => invoices.behind.orders.asked.authorize.length
const mailsOf = async ({ invoice }: Billed): Promise<string[]> => {
  const { rows } = await invoices.pool.query('SELECT cause FROM emails WHERE invoice_id = $1', [invoice.id])
  return rows.map(({ cause }) => cause)
}
const refuse = (reason: Reason, isRefused = () => true) => {
  invoices.behind.orders.hooks.before = async () => {
    if (isRefused()) throw new DomainError('failed_precondition', reason, 'It cannot be charged.')
  }
}
/** Gives the customer's kept card a network token. */
const withToken = ({ shop: { sellerId } }: Billed): { cardToken: string; networkToken: string } => {
  const { token: cardToken } = [...invoices.behind.vault.cards.values()].at(-1)?.card ?? { token: '' }
  const token = newToken({ token: 'cd'.repeat(32), sellerId, cardToken, status: NetworkTokenStatus.ACTIVE })
  invoices.behind.networkTokens.tokens.set(token.token, token)
  return { cardToken, networkToken: token.token }
}

test.each(['CARD_BRAND_UNSUPPORTED', 'CARD_TOKEN_UNUSABLE'] as const)(
  'a card that is refused with %s is not tried again, and the customer is asked for another one',
  async (reason) => {
    refuse(reason)
    const billed = await billedInvoice(invoices)
    const before = authorizations()
    for (const day of [0, 1, 3]) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
    expect(authorizations() - before).toBe(1)
    expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
      status: NEEDS_CARD,
      attempts: 0,
      reason: 'CARD_UNUSABLE',
    })
    expect(await eventsSent(invoices, billed.invoice)).toContain('invoice.payment_failed')
    expect(await mailsOf(billed)).toEqual(['card-declined'])
  },
)

test('when the first card is refused, the customer’s kept card is charged at once', async () => {
  const { shop } = await billedInvoice(invoices)
  const chosen = invoices.behind.vault.store(shop.sellerId, PAN)
  const billed = await billedInvoice(invoices, { shop, chosenCard: chosen.id })
  refuse('CARD_BRAND_UNSUPPORTED', () => lastAsked()?.cardToken === chosen.token)
  await chargeDue(invoices, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 1 })
  expect(await mailsOf(billed)).not.toContain('card-declined')
})

test('a seller who cannot take cards is notified at once; no card is blamed, and the invoice stays', async () => {
  refuse('PAYMENT_METHOD_NOT_ACCEPTED')
  const billed = await billedInvoice(invoices, { givesUp: true })
  const before = authorizations()
  for (const day of [0, 1]) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
  expect(authorizations() - before).toBe(1)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    status: InvoiceStatus.CLOSED,
    automaticCharge: { status: GIVEN_UP, attempts: 0, reason: 'PAYMENT_METHOD_NOT_ACCEPTED' },
  })
  expect((await eventsSent(invoices, billed.invoice)).at(-1)).toBe('invoice.payment_failed')
  expect(await mailsOf(billed)).toEqual([])
})

test.each(['NETWORK_TOKEN_NOT_ACTIVE', 'PAYMENT_METHOD_NOT_ACCEPTED'] as const)(
  'a network token that is refused with %s gives way to its card at once',
  async (reason) => {
    const billed = await billedInvoice(invoices)
    const { cardToken, networkToken } = withToken(billed)
    refuse(reason, () => lastAsked()?.networkToken === networkToken)
    await chargeDue(invoices, billed.dueAt)
    expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 1 })
    expect(lastAsked()).toMatchObject({ cardToken, networkToken: '' })
  },
)

test('when the network-token service does not answer, the card itself is charged', async () => {
  const billed = await billedInvoice(invoices)
  const { cardToken } = withToken(billed)
  const nobody = await invoices.network.clientOf(NetworkTokensClient, '127.0.0.1:1', 'invoices')
  const deps = { ...invoices.deps, networkTokens: openNetworkTokens(nobody) }
  await chargeDue({ deps }, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 1 })
  expect(lastAsked()).toMatchObject({ cardToken, networkToken: '' })
})
