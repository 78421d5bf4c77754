import type { RotateSigningKeyResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'

export async function rotateSigningKey({ keys, log }: Deps): Promise<RotateSigningKeyResponse> {
  const kid = await keys.rotate()
  log.info({ kid }, 'signing key rotated')
  return { kid }
}
