import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { DestroyVoucherRequest } from '@cofre/proto/vault/v1/vault'
import { destroyVoucherCard } from '../cards/voucher'
import type { Deps } from '../deps'
import { deleteGrant } from '../grants/grant-store'

export async function destroyVoucher(
  { pool, log }: Deps,
  { sellerId, voucherToken }: DestroyVoucherRequest,
): Promise<Empty> {
  await destroyVoucherCard(pool, sellerId, voucherToken)
  await deleteGrant(pool, { sellerId, voucherToken })
  log.info({ sellerId }, 'voucher destroyed')
  return {}
}
