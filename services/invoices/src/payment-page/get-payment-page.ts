import type { Db } from '@cofre/platform/postgres/postgres'
import type { GetPaymentPageRequest, PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { now } from '../clock/billing-clock'
import { boletoMessage } from '../boletos/store/boleto-message'
import { BOLETOS } from '../boletos/store/boleto-store'
import { withPermission } from '../pix/automatic/collection-store'
import { pixMessage } from '../pix/store/pix-message'
import { PIX_CHARGES } from '../pix/store/pix-store'
import { automaticPix } from './automatic-pix'
import type { Deps } from '../deps'
import type { Invoice, WholeInvoice } from '../invoice/rules/invoice'
import { cardNames } from '../invoice/store/card-name-store'
import { toMessage } from '../invoice/store/invoice-message'
import { lateChargesOf } from '../invoice/rules/late-charges'
import { waitingMoney } from '../invoice/store/waiting-money-store'
import { readPublicInvoice } from '../invoice/store/invoice-store'
import { isWindowClosed } from '../invoice/rules/payment-window'
import { settingsOf } from '../methods/methods'
import { cardPricesFor } from '../cards/card-price'
import { mostInstallments } from '../cards/payment-terms'
import { nextCharge } from '../dunning/next-charge'
import { mayKeepCard, readChargedCards } from '../recurring/store/customer-cards-store'
import { toMessage as themeMessage } from '../catalog/themes/theme-message'
import { findTheme } from '../catalog/themes/theme-store'

export async function getPaymentPage(deps: Deps, { publicId }: GetPaymentPageRequest): Promise<PaymentPage> {
  const { pool, rules } = deps
  const invoice = await readPublicInvoice(pool, publicId)
  const [theme, boleto] = [await findTheme(pool, invoice.sellerId), await BOLETOS.latest(pool, invoice.id)]
  const latest = await PIX_CHARGES.latest(pool, invoice.id)
  const pix = latest && (await withPermission(pool, latest))
  const at = now()
  const { payableAmount: payable } = lateChargesOf(invoice, at)
  const waitingAmount = await waitingMoney(pool, invoice.id)
  const most = mostInstallments(rules, invoice, payable)
  return {
    cardPrices: await cardPricesFor(pool, rules, invoice, { payable, most }),
    invoice: toMessage(pix || (await hasPixAccount(deps, invoice)) ? invoice : withoutPix(invoice), at),
    windowClosed: isWindowClosed(invoice, at),
    theme: theme && themeMessage(theme),
    boleto: boleto && boletoMessage(boleto),
    pix: pix && pixMessage(pix, at),
    ...(await automaticPix(pool, invoice, pix !== latest)),
    ...(await storedCards(pool, invoice, at)),
    mayKeepCard: invoice.automaticCharge !== null && (await mayKeepCard(pool, invoice)),
    waitingAmount,
  }
}

type StoredCards = Pick<PaymentPage, 'hasKeptCard' | 'keptCards' | 'nextCharge' | 'triedCard'>

/** What the page says of the stored cards of the invoice's customer at a moment (epoch milliseconds). */
async function storedCards(db: Db, invoice: WholeInvoice, at: number): Promise<StoredCards> {
  const none = { hasKeptCard: false, keptCards: [], nextCharge: undefined, triedCard: undefined }
  if (!isOfItsCustomer(invoice)) return none
  const { sellerId, customer, transactions } = invoice
  const charged = await readChargedCards(db, { sellerId, customerId: customer.id })
  const keptCards = await cardNames(
    db,
    charged.map(({ cardId }) => cardId),
  )
  const next = await nextCharge(db, invoice)
  const latest = transactions.findLast(({ type }) => type === 'CREDIT_CARD')
  const [triedCard] = await cardNames(db, [latest?.cardId ?? latest?.keepCardId ?? []].flat())
  return {
    hasKeptCard: charged.length > 0,
    keptCards: keptCards.length === charged.length ? keptCards : [],
    nextCharge: next && { at: Math.max(next.at, at), card: next.card, retry: next.isRetry },
    triedCard,
  }
}

/** Anybody can make an invoice by a payment link, in anybody's name: its page shows and touches nothing of the customer. */
export function isOfItsCustomer({ paymentLinkProductId }: Pick<Invoice, 'paymentLinkProductId'>): boolean {
  return paymentLinkProductId === null
}

/** Whether a bank makes Pix charges for the seller of an invoice. While nobody knows, the payer may try. */
async function hasPixAccount(
  { pix: { accounts }, log }: Deps,
  { sellerId, acceptedMethods }: Invoice,
): Promise<boolean> {
  if (!settingsOf(acceptedMethods, 'PIX')) return false
  try {
    return await accounts.has(sellerId)
  } catch (err) {
    log.warn({ err, sellerId }, 'the Pix account of a seller could not be found')
    return true
  }
}

/** Pix leads the page: it is not offered where it would be refused. */
function withoutPix<I extends Invoice>(invoice: I): I {
  const acceptedMethods = invoice.acceptedMethods.filter(({ method }) => method !== 'PIX')
  return { ...invoice, acceptedMethods }
}
