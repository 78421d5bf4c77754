import { brazilTime } from './brazil-time'
import type { Payment, VoidResult } from './payment'

/** The addresses of the two hosts, which the links contain. */
export type Hosts = { transaction: string; query: string }

type Link = { Method: 'GET' | 'PUT'; Rel: string; Href: string }

/**
 * Returns the answer to a sale: the request again, masked, and its result. JSON leaves undefined fields out. `newCard`: the
 * card that replaced the one of the sale.
 */
export function saleAnswer(payment: Payment, hosts: Hosts, newCard?: object) {
  const { sale } = payment
  const { name, identity, identityType, email, address } = sale.customer
  return {
    MerchantOrderId: sale.merchantOrderId,
    Customer: {
      Name: name,
      Identity: identity,
      IdentityType: identityType,
      Email: email,
      Address: address && inTheirCase(address),
    },
    Payment: {
      Type: 'CreditCard',
      Amount: sale.amount,
      Installments: sale.installments,
      Interest: sale.interest,
      Capture: sale.capture,
      SoftDescriptor: sale.softDescriptor,
      CreditCard: {
        CardNumber: sale.card.maskedNumber,
        Holder: sale.card.holder,
        ExpirationDate: sale.card.expirationDate,
        SaveCard: false,
        Brand: sale.card.brand,
        CardOnFile: cardOnFile(sale),
      },
      Currency: 'BRL',
      Country: 'BRA',
      Provider: 'Simulado',
      ReceivedDate: brazilTime(payment.receivedAt),
      Status: payment.status,
      ...identification(payment),
      ...amounts(payment),
      ReturnCode: payment.returnCode,
      ReturnMessage: payment.returnMessage,
      MerchantAdviceCode: payment.merchantAdviceCode ?? undefined,
      Eci: sale.eci,
      NewCard: newCard,
      IsQrCode: false,
      IsSplitted: false,
      Links: links(payment, hosts),
    },
  }
}

function cardOnFile({ credential: { usage, reason } }: Payment['sale']) {
  const named = (word: string | null) => word && `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return usage ? { Usage: named(usage), Reason: named(reason) ?? undefined } : undefined
}

/** Names of members begin with a capital letter. */
function inTheirCase(members: object) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  )
}

/** Returns the answer to a query, which also has the order number that the acquirer used downstream. */
export function queryAnswer(payment: Payment, hosts: Hosts, chargebacks: readonly object[]) {
  const { Payment: paid, ...answer } = saleAnswer(payment, hosts)
  const lost = chargebacks.length > 0 ? { Chargebacks: chargebacks } : {}
  return { ...answer, Payment: { ...paid, ...lost }, AcquirerOrderId: payment.acquirerOrderId }
}

export function captureAnswer(payment: Payment, hosts: Hosts) {
  return {
    Status: payment.status,
    Tid: payment.tid,
    ProofOfSale: payment.proofOfSale,
    AuthorizationCode: payment.authorizationCode,
    ReturnCode: payment.returnCode,
    ReturnMessage: payment.returnMessage,
    Links: links(payment, hosts),
  }
}

export function voidAnswer({ payment, done, returnCode, message }: VoidResult, hosts: Hosts) {
  return {
    ...captureAnswer(payment, hosts),
    ReturnCode: returnCode,
    ReturnMessage: message,
    ReasonCode: done ? 0 : 7,
    ReasonMessage: done ? 'Successful' : 'Denied',
    ProviderReturnCode: returnCode,
    ProviderReturnMessage: message,
  }
}

function identification(payment: Payment) {
  return {
    PaymentId: payment.paymentId,
    Tid: payment.tid,
    ProofOfSale: payment.proofOfSale,
    AuthorizationCode: payment.authorizationCode ?? undefined,
    IssuerTransactionId: payment.issuerTransactionId,
  }
}

function amounts({ capturedAmount, capturedAt, voidedAmount, voidedAt }: Payment) {
  return {
    ...(capturedAt !== null && { CapturedAmount: capturedAmount, CapturedDate: brazilTime(capturedAt) }),
    ...(voidedAt !== null && { VoidedAmount: voidedAmount, VoidedDate: brazilTime(voidedAt) }),
  }
}

function links({ status, paymentId }: Payment, hosts: Hosts): Link[] {
  const path = `/1/sales/${paymentId}`
  const change = (rel: string): Link => ({
    Method: 'PUT',
    Rel: rel,
    Href: `${hosts.transaction}${path}/${rel}`,
  })
  return [
    { Method: 'GET', Rel: 'self', Href: `${hosts.query}${path}` },
    ...(status === 1 ? [change('capture')] : []),
    ...(status === 1 || status === 2 ? [change('void')] : []),
  ]
}
