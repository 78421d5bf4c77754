import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallKind, Faults, Partner } from './faults'

/** Before Node 21, zero means no limit; below zero, every version refuses each connection. */
const NO_CONNECTIONS = -1
const GOODBYE_MAX_MS = 250

/**
 * While NOT_REACHED is the next fault, ends this listener's idle connections, and new ones before the TLS handshake.
 * Nothing of a call is ever read. Each refused connection uses the fault up once.
 */
export function refuseConnections(server: Server, faults: Faults, partner: Partner, call: CallKind): void {
  const idle = idleSockets(server)
  faults.onChange(async () => {
    const unreachable = faults.peek(partner, call)?.kind === 'NOT_REACHED'
    server.maxConnections = unreachable ? NO_CONNECTIONS : Number.POSITIVE_INFINITY
    if (unreachable) await Promise.all([...idle].map(sayGoodbye))
  })
  server.on('drop', () => faults.take(partner, call))
}

/** Returns a live set of the connections without a call in progress. */
function idleSockets(server: Server): ReadonlySet<Socket> {
  const idle = new Set<Socket>()
  server.on('secureConnection', (socket: Socket) => {
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  })
  return idle
}

/** Waits for the client to close its side too: then it cannot choose this connection for its next call. */
async function sayGoodbye(socket: Socket): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end()
  await Promise.race([closed, delay(GOODBYE_MAX_MS, undefined, { ref: false })])
  socket.destroy()
}
