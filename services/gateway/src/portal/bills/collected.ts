import type { customerCardsSchema } from '@cofre/api/recurring/customer-card'
import type { RecurringJson } from '@cofre/api/recurring-invoice'
import type { z } from 'zod'
import { cardWords } from '../words/card-words'
import type { Word } from '../words/portuguese'
import { word, type Value } from '../words/value'

export type KeptCards = z.output<typeof customerCardsSchema>

/** The choices of a form. */
export const COLLECTIONS: Record<RecurringJson['collectionMethod'], Word> = {
  SEND_INVOICE: 'The customer gets each invoice by e-mail',
  CHARGE_AUTOMATICALLY: 'Charged automatically on the due date',
}

/** How a recurring invoice is paid: by whom it is collected, or what it waits for. `kept`: empty where nobody may see it. */
export function collectedBy(billed: RecurringJson, kept: KeptCards | []): Value {
  const isUnreached = billed.warnings.some(({ code }) => code.startsWith('NOBODY_TO_'))
  if (billed.collectionMethod !== 'CHARGE_AUTOMATICALLY') {
    return billed.kind === 'BOOKLET' || isUnreached ? null : word('The customer gets each invoice by e-mail')
  }
  if (billed.pixPermission?.status === 'APPROVED') return word('Collected by Pix Automático on the due date')
  if (!('cards' in kept)) return word('Charged automatically on the due date')
  const cardId = billed.nextCardId ?? billed.cardId
  const card = kept.cards.find(({ id, isDefault }) => (cardId === null ? isDefault : id === cardId))
  if (card) return word('Charged to {card} on the due date', { card: cardWords(card) })
  return isUnreached
    ? word('Waits for a card or a Pix permission.')
    : word('Waits for a card or a Pix permission. Until then the customer gets each invoice by e-mail.')
}
