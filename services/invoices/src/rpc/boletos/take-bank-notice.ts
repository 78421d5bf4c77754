import { DomainError, notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { TakeBankNoticeRequest } from '@cofre/proto/invoices/v1/boletos'
import { Webhook } from 'standardwebhooks'
import { noticeOf } from '../../bank/rest-bank-words'
import type { Deps } from '../../deps'
import { takeReceipt } from '../../receipts/take-receipt'
import { fault, throwFaults } from '../request-check'

/** Takes the money that a notice of the bank reports. A repeated notice changes nothing. */
export async function takeBankNotice(deps: Deps, { body, headers }: TakeBankNoticeRequest): Promise<Empty> {
  const { secret } = deps.boletos
  if (secret === undefined) throw notFound()
  checkSignature(secret, body, headers)
  const notice = noticeOf(body)
  if (notice === undefined) {
    // Refused, so that the bank sends it again: it may report money.
    deps.log.error({}, 'notice from the bank in an unknown format')
    throwFaults([fault('#', 'FORMAT', 'is not in the format of the bank')])
  }
  if (notice) await takeReceipt(deps, notice, notice.receipt)
  return {}
}

function checkSignature(secret: string, body: Buffer, headers: Record<string, string>): void {
  try {
    new Webhook(secret).verify(body, headers)
  } catch {
    throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not the bank’s.')
  }
}
