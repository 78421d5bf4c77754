import { databaseNow } from '@cofre/platform/service/database-clock'
import type {
  TakeDisputeNoticesResponse,
  TellOfDisputeRequest,
  TellOfDisputeResponse,
} from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from '../../deps'
import { fault, throwFaults } from '../../request-check'
import { deleteDisputeNotice, findDisputeNotice, leaseDisputeNotices } from '../users/dispute-notice-store'
import { insertUserLetters } from '../users/user-letter-store'

const RECIPIENTS_MAX = 500

export async function takeDisputeNotices({ pool }: Pick<Deps, 'pool'>): Promise<TakeDisputeNoticesResponse> {
  return { notices: await leaseDisputeNotices(pool, databaseNow()) }
}

/** Writes the e-mails; a sweeper sends them. Repeatable: a notice sends one e-mail to an address. */
export async function tellOfDispute(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  { sellerId, noticeId: id, recipients, language, isLast }: TellOfDisputeRequest,
): Promise<TellOfDisputeResponse> {
  if (recipients.length > RECIPIENTS_MAX)
    throwFaults([fault('#/recipients', 'LENGTH', `must be at most ${RECIPIENTS_MAX}`)])
  const notice = { id, sellerId }
  const facts = await findDisputeNotice(pool, notice)
  if (!facts) return {}
  await insertUserLetters(pool, {
    sellerId,
    cause: `dispute notice ${id}`,
    recipients: [...new Set(recipients)],
    language: language === 'en' ? 'en' : 'pt-BR',
    facts,
    createdAt: databaseNow(),
  })
  if (isLast) await deleteDisputeNotice(pool, notice)
  const { disputeId } = facts
  log.info({ sellerId, disputeId, recipients: recipients.length }, 'e-mails to users written')
  return {}
}
