import { notFound } from '@cofre/platform/errors'
import { jsonOf } from '@cofre/platform/outbound/partner-answers'
import { isOrderTxid } from '@cofre/platform/pix-txid'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetPixCodeRequest, PixCode, TakePixHintRequest } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../../deps'
import { noticeOf } from '@cofre/platform/outbound/pix-api'
import { findPixCode, hastenPix, unknownPix } from '../store/pix-store'

export async function getPixCode({ pool }: Deps, { txid }: GetPixCodeRequest): Promise<PixCode> {
  const copyAndPaste = await findPixCode(pool, txid, databaseNow())
  if (copyAndPaste === undefined) throw notFound()
  return { copyAndPaste }
}

/** Invoices share the bank's notices, and refuse those in an unknown format. They share the daily lists of its keys too. */
export async function takePixHint({ pool }: Deps, { body, listed }: TakePixHintRequest): Promise<Empty> {
  const at = databaseNow()
  const txids = noticeOf(jsonOf(body))?.txids.filter(isOrderTxid) ?? []
  const news = listed.length > 0 ? await unknownPix(pool, listed) : []
  const hinted = [...txids, ...news]
  if (hinted.length > 0) await hastenPix(pool, hinted, at)
  return {}
}
