import { DomainError, notFound, unavailable } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { TakeBankNoticeRequest } from '@cofre/proto/invoices/v1/boletos'
import { Webhook } from 'standardwebhooks'
import { noticeOf, type BankNotice } from '../../boletos/bank/rest-bank-words'
import { paidForSlip } from '../../boletos/store/boleto-asks'
import { BOLETOS } from '../../boletos/store/boleto-store'
import type { Deps } from '../../deps'
import { BOLETO_LOOK } from '../look-at-boletos'
import { takeReceipt } from '../take-receipt'
import { fault, throwFaults } from '../../request-check'

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
  if (!notice) return {}
  await recognizeFirst(deps, notice)
  await takeReceipt(deps, paidForSlip(notice), notice.receipt)
  return {}
}

/**
 * Looks up a slip that may be ours or another's with the same number. While the bank does not say, the notice is
 * refused, so that the bank sends it again.
 */
async function recognizeFirst(deps: Deps, { account, ourNumber }: BankNotice): Promise<void> {
  const isUnclear = async () => {
    const boleto = await BOLETOS.find(deps.pool, ourNumber)
    return boleto?.account === account && boleto.barcode === null && boleto.askAt !== null
  }
  if (!(await isUnclear())) return
  await BOLETO_LOOK.at(deps, ourNumber)
  if (await isUnclear()) throw unavailable('The slip of this number is not known yet. Send the notice again.')
}

function checkSignature(secret: string, body: Buffer, headers: Record<string, string>): void {
  try {
    new Webhook(secret).verify(body, headers)
  } catch {
    throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not the bank’s.')
  }
}
