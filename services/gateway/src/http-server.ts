import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HttpServer = { port: number; close(): Promise<void> }

const STOP_WITHIN_MS = 25_000

/** Listens. `close` takes no new request, lets the running ones finish, and cuts those that outlast 25 s. */
export async function startHttpServer(
  options: { host: string; port: number; timeoutMs: number },
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer({ requestTimeout: options.timeoutMs, headersTimeout: options.timeoutMs })
  let stopping = false
  server.on('request', (req, res) => {
    // While stopping, a connection that is kept alive ends with the answer that it waits for.
    if (stopping) res.setHeader('Connection', 'close')
    res.once('close', () => stopping && server.closeIdleConnections())
    listener(req, res)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      stopping = true
      const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
      server.close(() => (clearTimeout(cut), resolve()))
      server.closeIdleConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
