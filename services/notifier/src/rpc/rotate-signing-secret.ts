import { withIdempotency } from '@cofre/platform/idempotency'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { SigningSecret, type GetSigningSecretRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { rotateSecret, secretContext } from '../secret-store'

export function rotateSigningSecret(
  { pool, secretKey }: Deps,
  { sellerId }: GetSigningSecretRequest,
): Promise<SigningSecret> {
  const kept = keptSealed(secretKey, secretContext(sellerId))
  return withIdempotency(pool, sellerId, kept, async (tx) => ({
    secret: await rotateSecret(tx, secretKey, sellerId),
  }))
}

/** The answer kept for replay holds the secret sealed, as its own table does. */
function keptSealed(key: Buffer, context: string) {
  return {
    encode: ({ secret }: SigningSecret) =>
      SigningSecret.encode({ secret: sealSecret(key, secret, context).toString('base64') }),
    decode: (bytes: Uint8Array): SigningSecret => {
      const sealed = Buffer.from(SigningSecret.decode(bytes).secret, 'base64')
      return { secret: openSecret(key, sealed, context).toString() }
    },
  }
}
