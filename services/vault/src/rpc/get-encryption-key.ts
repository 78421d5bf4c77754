import type { EncryptionKey } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'

export async function getEncryptionKey({ encryptionKey }: Deps): Promise<EncryptionKey> {
  return { jwk: encryptionKey.publicJwk }
}
