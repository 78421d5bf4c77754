import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type HttpServer = { port: number; close(): Promise<void> }

const STOP_WITHIN_MS = 25_000
/** Longer than load balancers keep an idle connection (60 s), so that they never send into one that we close. */
const KEEP_ALIVE_MS = 65_000
/** Connections that may wait to be accepted (the system's own limit holds too): each is answered, if only with 503. */
const BACKLOG = 4_096

const LOOK_AGAIN_MS = 20
/** How often it is looked for requests that did not come in time; Node's own interval is as long as that time. */
const LATE_LOOK_MS = 1_000

/**
 * Listens. `close` serves on for `drainMs` at most and ends each connection with the next answer on it, so that clients
 * move to another replica without losing a request. Then it closes the connections on which nothing came meanwhile,
 * lets running requests finish, and cuts those that outlast 25 s since the call of `close`.
 */
export async function startHttpServer(
  options: { host: string; port: number; timeoutMs: number; drainMs: number },
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: options.timeoutMs,
    headersTimeout: options.timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LATE_LOOK_MS,
  })
  let stopping = false
  const running = new Set<ServerResponse>()
  server.on('request', (req, res) => {
    running.add(res)
    if (stopping) res.setHeader('Connection', 'close')
    res.once('close', () => running.delete(res))
    listener(req, res)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve)
  })
  const close = async () => {
    stopping = true
    for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close')
    const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
    // A connection that we close while its client sends a request loses it: an answer that says so comes first.
    const until = Date.now() + options.drainMs
    while (Date.now() < until && (await connectionsOf(server)) > 0) await pause(LOOK_AGAIN_MS)
    // Closes idle connections too.
    await new Promise<void>((resolve) => server.close(() => resolve()))
    clearTimeout(cut)
  }
  return { port: (server.address() as AddressInfo).port, close }
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
