import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Json } from '../support'
import { webhookFaults } from './api-document'

const BODIES: Record<string, string> = {
  pix: 'WebhookPixBody',
  rec: 'WebhookRecBody',
  cobr: 'WebhookCobRBody',
}

export type Told = { path: string; certificate: string | undefined; body: Json }

/** Takes a bank's webhook calls over https, and holds each against the document; the first `refusals` are answered 503. */
export async function startListener(tls: { cert: string; key: string }, refusals = 0) {
  const told: Told[] = []
  const faults: string[] = []
  const options = { ...tls, requestCert: true, rejectUnauthorized: false }
  const server = createServer(options, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const body: Json = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const path = request.url ?? ''
      const { fingerprint256: certificate } = (request.socket as TLSSocket).getPeerCertificate()
      told.push({ path, certificate, body })
      faults.push(...webhookFaults(BODIES[path.split('/').at(-1) ?? ''] ?? '', body))
      response.writeHead(told.length <= refusals ? 503 : 200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/partners/pix/a-secret-path`,
    told,
    /** Waits for so many calls, and returns what they brought. */
    heard: async (count: number): Promise<Json[]> => {
      while (told.length < count) await new Promise((resolve) => setTimeout(resolve, 10))
      if (faults.length > 0) throw new Error(faults.join('; '))
      return told.map(({ body }) => body)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
