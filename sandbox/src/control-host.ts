import express, { type Express } from 'express'
import { acquirerControls } from './acquirer/control-routes'
import { boletoPage } from './bank/boleto-page'
import { bankControls } from './bank/control-routes'
import { chargebackControls } from './chargebacks/control-routes'
import { faultRoutes } from './fault-routes'
import { identityControls } from './identity/control-routes'
import { identityRoutes } from './identity/identity-routes'
import type { Inbox } from './inbox'
import { inboxRoutes } from './inbox-routes'
import { mailControls } from './mail/control-routes'
import { page, type SandboxUrls, type World } from './page'
import { automaticControls } from './pix/automatic/automatic-controls'
import { pixBankControls } from './pix/controls/bank-controls'
import { pixPaymentControls } from './pix/controls/payment-controls'
import { pixPage } from './pix/controls/pix-page'
import { tokenServiceControls } from './token-service/control-routes'
import { challengeRoutes } from './three-d-secure/challenge-routes'
import { threeDSecureControls } from './three-d-secure/control-routes'
import { methodNotAllowed, notFound, sendProblem } from './problem'
import { voucherControls } from './vouchers/control-routes'

/** The host of the page and the controls. */
export function controlHost(world: World, urls: SandboxUrls): Express {
  const { acquirer, issuers, identity, threeDSecure, inbox, mailbox, bank, pixBank, chargebacks } = world
  const app = express().disable('x-powered-by')
  app.route('/').get(page(world, urls)).all(methodNotAllowed('GET'))
  app
    .route('/healthz')
    .get((_request, response) => void response.json({ status: 'ok' }))
    .all(methodNotAllowed('GET'))
  app.use(
    faultRoutes(acquirer.faults),
    acquirerControls(acquirer),
    chargebackControls(chargebacks),
    tokenServiceControls(acquirer.tokenService),
    voucherControls(issuers),
    identityControls(identity),
    identityRoutes(identity),
    threeDSecureControls(threeDSecure),
    challengeRoutes(threeDSecure),
    inboxRoutes(inbox),
    mailControls(mailbox),
    boletoPage(bank),
    bankControls(bank),
    pixPage(pixBank),
    pixPaymentControls(pixBank),
    pixBankControls(pixBank),
    automaticControls(pixBank),
    notFound,
    sendProblem,
  )
  return app
}

/** The same inbox over https, for senders that accept nothing else. */
export function inboxHost(inbox: Inbox): Express {
  return express().disable('x-powered-by').use(inboxRoutes(inbox), notFound, sendProblem)
}
