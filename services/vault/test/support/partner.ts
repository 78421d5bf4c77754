import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pair } from '@cofre/testing/certificates'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

const plainAnswer = (response: ServerResponse, _body: string): void => {
  response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
}

/** Starts another company over real https. It keeps its calls and answers by `respond`; `forget` resets both. */
export async function startPartner(tls: Pair) {
  const partner = {
    received: [] as Received[],
    respond: plainAnswer,
    forget: () => {
      partner.received.length = 0
      partner.respond = plainAnswer
    },
  }
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const body = Buffer.concat(chunks).toString()
      partner.received.push({ method, path, headers, body })
      partner.respond(response, body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(partner, { url: `https://localhost:${port}`, stop })
}
