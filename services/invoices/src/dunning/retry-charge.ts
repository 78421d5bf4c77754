import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { InvoiceCharge, type GetInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../clock/billing-clock'
import type { Deps, PaymentRules } from '../deps'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { paymentPending } from '../invoice/rules/transition'
import { chargeMessage } from '../invoice/store/invoice-message'
import { lockInvoice, readInvoice } from '../invoice/store/invoice-store'
import { lockDunning, readDunning, saveDunning, type ChargeKey } from './automatic-charge-store'
import { isStillLeft, looked } from './begin-attempt'
import { isCardCharged } from './card-history-store'
import { seeTo } from './charge-automatically'
import { chosenCard, type ChargedCard, type NoCard } from './chosen-card'
import { tryOnceMore, type Dunning } from './rules/automatic-charge'
import { checkRetry, retryRefused } from './rules/refused-retry'
import { dueDayOf } from './rules/schedule'

/**
 * Charges the card of an invoice once more, now. The wish is saved first, as a charge that is due: if this process ends
 * before it charges the card, the sweeper does, and whoever comes first alone.
 */
export async function retryAutomaticCharge(
  deps: Deps,
  { sellerId, invoiceId: id }: GetInvoiceRequest,
): Promise<Replayable<InvoiceCharge>> {
  const { pool, rules, log } = deps
  const key = { sellerId, id }
  const known = await readDunning(pool, key)
  const card = known && (await chosenCard(deps, sellerId, anew(known), now()))
  const asked = await withIdempotency(pool, sellerId, InvoiceCharge, async (tx) => {
    const invoice = await save(rules, tx, key, card)
    return chargeOf(invoice)
  })
  if (asked.replayed) return { response: await chargeNow(deps, key), replayed: true }
  log.info({ sellerId, invoiceId: id }, 'one more automatic charge asked for')
  await seeTo(deps, key, now())
  return { response: await chargeNow(deps, key), replayed: false }
}

/** Its cards in the order of choice, whichever was tried last. */
function anew(dunning: Dunning): Dunning {
  return { ...dunning, triedCards: [] }
}

/** Saves that the card is to be charged now. Throws when something stands against it. */
async function save(
  rules: PaymentRules,
  tx: Db,
  key: ChargeKey,
  card: ChargedCard | NoCard | undefined,
): Promise<WholeInvoice> {
  const at = now()
  const invoice = await lockInvoice(tx, key)
  const dunning = await lockDunning(tx, key)
  checkRetry(invoice, dunning, at)
  if (!card || 'reason' in card) throw retryRefused(card?.reason ?? 'NO_CARD')
  // Another card was chosen while this one was looked up.
  if (!isStillLeft(anew(dunning), card)) throw paymentPending()
  if (await isCardCharged(tx, { sellerId: key.sellerId, cardId: card.id })) throw paymentPending()
  const wished = tryOnceMore(dunning, card.id, at)
  const terms = { at, dueDay: dueDayOf(invoice), dunningDays: rules.dunningDays }
  const { held } = await looked(rules, tx, invoice, { dunning: wished, card }, terms)
  if (held) throw retryRefused(held.charge.reason ?? 'NO_CARD')
  return saveDunning(tx, invoice, wished, at)
}

async function chargeNow({ pool }: Pick<Deps, 'pool'>, key: ChargeKey): Promise<InvoiceCharge> {
  return chargeOf(await readInvoice(pool, key))
}

function chargeOf({ charge, transactions }: WholeInvoice): InvoiceCharge {
  if (!charge) throw new Error('an invoice that is charged automatically has no charge')
  return chargeMessage(charge, transactions)
}
