import type { ServerOptions } from 'node:https'
import type { Express } from 'express'
import { closeAcquirer, openAcquirer } from './acquirer/acquirer'
import { queryHost } from './acquirer/query-host'
import { transactionHost } from './acquirer/transaction-host'
import { closeBank, openBank } from './bank/bank'
import { bankHost } from './bank/bank-host'
import { chargebackHost } from './chargebacks/chargeback-host'
import { closeChargebacks, lostBy, openChargebacks } from './chargebacks/chargebacks'
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
import { closePixBank, openPixBank } from './pix/pix-bank'
import { pixHost } from './pix/pix-host'
import { tokenHost } from './token-service/token-host'
import { refuseConnections } from './unreachable'
import { issuerHost } from './vouchers/issuer-host'
import { closeVoucherIssuers, openVoucherIssuers } from './vouchers/voucher-issuers'

export type Sandbox = SandboxUrls & { close: () => Promise<void> }

export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const { host, ports, tls } = config
  const faults = new Faults()
  const world = openWorld(config, faults)
  const { acquirer, issuers, identity, threeDSecure, inbox, mailbox, bank, chargebacks } = world
  const listeners: Pick<Listener, 'close'>[] = []
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    closeWorld(world)
  }
  const open = async (app: Express, port: number, secret?: ServerOptions) => {
    const listener = await listen(app, host, port, secret)
    listeners.push(listener)
    return listener
  }
  /** Opens a partner's own address, which refuses connections while a fault of its calls requires it. */
  const openPartner = async (
    app: Express,
    port: number,
    partner: Partner,
    calls: 'CHANGE' | 'QUERY',
    secret: ServerOptions = tls,
  ) => {
    const listener = await open(app, port, secret)
    refuseConnections(listener.server, faults, partner, calls)
    return `https://localhost:${listener.port}`
  }

  try {
    // Filled in when the ports are known.
    const urls: SandboxUrls = {
      url: '',
      acquirerUrl: await openPartner(transactionHost(acquirer), ports.acquirer, 'ACQUIRER', 'CHANGE'),
      acquirerQueryUrl: await openPartner(
        queryHost(acquirer, lostBy(chargebacks)),
        ports.acquirerQuery,
        'ACQUIRER',
        'QUERY',
      ),
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
      pixBankUrl: await openPartner(...pixDoor(world, config)),
      threeDSecureUrl: await openPartner(threeDSecureHost(threeDSecure), ports.threeDSecure, 'ACS', 'QUERY'),
      chargebacksUrl: `${await openPartner(...chargebackDoor(world, config))}/chargeback/v1`,
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

/** API Pix. Who the caller is, the bank decides at each call: it knows no issuer of certificates. */
function pixDoor({ pixBank }: World, { tls, ports }: SandboxConfig) {
  const secret = { ...tls, requestCert: true, rejectUnauthorized: false }
  return [pixHost(pixBank), ports.pixBank, 'PIX_BANK', 'QUERY', secret] as const
}

/** The chargeback API, whose callers show a client certificate. */
function chargebackDoor({ chargebacks }: World, { tls, ports, clientAuthority: ca }: SandboxConfig) {
  const app = chargebackHost(chargebacks, ca !== undefined)
  const asking = { ...tls, ca, requestCert: true, rejectUnauthorized: false }
  return [app, ports.chargebacks, 'CHARGEBACKS', 'QUERY', asking] as const
}

function openWorld(config: SandboxConfig, faults: Faults): World {
  const acquirer = openAcquirer(config, faults)
  return {
    acquirer,
    chargebacks: openChargebacks(config, acquirer.book, faults),
    issuers: openVoucherIssuers(config, faults),
    identity: openIdentity(config, faults),
    bank: openBank(config, faults),
    pixBank: openPixBank(config, faults),
    threeDSecure: openThreeDSecure(config, faults),
    inbox: new Inbox(),
    mailbox: new Mailbox(),
  }
}

function closeWorld({ acquirer, issuers, identity, bank, pixBank, threeDSecure, chargebacks }: World): void {
  closeChargebacks(chargebacks)
  closeAcquirer(acquirer)
  closeVoucherIssuers(issuers)
  closeIdentity(identity)
  closeBank(bank)
  closePixBank(pixBank)
  closeThreeDSecure(threeDSecure)
}
