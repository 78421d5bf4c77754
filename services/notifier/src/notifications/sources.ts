import { presentUnexpectedReceipt } from '@cofre/api/boleto'
import { presentCharge } from '@cofre/api/charge'
import { presentDispute } from '@cofre/api/disputes/dispute'
import { TOPICS } from '@cofre/api/events'
import { presentInvoice } from '@cofre/api/invoice'
import { presentNetworkTokenNotification } from '@cofre/api/network-token'
import { presentRecurringEvent } from '@cofre/api/recurring-invoice'
import { presentVoucherPayment } from '@cofre/api/vouchers/voucher-payment'
import { presentVoucherTokenNotification } from '@cofre/api/vouchers/voucher-token'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { InvoiceEvent } from '@cofre/proto/invoices/v1/events'
import { ReceiptEvent } from '@cofre/proto/invoices/v1/money'
import { RecurringInvoiceEvent } from '@cofre/proto/invoices/v1/recurring'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { ChargeEvent, DisputeEvent } from '@cofre/proto/orders/v1/events'
import { VoucherPaymentEvent, VoucherTokenEvent } from '@cofre/proto/vouchers/v1/events'
import { envelopeOf, type Notification } from './envelope'

/** The facts in the message of an event. `atItsUrl`: the body for the URL that the request named. */
type EventFacts = {
  sellerId: number
  resourceId: string
  /** Where the resource is read, below the base URL. */
  path: string
  sequence: number
  occurredAt: number
  notificationUrl: string
  data: object
  atItsUrl: 'envelope' | 'data' | 'empty' | 'nothing'
}

/** A topic of events that sellers are notified of. */
export type Source = {
  topic: string
  /** What its events are about. */
  resourceKind: string
  /** Undefined: the message has no resource. */
  read(message: unknown, baseUrl: string, eventType: string): EventFacts | undefined
}

/** The URL of the request learns only how the request ended. Registered endpoints get all later changes too. */
const SENT_TO_ITS_URL: readonly NetworkTokenStatus[] = [NetworkTokenStatus.ACTIVE, NetworkTokenStatus.FAILED]

