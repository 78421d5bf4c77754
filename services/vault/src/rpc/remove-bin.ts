import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { RemoveBinRequest } from '@cofre/proto/vault/v1/vault'
import { deleteBin } from '../bins/bin-store'
import type { Deps } from '../deps'

export async function removeBin({ pool, bins, log }: Deps, { prefix }: RemoveBinRequest): Promise<Empty> {
  if (!(await deleteBin(pool, prefix))) throw notFound('There is no such prefix.')
  await bins.reload()
  log.info({ prefix }, 'prefix of card numbers removed')
  return {}
}
