import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { SigningSecret, type GetSigningSecretRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { keptSealed } from '../secrets/kept-sealed'
import { rotateSecret, secretContext } from '../secrets/secret-store'

export function rotateSigningSecret(
  { pool, secretKey }: Deps,
  { sellerId }: GetSigningSecretRequest,
): Promise<Replayable<SigningSecret>> {
  const kept = keptSealed(SigningSecret, secretKey, secretContext({ sellerId }))
  return withIdempotency(pool, sellerId, kept, async (tx) => ({
    secret: await rotateSecret(tx, secretKey, { sellerId }),
  }))
}
