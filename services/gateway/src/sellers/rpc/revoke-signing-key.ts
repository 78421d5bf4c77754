import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { DomainError, notFound, type FieldError } from '@cofre/platform/errors'
import type { RevokeSigningKeyRequest, RevokeSigningKeyResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'

const MAX_REASON = 2_000
const MAX_NAME = 100

export async function revokeSigningKey(
  { keys, log }: Deps,
  request: RevokeSigningKeyRequest,
): Promise<RevokeSigningKeyResponse> {
  checkRequest(request)
  const { kid } = request
  const by = maskCardNumbersIn(request.revokedBy.trim()) || 'cofrectl'
  const reason = maskCardNumbersIn(request.reason.trim())
  const tokensRevoked = await keys.revoke({ kid, by, reason })
  if (tokensRevoked === undefined) throw notFound('There is no such signing key.')
  log.warn({ kid, by, reason, tokensRevoked }, 'signing key revoked')
  return { kid, tokensRevoked, currentKid: (await keys.current()).kid }
}

function checkRequest({ reason, revokedBy }: RevokeSigningKeyRequest): void {
  const errors: FieldError[] = []
  if (reason.trim() === '' || reason.length > MAX_REASON) {
    errors.push({ pointer: '#/reason', code: 'LENGTH', detail: `must have 1 to ${MAX_REASON} characters` })
  }
  if (revokedBy.length > MAX_NAME) {
    errors.push({
      pointer: '#/revokedBy',
      code: 'LENGTH',
      detail: `must have at most ${MAX_NAME} characters`,
    })
  }
  if (errors.length === 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid: see errors.', {
    errors,
  })
}
