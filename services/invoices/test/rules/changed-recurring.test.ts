import { changedRecurring, type AskedChange, type Known } from '../../src/recurring/rules/changed-recurring'
import type { WholeRecurring } from '../../src/recurring/rules/recurring-invoice'
import type { PixPermission } from '../../src/pix/rules/permission'
import { ALL_METHODS } from '../../src/methods/methods'
import { momentOf } from '@cofre/platform/calendar-day'

const AT = momentOf('2055-02-05T12:00')
const ITEM = { productId: 1, quantity: 1, unitPrice: 9_900, cycle: null }

const PLAN: WholeRecurring = {
  id: 1,
  sellerId: 1,
  kind: 'RECURRING',
  status: 'ACTIVE',
  customerId: 1,
  customerDocument: '12345678909',
  frequency: 'MONTHLY',
  collectionMethod: 'CHARGE_AUTOMATICALLY',
  orderReference: null,
  daysUntilDue: 0,
  anchorDay: '2055-01-31',
  startOverridden: false,
  firstDueDate: null,
  charges: null,
  cardId: null,
  cardChosenAt: null,
  givesUp: false,
  cardPaysFineAndInterest: false,
  language: 'pt-BR',
  sellerName: null,
  acceptedMethods: ALL_METHODS,
  partialPayments: false,
  splits: [],
  fine: null,
  interest: null,
  discounts: [],
  notificationUrl: null,
  successUrl: null,
  cyclesBilled: 1,
  nextPeriod: 1,
  nextCycleDay: '2055-02-28',
  items: [{ ...ITEM, id: 1, description: 'Plano' }],
  sequence: 2,
  createdAt: 0,
  updatedAt: 0,
}

const permission = (amount: number | null, changes: Partial<PixPermission> = {}) =>
  ({ status: 'APPROVED', amount, cancelling: false, ...changes }) as PixPermission

const NOTHING: AskedChange = {
  cardId: undefined,
  collectionMethod: undefined,
  nextCycleDay: undefined,
  recurringItems: undefined,
  extraItems: undefined,
}
const KNOWN: Known = {
  hasCard: true,
  nextCardId: undefined,
  permission: undefined,
  products: new Map([[1, 'Plano']]),
}

const changed = (
  asked: Partial<AskedChange>,
  known: Partial<Known> = {},
  plan: Partial<WholeRecurring> = {},
) => changedRecurring({ ...PLAN, ...plan }, { ...NOTHING, ...asked }, { ...KNOWN, ...known }, AT)

test.each<[string, Partial<AskedChange>, number | null, string[]]>([
  ['the day', { nextCycleDay: '2055-02-10' }, null, ['#/nextCycleDate']],
  ['the collection method', { collectionMethod: 'SEND_INVOICE' }, null, ['#/collectionMethod']],
  ['a fixed amount', { recurringItems: [{ ...ITEM, unitPrice: 10_000 }] }, 9_900, ['#/recurringItems']],
  ['a fixed amount by an extra item', { extraItems: [{ ...ITEM, cycle: 2 }] }, 9_900, ['#/extraItems']],
])('a permission of the payer forbids another %s', (_what, asked, amount, pointers) => {
  const refused = () => changed(asked, { permission: permission(amount) })
  expect(refused).toThrow(
    expect.objectContaining({
      reason: 'PIX_PERMISSION_OPEN',
      extra: { errors: pointers.map((pointer) => expect.objectContaining({ pointer })) },
    }),
  )
})

test.each<[string, Partial<AskedChange>, Partial<PixPermission>]>([
  ['a card', { cardId: 7 }, { amount: 9_900 }],
  [
    'items of the same sum',
    { recurringItems: [{ ...ITEM, quantity: 3, unitPrice: 3_300 }] },
    { amount: 9_900 },
  ],
  [
    'any items, where each invoice has its own amount',
    { recurringItems: [{ ...ITEM, unitPrice: 1 }] },
    { amount: null },
  ],
  ['the day, once the permission is being ended', { nextCycleDay: '2055-02-10' }, { cancelling: true }],
])('a permission of the payer allows %s', (_what, asked, changes) => {
  expect(changed(asked, { permission: permission(9_900, changes) }).fields).toHaveLength(1)
})

test('a first due date that the seller gave holds until the first cycle, and no day after it is taken', () => {
  const plan = {
    cyclesBilled: 0,
    nextPeriod: 0,
    anchorDay: '2055-02-28',
    firstDueDate: momentOf('2055-03-10T00:00'),
  }
  expect(changed({ nextCycleDay: '2055-03-10' }, {}, plan).recurring).toMatchObject({
    firstDueDate: plan.firstDueDate,
  })
  expect(() => changed({ nextCycleDay: '2055-03-11' }, {}, plan)).toThrow(
    expect.objectContaining({ extra: { errors: [expect.objectContaining({ code: 'MAX' })] } }),
  )
  expect(changed({ nextCycleDay: '2055-03-10' }).recurring).toMatchObject({
    firstDueDate: null,
    nextPeriod: 0,
  })
})

test('a plan by letters charges automatically only what can be: without cards and Pix it cannot', () => {
  const boleto = ALL_METHODS.filter(({ method }) => method === 'BOLETO')
  const plan = { collectionMethod: 'SEND_INVOICE', acceptedMethods: boleto } as const
  expect(() => changed({ collectionMethod: 'CHARGE_AUTOMATICALLY' }, {}, plan)).toThrow(
    expect.objectContaining({ extra: { errors: [expect.objectContaining({ code: 'OTHER_METHOD' })] } }),
  )
})

test('a card that is named again, though the customer has kept another since, is chosen anew', () => {
  const plan = { cardId: 7, cardChosenAt: null }
  expect(changed({ cardId: 7 }, { nextCardId: 7 }, plan).fields).toEqual([])
  expect(changed({ cardId: 7 }, { nextCardId: 8 }, plan).recurring.cardChosenAt).toBe(AT)
})
