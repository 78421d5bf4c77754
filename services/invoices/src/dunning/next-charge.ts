import type { Db } from '@cofre/platform/postgres/postgres'
import type { CardName } from '@cofre/platform/written'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { cardNames } from '../invoice/store/card-name-store'
import type { CardsOf } from '../letters/charged-cards'
import { readDunning } from './automatic-charge-store'
import { cardsLeft, type Dunning } from './rules/automatic-charge'

/** `isRetry`: the latest payment by card was an automatic one, and failed. `card` undefined: its name is not known. */
export type NextCharge = { at: number; card: CardName | undefined; isRetry: boolean }

/** When a stored card is charged for an invoice next, if things stay as they are. Undefined: none is. */
export async function nextCharge(db: Db, invoice: WholeInvoice): Promise<NextCharge | undefined> {
  const dunning = invoice.automaticCharge ? await readDunning(db, invoice) : undefined
  const next = dunning && nextOf(invoice, dunning)
  if (!next) return undefined
  const latest = invoice.transactions.findLast(({ type }) => type === 'CREDIT_CARD')
  const isRetry = latest?.status === 'FAILED' && latest.id === dunning.transactionId
  const [card] = await cardNames(db, [next.cardId])
  return { at: next.at, card, isRetry }
}

/** Finds the stored cards that letters name. */
export function chargedCardsIn(db: Db): CardsOf {
  return async (invoice) => {
    const dunning = await readDunning(db, invoice)
    if (!dunning) return { tried: undefined, next: undefined }
    const next = nextOf(invoice, dunning)
    const [triedName] = await cardNames(db, triedOf(invoice, dunning))
    const [nextName] = await cardNames(db, next ? [next.cardId] : [])
    return { tried: triedName, next: nextName }
  }
}

function nextOf({ status }: WholeInvoice, dunning: Dunning): { at: number; cardId: number } | undefined {
  const { status: charging, nextAttemptAt: at, isHeld } = dunning.charge
  const [cardId] = cardsLeft(dunning)
  const isPlanned = status === 'CLOSED' && charging === 'WAITING' && !isHeld && dunning.stoppedBy === null
  return isPlanned && at !== null && cardId !== undefined ? { at, cardId } : undefined
}

/** The card of the latest attempt; before there is one, the only card that there is to charge. */
function triedOf({ transactions }: WholeInvoice, { transactionId, cards }: Dunning): readonly number[] {
  const { cardId = null } = transactions.find(({ id }) => id === transactionId) ?? {}
  if (cardId !== null) return [cardId]
  return cards.length === 1 ? cards : []
}
