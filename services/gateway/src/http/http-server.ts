import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { addressKey } from '@cofre/platform/outbound/address-key'
import { count } from '@cofre/platform/telemetry/metrics'

export type HttpServerOptions = {
  host: string
  port: number
  timeoutMs: number
  drainMs: number
  /** Absent: 10 s. */
  unreadMs?: number
  /** Connections at once; more are cut as they come. */
  maxConnections: number
  /** Of them, those from one address. Absent: as many, since all come from the proxy before us. */
  maxOfAddress?: number
}
export type HttpServer = { port: number; close(): Promise<void> }

const STOP_WITHIN_MS = 25_000
/** Longer than load balancers keep an idle connection (60 s), so that they never send into one that we close. */
const KEEP_ALIVE_MS = 65_000
/**
 * Each answer asks clients to send nothing on a connection that was idle for longer (RFC 2068, 19.7.1.1). It is shorter
 * than the drain, so that no client that heeds it sends into a connection that the end of the drain closes.
 */
const REUSE_WITHIN = 'timeout=4'
/** Connections that may wait to be accepted (the system's own limit holds too): each is answered, if only with 503. */
const BACKLOG = 4_096

/** A head comes whole within it: no place is held, but a connection is. */
const HEAD_MS = 10_000

/** A client that takes nothing of a whole answer for so long is gone. */
const UNREAD_MS = 10_000

const LOOK_AGAIN_MS = 20
/** How often it is looked for requests that did not come in time; Node's own interval is as long as that time. */
const LATE_LOOK_MS = 1_000

/**
 * Listens. `close` serves on for `drainMs` at most and ends each connection with the next answer on it, so that clients
 * move to another replica without losing a request. Then it closes the connections on which nothing came meanwhile,
 * lets running requests finish, and cuts those that outlast 25 s since the call of `close`.
 */
export async function startHttpServer(
  options: HttpServerOptions,
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: options.timeoutMs,
    headersTimeout: Math.min(HEAD_MS, options.timeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LATE_LOOK_MS,
  })
  boundConnections(server, options)
  let stopping = false
  const running = new Set<ServerResponse>()
  server.on('request', (req, res) => {
    running.add(res)
    if (stopping) res.setHeader('Connection', 'close')
    else if (res.shouldKeepAlive) res.setHeader('Keep-Alive', REUSE_WITHIN)
    res.once('close', () => running.delete(res))
    // Handed over whole; Node sets the time of the next request when the system has taken it.
    res.once('prefinish', () => cutIfUnread(res, req.socket, options.unreadMs ?? UNREAD_MS))
    listener(req, res)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve)
  })
  const close = async () => {
    stopping = true
    for (const res of running) if (!res.headersSent) endsConnection(res)
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

/**
 * Cuts a client that takes nothing for `ms`: for two halves of it in a row, because one may have passed while this
 * process stood still.
 */
function cutIfUnread(res: ServerResponse, socket: Socket, ms: number): void {
  const half = ms / 2
  let last = -Infinity
  res.setTimeout(half, () => {
    const now = performance.now()
    if (now - last < 1.5 * half) socket.destroy()
    else socket.setTimeout(half)
    last = now
  })
}

function endsConnection(res: ServerResponse): void {
  res.removeHeader('Keep-Alive')
  res.setHeader('Connection', 'close')
}

/** Beyond the bounds a connection is cut before anything is read from it, and counted. */
function boundConnections(server: Server, { maxConnections, maxOfAddress }: HttpServerOptions): void {
  const open = new Map<string, number>()
  server.maxConnections = maxConnections
  server.on('drop', () => countCut('all'))
  if (maxOfAddress === undefined) return
  server.on('connection', (socket) => {
    const address = addressKey(socket.remoteAddress)
    const others = open.get(address) ?? 0
    if (others >= maxOfAddress) {
      countCut('address')
      socket.destroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

function countCut(bound: 'all' | 'address'): void {
  count('http_connections_cut', 'Connections refused because too many were open.', { bound })
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
  )
}
