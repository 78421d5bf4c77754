import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { addressKey } from '@cofre/platform/outbound/address-key'
import { count } from '@cofre/platform/telemetry/metrics'
import { answerClientErrors, type ClientErrorOptions } from './client-errors'
import { lengthOf, MAX_BODY_BYTES } from './read-body'

export type HttpServerOptions = {
  host: string
  port: number
  timeoutMs: number
  drainMs: number
  /** 10 s by default. */
  unreadMs?: number
  /** Connections at once; further connections are cut as they arrive. */
  maxConnections: number
  /** The URL before `/docs`, which explains problems. */
  baseUrl: string
  /** Called for each connection that carried no HTTP. */
  tellRefusal?: ClientErrorOptions['tell']
  /** Connections at once from one address. Absent: no such limit, since all connections come from the proxy. */
  maxOfAddress?: number
}
export type HttpServer = { port: number; close(): Promise<void> }

const STOP_WITHIN_MS = 25_000
/** Longer than load balancers keep an idle connection (60 s), so that they never send into a closing connection. */
const KEEP_ALIVE_MS = 65_000
/**
 * Each answer asks clients to send nothing on a connection that was idle for longer (RFC 2068, 19.7.1.1). It is shorter
 * than the drain: a client that heeds it never sends into a connection that the end of the drain closes.
 */
const REUSE_WITHIN = 'timeout=4'
/** Connections that may wait to be accepted (the system's own limit holds too). Each gets an answer, if only 503. */
const BACKLOG = 4_096

/** The head of a request must arrive within this time: it holds no place, but it holds a connection. */
const HEAD_MS = 10_000

/** A client that takes nothing of a complete answer for this long is gone. */
const UNREAD_MS = 10_000

const LOOK_AGAIN_MS = 20
/** How often the server checks for late requests. Node's own interval is as long as their time. */
const LATE_LOOK_MS = 1_000

/**
 * Listens. `close` serves on for at most `drainMs` and ends each connection with its next answer, so that clients move
 * to another replica without losing a request. It then closes the connections that stayed idle, lets running requests
 * finish, and cuts those that are not done 25 s after the call of `close`.
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
  const serve: RequestListener = (req, res) => {
    running.add(res)
    if (stopping) res.setHeader('Connection', 'close')
    else if (res.shouldKeepAlive) res.setHeader('Keep-Alive', REUSE_WITHIN)
    res.once('close', () => running.delete(res))
    // The answer is complete. Node sets the timeout of the next request once the system has taken it.
    res.once('prefinish', () => cutIfUnread(res, req.socket, options.unreadMs ?? UNREAD_MS))
    listener(req, res)
  }
  server.on('request', serve)
  // A body that is too large is refused before the client sends it.
  server.on('checkContinue', (req, res) => {
    if (lengthOf(req) <= MAX_BODY_BYTES) res.writeContinue()
    serve(req, res)
  })
  // Node would answer 417 without a problem.
  server.on('checkExpectation', serve)
  const { baseUrl, tellRefusal: tell = () => {} } = options
  answerClientErrors(server, { baseUrl, running, tell })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve)
  })
  const close = async () => {
    stopping = true
    for (const res of running) if (!res.headersSent) endsConnection(res)
    const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS)
    // Closing a connection while its client sends loses the request, so an answer announces the close first.
    const until = Date.now() + options.drainMs
    while (Date.now() < until && (await connectionsOf(server)) > 0) await pause(LOOK_AGAIN_MS)
    // Closes idle connections too.
    await new Promise<void>((resolve) => server.close(() => resolve()))
    clearTimeout(cut)
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/**
 * Cuts a client that takes nothing for `ms`, measured as two halves in a row: one half may pass while this process
 * stands still.
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

/** Cuts connections beyond the bounds before anything is read from them, and counts them. */
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
