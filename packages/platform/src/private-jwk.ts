import {
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  type ED25519KeyPairOptions,
  type JsonWebKey,
} from 'node:crypto'

const PEM: ED25519KeyPairOptions<'pem', 'pem'> = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}

/** Makes an RSA key pair of so many bits; returns its private JWK. */
export async function newRsaJwk(modulusLength: number): Promise<JsonWebKey> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength, ...PEM }, (error, _publicPem, privatePem) =>
      error ? reject(error) : resolve(jwkOf(privatePem)),
    )
  })
}

/** Makes an Ed25519 key pair, which takes no time; returns its private JWK. */
export function newEd25519Jwk(): JsonWebKey {
  return jwkOf(generateKeyPairSync('ed25519', PEM).privateKey)
}

/**
 * Node 20 locks a key while it exports it. A garbage collection at that moment may free the job that made the key and
 * waits for the same lock: the process hangs for good. A key that is read from PEM was made by no job.
 */
function jwkOf(privatePem: string): JsonWebKey {
  return createPrivateKey(privatePem).export({ format: 'jwk' })
}
