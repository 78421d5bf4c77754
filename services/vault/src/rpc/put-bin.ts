import { BRANDS, type Brand } from '@cofre/platform/card/card-brand'
import { DomainError } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { Bin } from '@cofre/proto/vault/v1/vault'
import { saveBin } from '../bins/bin-store'
import { LONGEST_PREFIX, SHORTEST_PREFIX } from '../bins/bin-table'
import { BINS_MAX } from '../bins/bins'
import type { Deps } from '../deps'

const PREFIX = new RegExp(`^\\d{${SHORTEST_PREFIX},${LONGEST_PREFIX}}$`)

export async function putBin({ pool, bins, log }: Deps, { prefix, brand }: Bin): Promise<Empty> {
  if (!PREFIX.test(prefix)) throw invalid(`A prefix has ${SHORTEST_PREFIX} to ${LONGEST_PREFIX} digits.`)
  if (!isBrand(brand)) throw invalid(`The brands are ${BRANDS.join(', ')}.`)
  const saved = await saveBin(pool, { prefix, brand }, BINS_MAX)
  if (!saved) throw invalid(`There are ${BINS_MAX} prefixes already: remove one that is no longer needed.`)
  await bins.reload()
  log.info({ prefix, brand }, 'prefix of card numbers kept')
  return {}
}

function isBrand(brand: string): brand is Brand {
  return (BRANDS as readonly string[]).includes(brand)
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', message)
}
