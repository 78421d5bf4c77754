import { DomainError } from '@cofre/platform/errors'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import { checkDiscounts } from '../../invoice/rules/discounts'
import { checkSplits } from '../../invoice/rules/splits'
import { amountOf } from '../../invoice/rules/amount'
import { settingsOf } from '../../methods/methods'
import { isPixFrequency, type PixPermission } from '../../pix/rules/permission'
import { fault, throwFaults, unknownReference } from '../../request-check'
import { totalFaults, type AskedRecurringItem } from '../rpc/recurring-request'
import { withDay } from './changed-day'
import { collectedAmount } from './collected-amount'
import { itemsOfCycle } from './cycle-invoice'
import { missingProducts } from './new-recurring'
import type { RecurringItem, WholeRecurring } from './recurring-invoice'
import { invalidState } from './transition'

/** The change that a seller asks for: what is undefined stays. `cardId` null: no card is named. */
export type AskedChange = {
  cardId: number | null | undefined
  collectionMethod: WholeRecurring['collectionMethod'] | undefined
  nextCycleDay: CalendarDay | undefined
  recurringItems: readonly AskedRecurringItem[] | undefined
  extraItems: readonly AskedRecurringItem[] | undefined
}

/** `nextCardId`: the card that is charged next as it is. `permission`: the payer's open one. `hasCard`: the asked one is the customer's to name. */
export type Known = {
  hasCard: boolean
  nextCardId: number | undefined
  permission: PixPermission | undefined
  products: ReadonlyMap<number, string>
}

/** The members of the API that a change may concern. */
export type ChangedField = 'cardId' | 'collectionMethod' | 'nextCycleDate' | 'recurringItems' | 'extraItems'

/**
 * A recurring invoice after a change, and what of it changed. What was billed stays as it is. INVALID_ARGUMENT
 * VALIDATION_FAILED; FAILED_PRECONDITION.
 */
export function changedRecurring(
  recurring: WholeRecurring,
  asked: AskedChange,
  known: Known,
  at: number,
): { recurring: WholeRecurring; fields: ChangedField[] } {
  checkState(recurring, asked)
  const steps: [ChangedField[], (before: WholeRecurring) => WholeRecurring][] = [
    [['collectionMethod'], (before) => withMethod(before, asked.collectionMethod)],
    [['cardId'], (before) => withCard(before, asked.cardId, known, at)],
    [['recurringItems', 'extraItems'], (before) => withItems(before, asked, known)],
    [['nextCycleDate'], (before) => (asked.nextCycleDay ? withDay(before, asked.nextCycleDay, at) : before)],
  ]
  const after = steps.reduce((before, [, step]) => step(before), recurring)
  const fields = fieldsThatChanged(recurring, after)
  checkPermission(after, fields, known.permission)
  return { recurring: fields.length > 0 ? { ...after, updatedAt: at } : recurring, fields }
}

/** The invoices of a booklet are made: only the card that is charged for them can change. */
function checkState(recurring: WholeRecurring, { cardId: _cardId, ...rest }: AskedChange): void {
  const { kind, status, collectionMethod } = recurring
  if (kind === 'RECURRING' && (status === 'ACTIVE' || status === 'PAUSED')) return
  const isOfCard = Object.values(rest).every((each) => each === undefined)
  const isCharged = kind === 'BOOKLET' && status === 'FINISHED' && collectionMethod === 'CHARGE_AUTOMATICALLY'
  if (!isCharged || !isOfCard) throw invalidState(recurring, 'change')
}

function withMethod(before: WholeRecurring, asked: AskedChange['collectionMethod']): WholeRecurring {
  if (asked === undefined || asked === before.collectionMethod) return before
  if (asked === 'SEND_INVOICE')
    return { ...before, collectionMethod: asked, cardId: null, cardChosenAt: null }
  const { acceptedMethods, frequency } = before
  const isByPix = settingsOf(acceptedMethods, 'PIX') && isPixFrequency(frequency)
  if (!settingsOf(acceptedMethods, 'CREDIT_CARD') && !isByPix) {
    const detail = 'cannot be CHARGE_AUTOMATICALLY where neither CREDIT_CARD nor Pix Automático can collect'
    throwFaults([fault('#/collectionMethod', 'OTHER_METHOD', detail)])
  }
  return { ...before, collectionMethod: asked }
}

