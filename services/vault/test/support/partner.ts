import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Pair } from '@cofre/testing/certificates'

/** `certificate`: the common name of the caller's certificate. */
export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  certificate?: string | undefined
}

const plainAnswer = (response: ServerResponse, _body: string): void => {
  response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
}

/** Starts another company over real https. It keeps its calls and answers by `respond`; `forget` resets both. */
export async function startPartner(tls: Pair) {
  const partner = {
    received: [] as Received[],
    respond: plainAnswer,
    /** Sees each whole body in its bytes. */
    onBody: undefined as ((bytes: Buffer) => void) | undefined,
    /** Sees each request before its body. `cut`: how many connections are gone since. */
    onHead: undefined as ((request: IncomingMessage) => void) | undefined,
    cut: 0,
    forget: () => {
      partner.received.length = 0
      partner.respond = plainAnswer
    },
  }
  const asking = { ...tls, requestCert: true, rejectUnauthorized: false }
  const server = createServer(asking, (request, response) => {
    const chunks: Buffer[] = []
    partner.onHead?.(request)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const certificate = (request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString()
      const bytes = Buffer.concat(chunks)
      partner.onBody?.(bytes)
      const body = bytes.toString()
      partner.received.push({ method, path, headers, body, certificate })
      partner.respond(response, body)
    })
  })
  server.on('secureConnection', (socket) => socket.once('close', () => (partner.cut += 1)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(partner, { url: `https://127.0.0.1:${port}`, stop })
}
