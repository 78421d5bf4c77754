import type { RecurringJson } from '@cofre/api/recurring-invoice'
import { dayOf } from '@cofre/platform/calendar-day'
import { COLLECTIONS, type KeptCards } from './collected'
import type { Field } from '../desk/fields'
import type { Action, Ask, Composed } from '../desk/thing'
import { cardWords } from '../words/card-words'
import { day, word, type Value } from '../words/value'
import { itemFields, itemsOf, productsOf } from '../things/bill-fields'

/** A form has at most 100 fields. */
const MAX_ROWS = 25
/** Rows for what is added. */
const SPARE_ROWS = 3
const KEPT = 'kept'

const CHANGED = 'It was changed meanwhile. Open the page again.'

type Typed = Record<string, unknown>

/** The invoices of a booklet are made: only the card that is charged for them can change. */
const isOfCardOnly = ({ kind }: RecurringJson) => kind === 'BOOKLET'
const rowsFor = ({ recurringItems }: RecurringJson) => Math.min(MAX_ROWS, recurringItems.length + SPARE_ROWS)

/** Changes what a recurring invoice charges, how, and when, from its next cycle on. */
export const editRecurring: Action<RecurringJson> = {
  operation: 'updateRecurringInvoice',
  name: 'edit',
  label: 'Change',
  applies: ({ kind, status, collectionMethod, recurringItems }) =>
    kind === 'BOOKLET'
      ? status === 'FINISHED' && collectionMethod === 'CHARGE_AUTOMATICALLY'
      : (status === 'ACTIVE' || status === 'PAUSED') && recurringItems.length <= MAX_ROWS,
  says: (billed) => holdsFrom(billed),
  fields: async (billed, ask) => {
    const card = await cardField(billed, ask)
    if (isOfCardOnly(billed)) return [card]
    const seen: Field = { name: 'seen', label: 'Change', kind: 'hidden', value: String(billed.updatedAt) }
    const products = await productsOf(ask, sold(billed))
    return [
      {
        name: 'collectionMethod',
        label: 'Payment',
        kind: 'choice',
        value: billed.collectionMethod,
        options: Object.entries(COLLECTIONS),
      },
      card,
      seen,
      dayField(billed),
      ...Array.from({ length: rowsFor(billed) }, (_none, row) =>
        itemFields(row, products, sold(billed)[row]),
      ).flat(),
    ]
  },
  body: (typed, billed, ask) => bodyOf(typed, billed, ask),
  done: 'The recurring invoice was changed.',
}

function holdsFrom(billed: RecurringJson): Value {
  if (isOfCardOnly(billed)) return word('The card is charged from the next try on.')
  return billed.nextCycleDate === null
    ? word(
        'Holds from the next cycle on, a card from the next try on. Invoices that were made stay as they are; for one that was given up, use “Charge the card now”.',
      )
    : word(
        'Holds from the cycle of {day} on, a card from the next try on. Invoices that were made stay as they are; for one that was given up, use “Charge the card now”.',
        { day: day(billed.nextCycleDate) },
      )
}

function dayField({ nextCycleDate }: RecurringJson): Field {
  return {
    name: 'nextCycleDate',
    label: 'Next cycle',
    kind: 'day',
    value: nextCycleDate === null ? '' : dayOf(nextCycleDate),
    hint: word('All later cycles are counted from this day. Each is billed once and in full.'),
  }
}

async function cardField({ customerId, cardId }: RecurringJson, ask: Ask): Promise<Field> {
  const { cards } = (await ask('listCustomerCards', {}, { id: String(customerId) })) as KeptCards
  return {
    name: 'cardId',
    label: 'Card',
    kind: 'choice',
    options: [
      ['', 'As it is'],
      ...cards.map((card) => [String(card.id), { own: cardWords(card) }] as const),
      ...(cardId === null ? [] : [[KEPT, 'The card that the customer keeps'] as const]),
    ],
  }
}

/** Its items, as those of an invoice. */
function sold({ recurringItems }: RecurringJson) {
  return recurringItems.map((item) => ({ ...item, totalInCents: item.quantity * item.unitPriceInCents }))
}

/** Only what was changed is sent. What somebody else changed since the form was shown would be changed back: that is refused. */
async function bodyOf(typed: Typed, billed: RecurringJson, ask: Ask): Promise<Composed> {
  const { cardId, collectionMethod, nextCycleDate } = typed
  const card =
    cardId === KEPT ? { chargesKeptCard: true } : cardId === undefined ? {} : { cardId: Number(cardId) }
  if (isOfCardOnly(billed)) return { body: card }
  if (typed['seen'] !== billed.updatedAt) return { faults: { collectionMethod: CHANGED } }
  const items = itemsOf(typed, rowsFor(billed), await productsOf(ask, sold(billed)))
  if (items.length === 0) return { faults: { 'items.0.productId': 'Choose a product.' } }
  const before = billed.recurringItems.map(({ productId, quantity, unitPriceInCents }) => ({
    productId,
    quantity,
    unitPriceInCents,
  }))
  return {
    body: {
      ...card,
      ...(collectionMethod !== billed.collectionMethod && { collectionMethod }),
      ...(nextCycleDate !== undefined && nextCycleDate !== billed.nextCycleDate && { nextCycleDate }),
      ...(JSON.stringify(items) !== JSON.stringify(before) && { recurringItems: items }),
    },
  }
}
