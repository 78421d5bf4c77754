import { join } from 'node:path'
import { Eta } from 'eta'
import type { RequestHandler } from 'express'
import { brazilTime } from './acquirer/brazil-time'
import type { Bank } from './bank/bank'
import { bankView } from './bank/bank-page'
import type { Acquirer } from './acquirer/acquirer'
import { type Payment, STATUS_NAMES } from './acquirer/payment'
import { USUAL_DECLINES } from './acquirer/usual-declines'
import type { Chargebacks } from './chargebacks/chargebacks'
import { chargebacksView } from './chargebacks/chargebacks-page'
import { FAULT_KINDS, type FaultKind, type Partner, PARTNERS } from './faults'
import type { Identity } from './identity/identity'
import { identityView } from './identity/identity-page'
import type { Inbox } from './inbox'
import type { Mailbox } from './mail/mailbox'
import { groupedNumber, TEST_CARDS, type TestCard } from './test-cards'
import type { ThreeDSecure } from './three-d-secure/three-d-secure'
import { threeDSecureView } from './three-d-secure/three-d-secure-page'
import { tokenServiceView } from './token-service/token-page'
import { pixView } from './pix/controls/pix-page'
import type { PixBank } from './pix/pix-bank'
import type { VoucherIssuers } from './vouchers/voucher-issuers'
import { voucherView } from './vouchers/voucher-page'

/** The partners that the sandbox plays, its inbox and its mailbox. */
export type World = {
  acquirer: Acquirer
  issuers: VoucherIssuers
  identity: Identity
  threeDSecure: ThreeDSecure
  inbox: Inbox
  mailbox: Mailbox
  bank: Bank
  chargebacks: Chargebacks
  pixBank: PixBank
}

export type SandboxUrls = {
  url: string
  inboxUrl: string
  acquirerUrl: string
  acquirerQueryUrl: string
  tokenServiceUrl: string
  voucherIssuerUrl: string
  mailUrl: string
  bankUrl: string
  pixBankUrl: string
  threeDSecureUrl: string
  chargebacksUrl: string
}

const PAYMENTS_SHOWN = 12
const MAILS_SHOWN = 12

const FAULT_MEANINGS: Record<FaultKind, string> = {
  ANSWER_LOST: 'done, then the connection is closed without an answer',
  NOT_REACHED: 'the connection is refused, and nothing is done',
  HTTP_500: 'not done, answered 500',
  DONE_500: 'done, answered 500',
  SLOW: 'done, answered after the delay',
}

const PARTNER_NAMES: Record<Partner, string> = {
  ACQUIRER: 'Acquirer',
  TOKEN_SERVICE: 'Token service',
  VOUCHER_ISSUER: 'Voucher issuers',
  IDENTITY_PROVIDER: 'Identity provider',
  MAIL_SERVER: 'Mail server',
  BANK: 'Bank',
  PIX_BANK: 'Pix bank',
  ACS: '3-D Secure',
  CHARGEBACKS: 'Chargebacks',
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

export function page(
  { acquirer, issuers, identity, threeDSecure, inbox, mailbox, bank, pixBank, chargebacks }: World,
  urls: SandboxUrls,
): RequestHandler {
  const eta = new Eta({ views: join(__dirname, '..', 'views'), cache: true })
  return (_request, response) => {
    response.set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'",
    )
    response.type('html').send(
      eta.render('./page', {
        urls,
        cards: TEST_CARDS.map(cardRow),
        partners: PARTNERS,
        partnerNames: PARTNER_NAMES,
        faultKinds: FAULT_KINDS,
        faultMeanings: FAULT_MEANINGS,
        faults: acquirer.faults.list(),
        nextDeclines: { waiting: acquirer.nextDeclines.list(), usual: USUAL_DECLINES },
        payments: acquirer.book.newest(PAYMENTS_SHOWN).map(paymentRow),
        paymentCount: acquirer.book.count,
        inboxes: inbox.names(),
        tokenService: tokenServiceView(acquirer.tokenService),
        vouchers: voucherView(issuers),
        identity: identityView(identity),
        threeDSecure: threeDSecureView(threeDSecure),
        mailbox: mailboxView(mailbox),
        bank: bankView(bank),
        chargebacks: chargebacksView(chargebacks),
        pixBank: pixView(pixBank),
      }),
    )
  }
}

function paymentRow({ sale, status, capturedAmount, voidedAmount, returnCode, receivedAt }: Payment) {
  return {
    time: brazilTime(receivedAt),
    merchantOrderId: sale.merchantOrderId,
    card: `${sale.card.brand} ${sale.card.maskedNumber.slice(-4)}`,
    onToken: sale.networkToken !== undefined,
    amount: reais.format(sale.amount / 100),
    captured: capturedAmount > 0 ? reais.format(capturedAmount / 100) : '',
    voided: voidedAmount > 0 ? reais.format(voidedAmount / 100) : '',
    status: `${status} ${STATUS_NAMES[status]}`,
    declined: status === 3,
    returnCode,
  }
}

function mailboxView(mailbox: Mailbox) {
  const mails = mailbox.list()
  const rows = mails.slice(0, MAILS_SHOWN)
  return {
    count: mails.length,
    mails: rows.map(({ id, to, subject, receivedAt }) => ({ id, to, subject, time: brazilTime(receivedAt) })),
  }
}

/** Splits off the last digit, which decides the outcome. */
function cardRow({ brand, number, outcome }: TestCard) {
  const grouped = groupedNumber(number)
  const kind = outcome.startsWith('declined') ? 'declined' : outcome.includes('lost') ? 'lost' : 'approved'
  return { brand, start: grouped.slice(0, -1), lastDigit: grouped.slice(-1), outcome, kind }
}
