import { DomainError, notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { TakePushRequest } from '@cofre/proto/networktoken/v1/networktoken'
import { Webhook } from 'standardwebhooks'
import type { RpcDeps } from '../deps'
import { lookAgain } from '../token/network-token-store'
import { readPush } from '../token-service/token-service-messages'

/** Takes a push only as a sign to ask about its token again. A push about an unknown token gets the same answer. */
export async function takePush(
  { pool, rules, log, resolver }: RpcDeps,
  { body, headers }: TakePushRequest,
): Promise<Empty> {
  const { tokenServiceSecret: secret } = rules
  if (secret === undefined) throw notFound()
  if (!isSigned(secret, body, headers)) {
    throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not the token service’s.')
  }
  const reference = readPush(body)
  const known = reference !== undefined && (await lookAgain(pool, { reference }))
  log.info({ reference, known }, 'push taken')
  if (known) resolver.wake()
  return {}
}

function isSigned(secret: string, body: Buffer, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
