import type { Express } from 'express'
import { closeAcquirer, openAcquirer } from './acquirer/acquirer'
import { queryHost } from './acquirer/query-host'
import { transactionHost } from './acquirer/transaction-host'
import { closeBank, openBank } from './bank/bank'
import { bankHost } from './bank/bank-host'
import type { SandboxConfig } from './config'
import { controlHost, inboxHost } from './control-host'
import { Faults } from './faults'
import { closeIdentity, openIdentity, startIdentity } from './identity/identity'
import { Inbox } from './inbox'
import { Mailbox } from './mail/mailbox'
import { startMailServer } from './mail/mail-server'
import { listen, type Listener } from './listener'
import type { SandboxUrls } from './page'
import { threeDSecureHost } from './three-d-secure/server-host'
import { closeThreeDSecure, openThreeDSecure } from './three-d-secure/three-d-secure'
import { tokenHost } from './token-service/token-host'
import { refuseConnections } from './unreachable'
import { issuerHost } from './vouchers/issuer-host'
import { closeVoucherIssuers, openVoucherIssuers } from './vouchers/voucher-issuers'

export type Sandbox = SandboxUrls & { close: () => Promise<void> }

export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const { host, ports, tls } = config
  const faults = new Faults()
  const inbox = new Inbox()
  const mailbox = new Mailbox()
  const acquirer = openAcquirer(config, faults)
  const issuers = openVoucherIssuers(config, faults)
  const identity = openIdentity(config, faults)
  const bank = openBank(config, faults)
  const threeDSecure = openThreeDSecure(config, faults)
  // Filled in when the ports are known.
  const urls: SandboxUrls = {
    url: '',
    inboxUrl: '',
    acquirerUrl: '',
    acquirerQueryUrl: '',
    tokenServiceUrl: '',
    voucherIssuerUrl: '',
    mailUrl: '',
    bankUrl: '',
    threeDSecureUrl: '',
  }
  const listeners: Pick<Listener, 'close'>[] = []
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    closeAcquirer(acquirer)
    closeVoucherIssuers(issuers)
    closeIdentity(identity)
    closeBank(bank)
    closeThreeDSecure(threeDSecure)
  }
  const open = async (app: Express, port: number, secret?: typeof tls) => {
    const listener = await listen(app, host, port, secret)
    listeners.push(listener)
    return listener
  }

  try {
    const transaction = await open(transactionHost(acquirer), ports.acquirer, tls)
    const query = await open(queryHost(acquirer), ports.acquirerQuery, tls)
    refuseConnections(transaction.server, faults, 'ACQUIRER', 'CHANGE')
    const tokens = await open(tokenHost(acquirer.tokenService), ports.tokenService, tls)
    refuseConnections(query.server, faults, 'ACQUIRER', 'QUERY')
    refuseConnections(tokens.server, faults, 'TOKEN_SERVICE', 'QUERY')
    const vouchers = await open(issuerHost(issuers, identity), ports.voucherIssuer, tls)
    refuseConnections(vouchers.server, faults, 'VOUCHER_ISSUER', 'QUERY')
    const slips = await open(bankHost(bank), ports.bank, tls)
    refuseConnections(slips.server, faults, 'BANK', 'QUERY')
    const mail = await startMailServer({ host, port: ports.mail, tls }, faults, mailbox)
    listeners.push(mail)
    const authentications = await open(threeDSecureHost(threeDSecure), ports.threeDSecure, tls)
    refuseConnections(authentications.server, faults, 'ACS', 'QUERY')
    const secureInbox = await open(inboxHost(inbox), ports.inbox, tls)
    const world = { acquirer, issuers, identity, threeDSecure, inbox, mailbox, bank }
    const controls = await open(controlHost(world, urls), ports.page)
    urls.url = config.publicUrl ?? `http://127.0.0.1:${controls.port}`
    startIdentity(identity, urls.url)
    threeDSecure.pageUrl = urls.url
    urls.inboxUrl = `https://localhost:${secureInbox.port}/inbox`
    urls.acquirerUrl = `https://localhost:${transaction.port}`
    urls.acquirerQueryUrl = `https://localhost:${query.port}`
    urls.tokenServiceUrl = `https://localhost:${tokens.port}`
    urls.voucherIssuerUrl = `https://localhost:${vouchers.port}`
    urls.bankUrl = `https://localhost:${slips.port}`
    urls.threeDSecureUrl = `https://localhost:${authentications.port}`
    urls.mailUrl = `smtp://localhost:${mail.port}`
    acquirer.hosts = { transaction: urls.acquirerUrl, query: urls.acquirerQueryUrl }
    return { ...urls, close }
  } catch (error) {
    await close()
    throw error
  }
}
