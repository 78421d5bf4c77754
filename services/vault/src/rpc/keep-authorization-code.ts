import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { KeepAuthorizationCodeRequest } from '@cofre/proto/vault/v1/vault'
import { checkVoucherToken } from '../cards/voucher'
import type { Deps } from '../deps'
import { checkCode } from '../grants/grant'
import { keepCode } from '../grants/grants'

export async function keepAuthorizationCode(
  deps: Deps,
  { sellerId, voucherToken, code }: KeepAuthorizationCodeRequest,
): Promise<Empty> {
  checkVoucherToken(voucherToken)
  checkCode(code)
  await keepCode(deps, { sellerId, voucherToken }, code)
  deps.log.info({ sellerId }, 'authorization code kept')
  return {}
}
