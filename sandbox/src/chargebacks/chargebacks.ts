import type { PaymentBook } from '../acquirer/payment-book'
import type { Payment } from '../acquirer/payment'
import type { SandboxConfig } from '../config'
import type { Faults } from '../faults'
import { asOf, become, openChargeback, type Chargeback, type Stage, type Status } from './chargeback'
import { presentCase, presentInSale } from './chargeback-answer'
import { ChargebackBook } from './chargeback-book'
import { ChargebackClients } from './chargeback-clients'
import { CaseSender } from './case-sender'

/** The state that the acquirer's chargeback API and its controls share. */
export type Chargebacks = {
  readonly faults: Faults
  readonly payments: PaymentBook
  readonly book: ChargebackBook
  readonly clients: ChargebackClients
  readonly sender: CaseSender
}

export function openChargebacks(
  { dataDir, disputeWebhookUrl }: Pick<SandboxConfig, 'dataDir' | 'disputeWebhookUrl'>,
  payments: PaymentBook,
  faults: Faults,
): Chargebacks {
  return {
    faults,
    payments,
    book: new ChargebackBook(dataDir),
    clients: new ChargebackClients(dataDir),
    sender: new CaseSender(disputeWebhookUrl),
  }
}

export function closeChargebacks({ book, clients, sender }: Chargebacks): void {
  sender.close()
  book.close()
  clients.close()
}

type Wanted = {
  amount: number
  reasonCode: string
  daysToAnswer: number
  stage: Stage
  /** The case that goes on; absent: a new one. */
  idCase?: string | undefined
}

/** Opens a chargeback of a payment, or the next stage of a case. */
export function open({ book }: Chargebacks, payment: Payment, { idCase, ...wanted }: Wanted): Chargeback {
  const idChargeback = book.newId()
  const { merchantId, paymentId } = payment
  const ids = { idCase: idCase ?? `7${idChargeback}`, idChargeback, merchantId, paymentId }
  const opened = openChargeback({ ...ids, ...wanted, receivedAt: Date.now() })
  book.save(opened)
  return opened
}

export function move({ book }: Chargebacks, chargeback: Chargeback, status: Status): Chargeback {
  const moved = become(chargeback, status, Date.now())
  book.save(moved)
  return moved
}

/** Every chargeback as it is now: one whose last day is over has expired. */
export function current({ book }: Chargebacks, found: readonly Chargeback[]): Chargeback[] {
  return found.map((chargeback) => {
    const now = asOf(chargeback, Date.now())
    if (now !== chargeback) book.save(now)
    return now
  })
}

export function paymentOf(
  { payments }: Chargebacks,
  { merchantId, paymentId }: Chargeback,
): Payment | undefined {
  return payments.find(merchantId, paymentId)
}

/** Returns the chargebacks of a payment that the seller lost, as a sale's query shows them. */
export function lostBy(chargebacks: Chargebacks): (payment: Payment) => object[] {
  return ({ paymentId }) => presentInSale(current(chargebacks, chargebacks.book.ofPayment(paymentId)))
}

/** Posts the case to the seller's platform: when it is new, and when its life cycle goes on. */
export function tell(chargebacks: Chargebacks, chargeback: Chargeback): void {
  const payment = paymentOf(chargebacks, chargeback)
  if (payment) chargebacks.sender.send(presentCase(chargeback, payment, Date.now()))
}
