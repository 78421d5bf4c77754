import express, { type Express } from 'express'
import { type Acquirer, closeAcquirer, openAcquirer } from './acquirer/acquirer'
import { acquirerControls } from './acquirer/control-routes'
import { queryHost } from './acquirer/query-host'
import { transactionHost } from './acquirer/transaction-host'
import type { SandboxConfig } from './config'
import { faultRoutes } from './fault-routes'
import { Faults } from './faults'
import { Inbox } from './inbox'
import { inboxRoutes } from './inbox-routes'
import { listen, type Listener } from './listener'
import { page } from './page'
import { methodNotAllowed, notFound, sendProblem } from './problem'
import { refuseConnections } from './unreachable'

export type SandboxUrls = { url: string; inboxUrl: string; acquirerUrl: string; acquirerQueryUrl: string }

export type Sandbox = SandboxUrls & { close: () => Promise<void> }

export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const { host, ports, tls } = config
  const faults = new Faults()
  const inbox = new Inbox()
  const acquirer = openAcquirer(config, faults)
  // Filled in when the ports are known.
  const urls: SandboxUrls = { url: '', inboxUrl: '', acquirerUrl: '', acquirerQueryUrl: '' }
  const listeners: Listener[] = []
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    closeAcquirer(acquirer)
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
    refuseConnections(query.server, faults, 'ACQUIRER', 'QUERY')
    acquirer.hosts = {
      transaction: `https://localhost:${transaction.port}`,
      query: `https://localhost:${query.port}`,
    }
    const secureInbox = await open(inboxHost(inbox), ports.inbox, tls)
    const controls = await open(controlHost(acquirer, inbox, urls), ports.page)
    Object.assign(urls, {
      url: config.publicUrl ?? `http://127.0.0.1:${controls.port}`,
      inboxUrl: `https://localhost:${secureInbox.port}/inbox`,
      acquirerUrl: acquirer.hosts.transaction,
      acquirerQueryUrl: acquirer.hosts.query,
    } satisfies SandboxUrls)
    return { ...urls, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The page and the controls. */
function controlHost(acquirer: Acquirer, inbox: Inbox, urls: SandboxUrls): Express {
  const app = express().disable('x-powered-by')
  app
    .route('/')
    .get(page(acquirer, inbox, urls))
    .all(methodNotAllowed('GET'))
  app
    .route('/healthz')
    .get((_request, response) => void response.json({ status: 'ok' }))
    .all(methodNotAllowed('GET'))
  app.use(faultRoutes(acquirer.faults), acquirerControls(acquirer), inboxRoutes(inbox), notFound, sendProblem)
  return app
}

/** The same inbox over https, for senders that accept nothing else. */
function inboxHost(inbox: Inbox): Express {
  return express().disable('x-powered-by').use(inboxRoutes(inbox), notFound, sendProblem)
}
