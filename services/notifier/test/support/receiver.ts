import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pair } from '@cofre/testing/certificates'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The body parsed as JSON; null when it is empty. */
  json: { id: string; type: string; sequence: number; resource: { id: number } }
}
type Respond = (received: Received, response: ServerResponse) => void

export type Receiver = {
  url: string
  port: number
  received: Received[]
  connections(): number
  /** Sets the answer to later requests; 200 by default. */
  respond(respond: Respond | number): void
  close(): Promise<void>
}

/** A seller's server, on http or, with a certificate, on https. */
export async function startReceiver(certificate?: Pair, address = '127.0.0.1'): Promise<Receiver> {
  let answer: Respond = (_received, response) => response.end()
  let connections = 0
  const received: Received[] = []
  const server = certificate ? createHttpsServer(certificate) : createHttpServer()
  // The sender ends a resting connection.
  server.keepAliveTimeout = 0
  server.on('connection', () => (connections += 1))
  server.on('request', (request, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = request
      const entry: Received = { method, path, headers, body, json: JSON.parse(body || 'null') }
      received.push(entry)
      answer(entry, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate ? 'https' : 'http'}://${address}:${port}`,
    port,
    received,
    connections: () => connections,
    respond: (respond) => {
      answer =
        typeof respond === 'function' ? respond : (_received, response) => response.writeHead(respond).end()
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
