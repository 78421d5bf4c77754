import { readFileSync } from 'node:fs'
import { connect, type ClientHttp2Session } from 'node:http2'

const TIMEOUT_MS = 4_000
/** Addresses by which a server listens everywhere, and the address that reaches it then. */
const EVERYWHERE: Record<string, string> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const CHECK = {
  ':method': 'POST',
  ':path': '/grpc.health.v1.Health/Check',
  'content-type': 'application/grpc',
  te: 'trailers',
}
// Messages as gRPC frames them: not compressed, four bytes of length. REQUEST is empty; SERVING is status, field 1.
const REQUEST = Buffer.from([0, 0, 0, 0, 0])
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 0x01])

/**
 * True when the service of this very machine or container answers SERVING, over mutual TLS with the service's own
 * settings. It runs in place of Kubernetes' gRPC probes, which speak no TLS: every few seconds in every pod, above all
 * when the machine is at its limit. So it makes one request of HTTP/2 and loads nothing but Node: a gRPC client took
 * twice the processor time. It ignores the name of the certificate: only we answer at our own port.
 */
export async function probeHealth(env: NodeJS.ProcessEnv): Promise<boolean> {
  const [ca, cert, key] = ['TLS_CA_FILE', 'TLS_CERT_FILE', 'TLS_KEY_FILE'].map((name) => {
    const path = env[name]
    if (!path) throw new Error(`${name} is missing`)
    return readFileSync(path)
  })
  const host = env['GRPC_HOST'] ?? ''
  const session = connect(`https://${EVERYWHERE[host] ?? host}:${env['GRPC_PORT'] ?? '50051'}`, {
    ca,
    cert,
    key,
    servername: 'localhost',
    checkServerIdentity: () => undefined,
  })
  try {
    return (await askHealth(session)).equals(SERVING)
  } catch {
    return false
  } finally {
    session.destroy()
  }
}

function askHealth(session: ClientHttp2Session): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    session.setTimeout(TIMEOUT_MS, () => reject(new Error('no answer in time')))
    const request = session.request(CHECK)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', reject)
    request.on('end', () => resolve(Buffer.concat(parts)))
    request.end(REQUEST)
  })
}

/** Ends the process with 0 when the service serves. Else writes a line that says why and ends with 1. */
export function main(): void {
  const end = (words: string) => {
    process.stderr.write(`${words}\n`)
    process.exit(1)
  }
  probeHealth(process.env).then(
    (serving) => (serving ? process.exit(0) : end('not serving')),
    (error: unknown) => end(error instanceof Error ? error.message : 'unknown error'),
  )
}
