import { customerOf, matching } from './bill-customer'
import type { KeptCards } from './collected'
import type { Field } from '../desk/fields'
import type { Ask, Given } from '../desk/thing'
import { cardWords } from '../words/card-words'
import type { Word } from '../words/portuguese'
import { word } from '../words/value'

const KEPT = 'kept'

/** Which card a new plan charges, once its customer is known and has one. */
export async function planCardFields(ask: Ask, given: Given): Promise<Field[]> {
  const found = await matching(ask, given('document'))
  const chosen = found.length === 1 ? found[0] : found.find(({ id }) => String(id) === given('customerId'))
  const cards = chosen ? await cardsOf(ask, chosen.id) : []
  if (cards.length === 0) return []
  return [
    {
      name: 'cardId',
      label: 'Card',
      kind: 'choice',
      hint: word('It is charged where the payment is automatic.'),
      options: [
        ...(isToChoose(cards) ? [['', 'Choose a card'] as const] : []),
        [KEPT, 'The card that the customer keeps'],
        ...cards.map((card) => [String(card.id), { own: cardWords(card) }] as const),
      ],
    },
  ]
}

/** The card that was chosen; none: the one that the customer keeps. Who has others than that is asked for. */
export async function planCardOf(
  ask: Ask,
  { cardId, collectionMethod, ...typed }: Record<string, unknown>,
): Promise<{ card: { cardId?: number } } | { faults: Record<string, Word> }> {
  const customer = await customerOf(ask, typed)
  if (collectionMethod !== 'CHARGE_AUTOMATICALLY' || 'faults' in customer) return { card: {} }
  const cards = await cardsOf(ask, customer.id)
  const chosen = cards.find(({ id }) => String(id) === cardId)
  if (chosen) return { card: { cardId: chosen.id } }
  return cardId === KEPT || !isToChoose(cards)
    ? { card: {} }
    : { faults: { cardId: 'Choose which card is charged.' } }
}

const isToChoose = (cards: KeptCards['cards']) => cards.some(({ isDefault }) => !isDefault)

async function cardsOf(ask: Ask, id: number): Promise<KeptCards['cards']> {
  return ((await ask('listCustomerCards', {}, { id: String(id) })) as KeptCards).cards
}
