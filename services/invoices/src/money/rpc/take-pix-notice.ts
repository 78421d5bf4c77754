import { notFound } from '@cofre/platform/errors'
import { jsonOf } from '@cofre/platform/outbound/partner-answers'
import { noticeOf } from '@cofre/platform/outbound/pix-api'
import { isOrderTxid } from '@cofre/platform/pix-txid'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { TakePixNoticeRequest } from '@cofre/proto/invoices/v1/pix'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { lookAtPermissionsSoon } from '../../pix/automatic/permission-store'
import { findKeyOfToken, lookAtKeySoon } from '../../pix/store/pix-account-store'
import { lookSoon } from '../../pix/store/pix-store'
import { fault, throwFaults } from '../../request-check'

/** Believes nothing of a notice of the bank: its charges and permissions are looked at at once, or the key when they are not ours. */
export async function takePixNotice(
  { pool, log }: Deps,
  { token, body }: TakePixNoticeRequest,
): Promise<Empty> {
  const key = await findKeyOfToken(pool, token)
  if (!key) throw notFound()
  const reported = noticeOf(jsonOf(body))
  if (!reported) {
    // Refused, so that the bank sends it again: it may report money.
    log.error({ sellerId: key.sellerId }, 'notice from the Pix bank in an unknown format')
    throwFaults([fault('#', 'FORMAT', 'is not in the format of the bank')])
    return {}
  }
  const at = now()
  const { recIds } = reported
  if (recIds.length > 0) await lookAtPermissionsSoon(pool, key, { recIds, at })
  // The service of orders is handed every notice too.
  const txids = reported.txids.filter((txid) => !isOrderTxid(txid))
  if (txids.length === 0 && reported.txids.length + recIds.length > 0) return {}
  const ours = await lookSoon(pool, key, { txids, at })
  if (ours === 0 || ours < new Set(txids).size) await lookAtKeySoon(pool, key.account, at)
  return {}
}
