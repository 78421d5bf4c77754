import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than clients' pools keep a connection, so that the server never closes an idle one first. */
const KEEP_ALIVE_MS = 65_000
/**
 * Each answer asks clients not to reuse a connection that was idle for longer (RFC 2068, 19.7.1.1).
 * A client that was too busy to close it in time still finds it open.
 */
const REUSE_WITHIN = 'timeout=20'
const GRACE_MS = 1_000

export type Listener = { port: number; server: HttpServer; close: () => Promise<void> }

export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  tls?: ServerOptions,
): Promise<Listener> {
  const server = tls ? createHttpsServer({ ...tls, minVersion: 'TLSv1.2' }, app) : createHttpServer(app)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.prependListener('request', (_, res) => {
    if (res.shouldKeepAlive) res.setHeader('Keep-Alive', REUSE_WITHIN)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return { port: address.port, server, close: () => close(server, sockets) }
}

async function close(server: HttpServer, sockets: Set<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await Promise.race([closed, delay(GRACE_MS, undefined, { ref: false })])
  for (const socket of sockets) socket.destroy()
  await closed
}
