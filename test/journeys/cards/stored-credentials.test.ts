import { eventually } from '@cofre/testing/testing'
import { cardFields, customer, discard, startSystem, type System } from '../system'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const TOKEN_MS = 180_000
const VISA = '4111111111111111'
const MASTERCARD = '5555555555554444'
const ELO = '6505510000000070'

const CHARGE = '/v2/orders/credit-card/charge'
const tokens = new Map<string, string>()

async function cardTokenOf(number: string): Promise<string> {
  const made = await system.api('POST', '/api/v2/cards/tokens', { body: cardFields(number) })
  return made.body.token
}

/** The token of a card's network token, once the network has issued it. */
async function networkTokenOf(number: string): Promise<string> {
  const body = {
    cardToken: { token: tokens.get(number) },
    notificationUrl: `${system.ready.sandboxInboxUrl}/kept`,
  }
  const asked = await system.api('POST', '/api/v2/cards/tokens/network', { body })
  const { token } = asked.body
  await eventually(async () => {
    const { body: read } = await system.api('GET', `/api/v2/cards/tokens/network/${token}`)
    expect(read.status).toBe('ACTIVE')
  }, TOKEN_MS)
  return token
}

/** A cell of the table; null: nothing was sent. */
type Mark = string | boolean | null
type Source = 'number' | 'kept' | 'network token'
type Plan = 'RECURRING' | 'INSTALLMENTS' | 'UNSCHEDULED'
type Who = 'CUSTOMER' | 'MERCHANT'

async function sourceOf(source: Source, number: string): Promise<object> {
  if (source === 'number') return { card: { ...cardFields(number), cvv: '123' } }
  if (source === 'network token') return { networkToken: { token: await networkTokenOf(number) } }
  if (!tokens.has(number)) tokens.set(number, await cardTokenOf(number))
  return { cardToken: { token: tokens.get(number) } }
}

/** Charges a card, and returns what the sandbox's acquirer has on record of the sale. */
async function sold(who: Who, source: Source, plan: Plan, number: string): Promise<Mark[]> {
  const storedCredential = { initiator: who, reason: plan }
  const body = {
    amount: 4_990,
    installments: 1,
    customer,
    storedCredential,
    ...(await sourceOf(source, number)),
  }
  const { status, body: charge } = await system.api('POST', CHARGE, { body })
  expect([status, charge.status, charge.payments?.[0].decline ?? null]).toEqual([201, 'CAPTURED', null])
  const { orderNumber } = charge.payments[0].acquirer
  const [payment] = await system.sandbox('GET', `/acquirer/payments?merchantOrderId=${orderNumber}`)
  const { usage, reason, category, subcategory, recurrent, issuerTransactionId, hasCvv, hasCryptogram } =
    payment.credential
  return [
    usage && [usage, reason].filter(Boolean).join(' + '),
    category && `${category} ${subcategory}`,
    recurrent,
    issuerTransactionId !== null,
    hasCvv,
    hasCryptogram,
  ]
}

type Row = [who: Who, source: Source, plan: Plan, brand: string, number: string, marks: Mark[]]

const [C1, M1] = ['C1', 'M1']
// CardOnFile, InitiatedTransactionIndicator, Recurrent, IssuerTransactionId, CVV, cryptogram.
const CASES: Row[] = [
  ['CUSTOMER', 'number', 'UNSCHEDULED', 'Visa', VISA, [null, null, false, false, true, false]],
  ['CUSTOMER', 'number', 'UNSCHEDULED', 'Mastercard', MASTERCARD, [null, null, false, false, true, false]],
  ['CUSTOMER', 'kept', 'UNSCHEDULED', 'Visa', VISA, ['first', null, false, false, false, false]],
  ['CUSTOMER', 'kept', 'UNSCHEDULED', 'Visa', VISA, ['used + unscheduled', null, false, true, false, false]],
  ['MERCHANT', 'kept', 'RECURRING', 'Visa', VISA, ['used + recurring', null, true, true, false, false]],
  [
    'MERCHANT',
    'kept',
    'INSTALLMENTS',
    'Visa',
    VISA,
    ['used + installments', null, false, true, false, false],
  ],
  [
    'MERCHANT',
    'network token',
    'RECURRING',
    'Visa',
    VISA,
    ['used + recurring', null, true, true, false, true],
  ],
  ['MERCHANT', 'kept', 'RECURRING', 'Elo', ELO, ['first + recurring', null, true, false, false, false]],
  ['MERCHANT', 'kept', 'UNSCHEDULED', 'Elo', ELO, ['used + unscheduled', null, false, true, false, false]],
  [
    'CUSTOMER',
    'kept',
    'UNSCHEDULED',
    'Mastercard',
    MASTERCARD,
    ['first', `${C1} CredentialsOnFile`, false, false, false, false],
  ],
  [
    'MERCHANT',
    'kept',
    'RECURRING',
    'Mastercard',
    MASTERCARD,
    ['used + recurring', `${M1} Subscription`, true, true, false, false],
  ],
  [
    'MERCHANT',
    'network token',
    'INSTALLMENTS',
    'Mastercard',
    MASTERCARD,
    ['used + installments', `${M1} Installment`, false, true, false, false],
  ],
]

// One after the other: a kept card is First once.
test('the acquirer is sent who is there, whether the card is kept, the plan and the sale before', async () => {
  const seen: Mark[][] = []
  for (const [who, source, plan, , number] of CASES) seen.push(await sold(who, source, plan, number))
  const titles = ['CardOnFile', 'Initiated', 'Recurrent', 'IssuerTransactionId', 'CVV', 'Cryptogram']
  const table = CASES.map(([who, source, plan, brand], at) =>
    [who, source, plan, brand, ...(seen[at] ?? [])].map((cell) => String(cell ?? '-')).join(' | '),
  )
  process.stdout.write(['who | card | plan | brand', ...titles].join(' | ') + `\n${table.join('\n')}\n`)
  expect(seen).toEqual(CASES.map((each) => each[5]))
}, 600_000)
