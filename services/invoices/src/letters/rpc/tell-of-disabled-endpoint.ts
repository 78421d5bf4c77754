import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import {
  EndpointDisablingReason,
  type TellOfDisabledEndpointRequest,
  type TellOfDisabledEndpointResponse,
} from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from '../../deps'
import { insertUserLetters } from '../users/user-letter-store'
import { fault, requireAll, throwFaults } from '../../request-check'

const RECIPIENTS_MAX = 500

/** Writes the e-mails; a sweeper sends them. Repeatable: each cause sends one e-mail to an address. */
export async function tellOfDisabledEndpoint(
  { pool, log, mailer }: Pick<Deps, 'pool' | 'log' | 'mailer'>,
  request: TellOfDisabledEndpointRequest,
): Promise<TellOfDisabledEndpointResponse> {
  const { sellerId, cause, recipients, endpointId, url } = request
  requireAll({ '#/cause': cause, '#/url': url })
  if (recipients.length > RECIPIENTS_MAX)
    throwFaults([fault('#/recipients', 'LENGTH', `must be at most ${RECIPIENTS_MAX}`)])
  if (!mailer) {
    const message = 'No mail server is set up in this installation.'
    throw new DomainError('failed_precondition', 'EMAIL_NOT_SET_UP', message)
  }
  await insertUserLetters(pool, {
    sellerId,
    cause,
    recipients: [...new Set(recipients)],
    language: request.language === 'en' ? 'en' : 'pt-BR',
    facts: {
      about: 'endpoint',
      endpointId,
      url,
      reason: request.reason === EndpointDisablingReason.GONE ? 'GONE' : 'FAILING',
      at: request.disabledAt,
    },
    createdAt: databaseNow(),
  })
  log.info({ sellerId, endpointId, recipients: recipients.length }, 'e-mails to users written')
  return {}
}
