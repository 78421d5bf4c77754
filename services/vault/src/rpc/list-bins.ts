import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { ListBinsResponse } from '@cofre/proto/vault/v1/vault'
import { listBins as listStored } from '../bins/bin-store'
import { BINS_MAX } from '../bins/bins'
import type { Deps } from '../deps'

export async function listBins({ pool }: Deps, _request: Empty): Promise<ListBinsResponse> {
  return { bins: await listStored(pool, BINS_MAX) }
}
