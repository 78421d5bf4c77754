import type { CardName } from '@cofre/platform/written'
import type { WholeInvoice } from '../invoice/rules/invoice'

/** The stored card that was last charged for an invoice, and the one that is charged next. Undefined: none, or no name is known. */
export type ChargedCards = { tried: CardName | undefined; next: CardName | undefined }

/** Finds the stored cards that are charged for an invoice. */
export type CardsOf = (invoice: WholeInvoice) => Promise<ChargedCards>
