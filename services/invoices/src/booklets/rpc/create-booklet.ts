import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { RecurringInvoice as Message, type CreateBookletRequest } from '@cofre/proto/invoices/v1/recurring'
import type { Boleto } from '../../boletos/rules/boleto'
import { AHEAD_DAYS, canBeRead } from '../../boletos/rules/due-factor'
import { noAccount } from '../../boletos/registering/bank-refusals'
import { registerMany } from '../../boletos/registering/register-many'
import { checkRecipients } from '../../catalog/recipients/recipient-store'
import { makeBooklet } from '../make-booklet'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/rules/amount'
import { dayOf } from '@cofre/platform/calendar-day'
import type { PrintedCustomer } from '../../invoice/rules/invoice'
import { checkFees } from '../../invoice/rpc/terms-request'
import { checkDiscounts } from '../../invoice/rules/discounts'
import { checkSplits } from '../../invoice/rules/splits'
import { holdReferences, type References } from '../../invoice/store/new-invoice-store'
import { needsBankAccount } from '../../methods/methods'
import { newRecurring } from '../../recurring/rules/new-recurring'
import type { WholeRecurring } from '../../recurring/rules/recurring-invoice'
import { anchorOf, dueDateOf } from '../../recurring/rules/schedule'
import { toMessage } from '../../recurring/store/recurring-message'
import { fault, throwFaults, unknownReference } from '../../request-check'
import { readBookletRequest, type BookletRequest } from './booklet-request'

/**
 * Makes a booklet and all its invoices, and saves their slips, in one transaction; then the bank registers the slips.
 * The sweeper resolves slips that the bank has not answered in time.
 */
export async function createBooklet(deps: Deps, request: CreateBookletRequest): Promise<Replayable<Message>> {
  const { sellerId, customerId } = request
  const { pool, cards, log } = deps
  const asked = readBookletRequest(request)
  await checkFees(deps, sellerId, asked)
  checkSplits(asked.splits, amountOf([asked.item]))
  checkDiscounts(asked.discounts, amountOf([asked.item]))
  const isNamed = (request.terms?.acceptedMethods ?? []).length > 0
  const account = await findAccount(deps, sellerId, { ...asked, isNamed })
  const hasCard = asked.cardId === null || (await cards.find(sellerId, { id: asked.cardId })) !== undefined
  const made: Boleto[] = []
  const answer = await withIdempotency(pool, sellerId, Message, async (tx) => {
    await checkRecipients(tx, sellerId, asked.splits)
    const references = await holdReferences(tx, {
      sellerId,
      customerId,
      productIds: [asked.item.productId],
    })
    const customer = checkReferences(asked, { ...references, hasCard })
    const at = now()
    const draft = draftOf(sellerId, asked, { ...references, customer }, at)
    if (account !== undefined) checkReadable(draft, asked.charges, at)
    const { products: productNames, holidays } = references
    const printed = { customer, productNames, holidays }
    const { booklet, invoices, slips } = await makeBooklet(deps, tx, draft, { ...printed, account })
    made.push(...slips)
    log.info({ sellerId, recurringInvoiceId: booklet.id, invoices: invoices.length }, 'booklet made')
    return toMessage(booklet)
  })
  await registerMany(deps, made)
  return answer
}

/** The seller's account. Undefined: no boletos are made. A seller who names a method that needs one must have it. */
async function findAccount(
  { boletos }: Deps,
  sellerId: number,
  { acceptedMethods, isNamed }: Pick<BookletRequest, 'acceptedMethods'> & { isNamed: boolean },
): Promise<string | undefined> {
  if (!needsBankAccount(acceptedMethods)) return undefined
  const account = await boletos.accounts.find(sellerId)
  if (account === undefined && isNamed) throw noAccount()
  return account
}

function checkReferences(
  { item }: BookletRequest,
  { customer, products, hasCard }: References & { hasCard: boolean },
): PrintedCustomer {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...(hasCard ? [] : ['#/cardId']),
    ...(products.has(item.productId) ? [] : ['#/recurringItem/productId']),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The booklet', missing)
  return customer
}

/** Refuses a booklet whose last slips nobody could pay: banks read a due date from four digits. */
function checkReadable(draft: Omit<WholeRecurring, 'id'>, charges: number, at: number): void {
  if (canBeRead(dayOf(dueDateOf(draft, charges - 1)), dayOf(at))) return
  const detail = `must leave every due date within ${AHEAD_DAYS} days: banks read no later one from a boleto. Without BOLETO in acceptedPaymentMethods there is no such limit`
  throwFaults([fault('#/chargesByBooklet', 'MAX', detail)])
}

function draftOf(
  sellerId: number,
  { start, item, ...asked }: BookletRequest,
  { customer, products }: References & { customer: PrintedCustomer },
  at: number,
): Omit<WholeRecurring, 'id'> {
  const today = dayOf(at)
  if (start.date !== undefined && dayOf(start.date) < today) {
    throwFaults([fault('#/billingCycleStartDate', 'MIN', 'must be today or later')])
  }
  const schedule = {
    anchorDay: anchorOf(start, today),
    startOverridden: start.isOverridden,
    firstDueDate: null,
  }
  const given = { ...asked, ...schedule, kind: 'BOOKLET', items: [item] } as const
  return newRecurring({ ...given, sellerId, customer, products }, at)
}
