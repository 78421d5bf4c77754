import type { Express } from 'express'
import { closeAcquirer, openAcquirer } from './acquirer/acquirer'
import { queryHost } from './acquirer/query-host'
import { transactionHost } from './acquirer/transaction-host'
import { closeBank, openBank } from './bank/bank'
import { bankHost } from './bank/bank-host'
import type { SandboxConfig } from './config'
import { controlHost, inboxHost } from './control-host'
import { Faults, type Partner } from './faults'
import { closeIdentity, openIdentity, startIdentity } from './identity/identity'
import { Inbox } from './inbox'
import { Mailbox } from './mail/mailbox'
import { startMailServer } from './mail/mail-server'
import { listen, type Listener } from './listener'
import type { SandboxUrls, World } from './page'
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
  const world = openWorld(config, faults)
  const { acquirer, issuers, identity, threeDSecure, inbox, mailbox, bank } = world
  const listeners: Pick<Listener, 'close'>[] = []
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    closeWorld(world)
  }
  const open = async (app: Express, port: number, secret?: typeof tls) => {
    const listener = await listen(app, host, port, secret)
    listeners.push(listener)
    return listener
  }
  /** Opens a partner's own address, which refuses connections while a fault of its calls requires it. */
  const openPartner = async (app: Express, port: number, partner: Partner, calls: 'CHANGE' | 'QUERY') => {
    const listener = await open(app, port, tls)
    refuseConnections(listener.server, faults, partner, calls)
    return `https://localhost:${listener.port}`
  }

  try {
    // Filled in when the ports are known.
    const urls: SandboxUrls = {
      url: '',
      acquirerUrl: await openPartner(transactionHost(acquirer), ports.acquirer, 'ACQUIRER', 'CHANGE'),
      acquirerQueryUrl: await openPartner(queryHost(acquirer), ports.acquirerQuery, 'ACQUIRER', 'QUERY'),
      tokenServiceUrl: await openPartner(
        tokenHost(acquirer.tokenService),
        ports.tokenService,
        'TOKEN_SERVICE',
        'QUERY',
      ),
      voucherIssuerUrl: await openPartner(
        issuerHost(issuers, identity),
        ports.voucherIssuer,
        'VOUCHER_ISSUER',
        'QUERY',
      ),
      bankUrl: await openPartner(bankHost(bank), ports.bank, 'BANK', 'QUERY'),
      threeDSecureUrl: await openPartner(threeDSecureHost(threeDSecure), ports.threeDSecure, 'ACS', 'QUERY'),
      inboxUrl: `https://localhost:${(await open(inboxHost(inbox), ports.inbox, tls)).port}/inbox`,
      mailUrl: '',
    }
    const mail = await startMailServer({ host, port: ports.mail, tls }, faults, mailbox)
    listeners.push(mail)
    urls.mailUrl = `smtp://localhost:${mail.port}`
    const controls = await open(controlHost(world, urls), ports.page)
    urls.url = config.publicUrl ?? `http://127.0.0.1:${controls.port}`
    startIdentity(identity, urls.url)
    threeDSecure.pageUrl = urls.url
    acquirer.hosts = { transaction: urls.acquirerUrl, query: urls.acquirerQueryUrl }
    return { ...urls, close }
  } catch (error) {
    await close()
    throw error
  }
}

function openWorld(config: SandboxConfig, faults: Faults): World {
  return {
    acquirer: openAcquirer(config, faults),
    issuers: openVoucherIssuers(config, faults),
    identity: openIdentity(config, faults),
    bank: openBank(config, faults),
    threeDSecure: openThreeDSecure(config, faults),
    inbox: new Inbox(),
    mailbox: new Mailbox(),
  }
}

function closeWorld({ acquirer, issuers, identity, bank, threeDSecure }: World): void {
  closeAcquirer(acquirer)
  closeVoucherIssuers(issuers)
  closeIdentity(identity)
  closeBank(bank)
  closeThreeDSecure(threeDSecure)
}
