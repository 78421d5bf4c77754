import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

type HeadRead = (status: number, upgrade: boolean, keepAlive: boolean) => number
type Parser = { onHeadersComplete: HeadRead }

/** Where undici keeps the parser of a connection. It has no option for what follows. */
const { kParser } = require('undici/lib/core/symbols.js') as { kParser: symbol }

/**
 * Connections on which undici reads past an interim answer that nobody asked for, as a client must (RFC 9110, section
 * 15.2). By itself it does so for 102 and 103 alone: a 100 breaks the connection, though the other side has the request.
 * So its parser takes a 100 for a 102. A 101 stays a fault: no call asks for another protocol.
 */
export function pastContinue(connect: buildConnector.connector): buildConnector.connector {
  return (target, done) =>
    connect(target, (...made) => {
      done(...made)
      const [, socket] = made
      const parser = (socket as (Socket & Record<symbol, Parser | undefined>) | null)?.[kParser]
      if (parser) parser.onHeadersComplete = readHead
    })
}

function readHead(this: Parser, ...[status, upgrade, keepAlive]: Parameters<HeadRead>): number {
  const { onHeadersComplete } = Object.getPrototypeOf(this) as Parser
  return onHeadersComplete.call(this, status === 100 ? 102 : status, upgrade, keepAlive)
}
