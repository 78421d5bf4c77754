import type { GetSigningSecretRequest, SigningSecret } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { secretsOfSeller } from '../secrets/secret-store'

export async function getSigningSecret(
  { pool, secretKey }: Deps,
  { sellerId }: GetSigningSecretRequest,
): Promise<SigningSecret> {
  const [secret] = await secretsOfSeller(pool, secretKey, sellerId)
  return { secret }
}
