import { createHash } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { SendPasswordLinkRequest, SendPasswordLinkResponse } from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from '../../deps'
import { fault, requireAll, throwFaults } from '../../request-check'
import { insertUserLetters } from '../users/user-letter-store'

/** Writes the e-mail; a sweeper sends it. Repeatable: each link is mailed once. */
export async function sendPasswordLink(
  { pool, log, mailer }: Pick<Deps, 'pool' | 'log' | 'mailer'>,
  { sellerId, recipient, path, isInvitation, sellerName, endsAt, language }: SendPasswordLinkRequest,
): Promise<SendPasswordLinkResponse> {
  requireAll({ '#/recipient': recipient, '#/sellerName': sellerName })
  if (!/^\/portal\/join\/[\w-]{43}$/.test(path)) {
    throwFaults([fault('#/path', 'FORMAT', 'must be the path of a link')])
  }
  if (!mailer) {
    const message = 'No mail server is set up in this installation.'
    throw new DomainError('failed_precondition', 'EMAIL_NOT_SET_UP', message)
  }
  await insertUserLetters(pool, {
    sellerId,
    cause: `link ${createHash('sha256').update(path).digest('base64url')}`,
    recipients: [recipient],
    language: language === 'en' ? 'en' : 'pt-BR',
    facts: { about: 'password', path, isInvitation, sellerName, endsAt },
    createdAt: databaseNow(),
  })
  log.info({ sellerId, isInvitation }, 'e-mail with a link written')
  return {}
}
