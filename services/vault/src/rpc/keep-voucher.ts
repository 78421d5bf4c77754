import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { KeepVoucherRequest } from '@cofre/proto/vault/v1/vault'
import { invalidHandle, openHandle } from '../cards/handle'
import { checkVoucherToken, keepVoucherCard } from '../cards/voucher'
import type { Deps } from '../deps'

export async function keepVoucher(
  deps: Deps,
  { sellerId, handle, voucherToken }: KeepVoucherRequest,
): Promise<Empty> {
  checkVoucherToken(voucherToken)
  const sealed = await openHandle(deps.keys, sellerId, handle, deps.now())
  if (!('voucher' in sealed)) throw invalidHandle()
  await keepVoucherCard(deps, sellerId, voucherToken, sealed.voucher)
  return {}
}
