import { readFileSync } from 'node:fs'
import { credentials, ServerCredentials, type ServiceError } from '@grpc/grpc-js'
import { VaultClient } from '@cofre/proto/vault/v1/vault'

/** Returns a setting of a bare program; empty when its parent gave none. */
export const env = (name: string) => process.env[name] ?? ''

const [ca, key, cert] = ['TLS_CA_FILE', 'TLS_KEY_FILE', 'TLS_CERT_FILE'].map((name) =>
  readFileSync(env(name)),
) as [Buffer, Buffer, Buffer]

export const authority = ca
export const clientCredentials = credentials.createSsl(ca, key, cert)
export const serverCredentials = ServerCredentials.createSsl(
  ca,
  [{ private_key: key, cert_chain: cert }],
  true,
)

/** The vault of the bare path; undefined in the ceiling, which has none. */
export const vault = env('VAULT_ADDRESS')
  ? new VaultClient(env('VAULT_ADDRESS'), clientCredentials)
  : undefined

/** Resolves with the answer of one gRPC call. */
export function asked<Answer>(
  call: (done: (error: ServiceError | null, answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer)))
  })
}