/** A new kind of event needs one more entry. */
export const SOURCES: readonly Source[] = [
  {
    topic: TOPICS.orders,
    resourceKind: 'charge',
    read: (message, baseUrl) => {
      const { charge, ...event } = ChargeEvent.fromJSON(message)
      return (
        charge && {
          ...event,
          sellerId: charge.sellerId,
          resourceId: String(charge.id),
          path: `/api/v2/charges/${charge.id}`,
          data: presentCharge(charge, baseUrl),
          atItsUrl: 'envelope',
        }
      )
    },
  },
  {
    topic: TOPICS.disputes,
    resourceKind: 'dispute',
    read: (message) => {
      const { dispute, ...event } = DisputeEvent.fromJSON(message)
      return (
        dispute && {
          ...event,
          sellerId: dispute.sellerId,
          resourceId: String(dispute.id),
          path: `/api/v2/disputes/${dispute.id}`,
          data: presentDispute(dispute),
          atItsUrl: 'envelope',
        }
      )
    },
  },
  {
    topic: TOPICS['network-token'],
    resourceKind: 'network_token',
    read: (message) => {
      const { token, ...event } = NetworkTokenEvent.fromJSON(message)
      return (
        token && {
          ...event,
          sellerId: token.sellerId,
          resourceId: token.token,
          path: `/api/v2/cards/tokens/network/${token.token}`,
          data: presentNetworkTokenNotification(token),
          // The API's contract: the fields of the token and nothing around them.
          atItsUrl: SENT_TO_ITS_URL.includes(token.status) ? 'data' : 'nothing',
        }
      )
    },
  },
  {
    topic: TOPICS.vouchers,
    resourceKind: 'voucher_token',
    read: (message) => {
      const { token, ...event } = VoucherTokenEvent.fromJSON(message)
      return (
        token && {
          ...event,
          sellerId: token.sellerId,
          resourceId: token.token,
          path: `/api/v2/sellers/${token.sellerId}/vouchers/tokens/${token.token}`,
          data: presentVoucherTokenNotification(token),
          // The API's contract: the URL of the redirect receives the token and nothing around it.
          atItsUrl: 'data',
        }
      )
    },
  },
  {
    topic: TOPICS['voucher-payments'],
    resourceKind: 'voucher_payment',
    read: (message) => {
      const { payment, ...event } = VoucherPaymentEvent.fromJSON(message)
      return (
        payment && {
          ...event,
          sellerId: payment.sellerId,
          resourceId: String(payment.id),
          path: `/api/v2/sellers/${payment.sellerId}/vouchers/payments/${payment.id}`,
          // A payment names no URL: only registered endpoints are notified.
          notificationUrl: '',
          data: presentVoucherPayment(payment),
          atItsUrl: 'nothing',
        }
      )
    },
  },
  {
    topic: TOPICS.invoices,
    resourceKind: 'invoice',
    read: (message, baseUrl, eventType) => {
      const { invoice, ...event } = InvoiceEvent.fromJSON(message)
      return (
        invoice && {
          ...event,
          sellerId: invoice.sellerId,
          resourceId: String(invoice.id),
          path: `/api/v2/invoices/${invoice.id}`,
          notificationUrl: invoice.notificationUrl,
          data: presentInvoice(invoice, baseUrl),
          // The API's contract: the URL of an invoice is notified of its payment alone, without a body.
          atItsUrl: eventType === 'invoice.paid' ? 'empty' : 'nothing',
        }
      )
    },
  },
  {
    topic: TOPICS['recurring-invoices'],
    resourceKind: 'recurring_invoice',
    read: (message) => {
      const event = RecurringInvoiceEvent.fromJSON(message)
      const { recurringInvoice: recurring, sequence, occurredAt } = event
      return (
        recurring && {
          sequence,
          occurredAt,
          sellerId: recurring.sellerId,
          resourceId: String(recurring.id),
          path: `/api/v2/recurring-invoices/${recurring.id}`,
          // Each invoice notifies this URL of its own payment.
          notificationUrl: '',
          data: presentRecurringEvent(event),
          atItsUrl: 'nothing',
        }
      )
    },
  },
  {
    topic: TOPICS.receipts,
    resourceKind: 'receipt',
    read: (message) => {
      const { receipt, ...event } = ReceiptEvent.fromJSON(message)
      return (
        receipt && {
          ...event,
          sellerId: receipt.sellerId,
          resourceId: String(receipt.id),
          path: `/api/v2/invoices/unexpected-receipts/${receipt.id}`,
          // Money that no invoice took named no URL: only registered endpoints are notified.
          notificationUrl: '',
          data: presentUnexpectedReceipt(receipt),
          atItsUrl: 'nothing',
        }
      )
    },
  },
]

/**
 * The notification of an event. Throws when the event can't be read. The webhook id derives from the event's id, so
 * that a repeated event makes the same deliveries.
 */
export function notificationOf(source: Source, event: LogEvent, baseUrl: string): Notification {
  const facts = source.read(JSON.parse(event.value), baseUrl, event.type)
  if (!facts || facts.sequence < 1) throw new Error('the event has no resource or no sequence')
  const { sellerId, resourceId, sequence, occurredAt, notificationUrl, data, atItsUrl } = facts
  const notification = {
    webhookId: `evt_${event.id.replaceAll('-', '')}`,
    sellerId,
    eventType: event.type,
    resourceKind: source.resourceKind,
    resourceId,
    resourceUrl: `${baseUrl}${facts.path}`,
    sequence,
    traceparent: event.traceparent,
    createdAt: occurredAt,
    data,
  }
  if (notificationUrl === '' || atItsUrl === 'nothing') return notification
  const bodies = {
    empty: () => '',
    data: () => JSON.stringify(data),
    envelope: () => envelopeOf(notification),
  }
  return { ...notification, plain: { url: new URL(notificationUrl).href, body: bodies[atItsUrl]() } }
}
