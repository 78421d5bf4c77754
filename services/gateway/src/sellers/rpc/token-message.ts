import type { Token as TokenMessage } from '@cofre/proto/gateway/v1/gateway'
import type { Token } from '../api-tokens/token'

export function toTokenMessage({
  kid: _kid,
  scopes,
  expiresAt,
  lastUsedAt,
  revokedAt,
  ...token
}: Token): TokenMessage {
  return {
    ...token,
    scopes: [...scopes],
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  }
}
