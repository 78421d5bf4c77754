import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HttpServer = { port: number; close(): Promise<void> }

const STOP_WITHIN_MS = 25_000
/** Longer than load balancers keep an idle connection (60 s), so that they never send into one that we close. */
const KEEP_ALIVE_MS = 65_000
/** Connections that may wait to be accepted (the system's own limit holds too): each is answered, if only with 503. */
const BACKLOG = 4_096

/** Listens. `close` takes no new request, lets the running ones finish, and cuts those that outlast 25 s. */
export async function startHttpServer(
  options: { host: string; port: number; timeoutMs: number },
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: options.timeoutMs,
    headersTimeout: options.timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
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
  const close = () =>
    new Promise<void>((resolve) => {
      stopping = true
      // A connection that is kept alive ends with the answer that it waits for.
      for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close')
      const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
      server.close(() => (clearTimeout(cut), resolve()))
      server.closeIdleConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
