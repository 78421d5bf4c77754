import { serve, type ServedService } from '@cofre/platform/grpc-server'
import { idempotencyService } from '@cofre/platform/idempotency-server'
import { NotifierService, type GetSigningSecretRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from './deps'
import { getSigningSecret } from './rpc/get-signing-secret'
import { rotateSigningSecret } from './rpc/rotate-signing-secret'

export function notifierServices(deps: Deps): ServedService[] {
  const notifier = serve(
    deps.log,
    NotifierService,
    { getSigningSecret: ['gateway'], rotateSigningSecret: ['gateway'] },
    {
      getSigningSecret: (request: GetSigningSecretRequest) => getSigningSecret(deps, request),
      rotateSigningSecret: (request: GetSigningSecretRequest) => rotateSigningSecret(deps, request),
    },
  )
  return [notifier, idempotencyService(deps.log, deps.pool)]
}