/** The card that a seller names is the one that was chosen last, until the customer keeps another. */
function withCard(
  before: WholeRecurring,
  asked: AskedChange['cardId'],
  { hasCard, nextCardId }: Known,
  at: number,
): WholeRecurring {
  if (asked === undefined) return before
  if (asked === null) return { ...before, cardId: null, cardChosenAt: null }
  if (before.collectionMethod === 'SEND_INVOICE') {
    const detail = 'belongs to the collectionMethod CHARGE_AUTOMATICALLY'
    throwFaults([fault('#/cardId', 'OTHER_METHOD', detail)])
  }
  if (!hasCard) throw unknownReference('The recurring invoice', ['#/cardId'])
  const isNews = before.cardId !== asked || nextCardId !== asked
  return isNews ? { ...before, cardId: asked, cardChosenAt: at } : before
}

function withItems(
  before: WholeRecurring,
  { recurringItems, extraItems }: AskedChange,
  { products }: Known,
): WholeRecurring {
  if (!recurringItems && !extraItems) return before
  const { items: old, cyclesBilled } = before
  const past = (extraItems ?? []).flatMap(({ cycle }, place) => {
    const isPast = cycle !== null && cycle <= cyclesBilled
    return isPast
      ? [fault(`#/extraItems/${place}/cycle`, 'MIN', 'must be a cycle that is not billed yet')]
      : []
  })
  throwFaults(past)
  const asked = [...(recurringItems ?? []), ...(extraItems ?? [])]
  const missing = missingProducts(asked, products)
  if (missing.length > 0) throw unknownReference('The recurring invoice', missing)
  const named = (items: readonly AskedRecurringItem[]) =>
    items.map((item) => ({ ...item, description: products.get(item.productId) ?? '' }))
  const items = [
    ...(recurringItems ? named(recurringItems) : itemsOfCycle(old, 0)),
    ...(extraItems ? named(extraItems) : old.filter(({ cycle }) => cycle !== null)),
  ].map((item, place): RecurringItem => ({ ...item, id: place + 1 }))
  throwFaults(totalFaults(items))
  const least = amountOf(itemsOfCycle(items, 0))
  checkSplits(before.splits, least)
  checkDiscounts(before.discounts, least)
  return { ...before, items }
}

function fieldsThatChanged(before: WholeRecurring, after: WholeRecurring): ChangedField[] {
  const changes: Record<ChangedField, boolean> = {
    cardId: before.cardId !== after.cardId || before.cardChosenAt !== after.cardChosenAt,
    collectionMethod: before.collectionMethod !== after.collectionMethod,
    nextCycleDate: before.anchorDay !== after.anchorDay || before.nextCycleDay !== after.nextCycleDay,
    recurringItems: !isSame(itemsOfCycle(before.items, 0), itemsOfCycle(after.items, 0)),
    extraItems: !isSame(extrasOf(before), extrasOf(after)),
  }
  return (Object.keys(changes) as ChangedField[]).filter((field) => changes[field])
}

function extrasOf({ items }: WholeRecurring): RecurringItem[] {
  return items.filter(({ cycle }) => cycle !== null)
}

function isSame(before: readonly RecurringItem[], after: readonly RecurringItem[]): boolean {
  const plain = (items: readonly RecurringItem[]) =>
    JSON.stringify(
      items.map((each) => [each.productId, each.description, each.quantity, each.unitPrice, each.cycle]),
    )
  return plain(before) === plain(after)
}

/** Refuses what the payer has not permitted: other days, another amount, or no collection at all. A card may change. */
function checkPermission(
  after: WholeRecurring,
  fields: readonly ChangedField[],
  permission: PixPermission | undefined,
): void {
  if (!permission || permission.cancelling) return
  const isOther = (field: ChangedField) => {
    if (field === 'collectionMethod' || field === 'nextCycleDate') return true
    return field !== 'cardId' && permission.amount !== null && permission.amount !== amountToCollect(after)
  }
  const errors = fields
    .filter(isOther)
    .map((field) => fault(`#/${field}`, 'NOT_PERMITTED', 'is fixed by the payer’s permission'))
  if (errors.length === 0) return
  const words =
    'The payer’s permission for Pix Automático fixes the days, and the amount it names. Cancel the permission before this change.'
  throw new DomainError('failed_precondition', 'PIX_PERMISSION_OPEN', words, { errors })
}

/** The one amount of every cycle, cents. Undefined when a cycle that is to come has items of its own. */
function amountToCollect(recurring: WholeRecurring): number | undefined {
  const { items, cyclesBilled } = recurring
  if (items.some(({ cycle }) => cycle !== null && cycle > cyclesBilled)) return undefined
  const amount = amountOf(itemsOfCycle(items, 0))
  return collectedAmount({ ...recurring, amount }, amount)
}
