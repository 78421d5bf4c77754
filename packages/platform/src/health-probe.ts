import { readFileSync } from 'node:fs'
import { ChannelCredentials, Client } from '@grpc/grpc-js'
import { isServing } from './is-serving'

const TIMEOUT_MS = 2_000
/** What a server binds to when it listens everywhere, and what reaches it then. */
const EVERYWHERE: Record<string, string> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/**
 * Whether the service of this very machine or container says that it serves, over mutual TLS by the settings of its
 * own. Kubernetes' gRPC probes speak no TLS: this is run in their place, every few seconds, so it loads little. Which
 * name the certificate has is not asked: whoever answers at our own port is us.
 */
export async function probeHealth(env: NodeJS.ProcessEnv): Promise<boolean> {
  const [ca, cert, key] = ['TLS_CA_FILE', 'TLS_CERT_FILE', 'TLS_KEY_FILE'].map((name) => {
    const path = env[name]
    if (!path) throw new Error(`${name} is missing`)
    return readFileSync(path)
  })
  const host = env['GRPC_HOST'] ?? ''
  const address = `${EVERYWHERE[host] ?? host}:${env['GRPC_PORT'] ?? '50051'}`
  const credentials = ChannelCredentials.createSsl(ca, key, cert, { checkServerIdentity: () => undefined })
  const client = new Client(address, credentials)
  try {
    return await isServing(client, TIMEOUT_MS)
  } finally {
    client.close()
  }
}

/** Ends the process: 0 when it serves, 1 when it does not, with a line that says so. */
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
