import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import {
  VaultAdminService,
  VaultService,
  type DescribeCardRequest,
  type DestroyNetworkTokenRequest,
  type ForwardRequest,
  type KeepNetworkTokenRequest,
  type SealCardDataRequest,
  type StoreCardRequest,
} from '@cofre/proto/vault/v1/vault'
import type { Deps } from './deps'
import { deleteCard } from './rpc/delete-card'
import { describeCard } from './rpc/describe-card'
import { destroyNetworkToken } from './rpc/destroy-network-token'
import { forward } from './rpc/forward'
import { getEncryptionKey } from './rpc/get-encryption-key'
import { keepNetworkToken } from './rpc/keep-network-token'
import { rotateDataKey } from './rpc/rotate-data-key'
import { rotateKeyEncryptionKey } from './rpc/rotate-key-encryption-key'
import { sealCardData } from './rpc/seal-card-data'
import { storeCard } from './rpc/store-card'

/** Which certificate may call which RPC. */
const VAULT_CALLERS = {
  sealCardData: ['gateway'],
  storeCard: ['gateway'],
  describeCard: ['gateway', 'invoices'],
  deleteCard: ['gateway'],
  getEncryptionKey: ['gateway'],
  forward: ['orders', 'network-token', 'vouchers'],
  keepNetworkToken: ['network-token'],
  destroyNetworkToken: ['network-token'],
}
const ADMIN_CALLERS = { rotateDataKey: ['cofrectl'], rotateKeyEncryptionKey: ['cofrectl'] }

export function vaultServices(deps: Deps): ServedService[] {
  const vault = serve(deps.log, VaultService, VAULT_CALLERS, {
    sealCardData: (request: SealCardDataRequest) => sealCardData(deps, request),
    storeCard: (request: StoreCardRequest) => storeCard(deps, request),
    describeCard: (request: DescribeCardRequest) => describeCard(deps, request),
    deleteCard: (request: DescribeCardRequest) => deleteCard(deps, request),
    getEncryptionKey: () => getEncryptionKey(deps),
    forward: (request: ForwardRequest) => forward(deps, request),
    keepNetworkToken: (request: KeepNetworkTokenRequest) => keepNetworkToken(deps, request),
    destroyNetworkToken: (request: DestroyNetworkTokenRequest) => destroyNetworkToken(deps, request),
  })
  const admin = serve(deps.log, VaultAdminService, ADMIN_CALLERS, {
    rotateDataKey: () => rotateDataKey(deps),
    rotateKeyEncryptionKey: () => rotateKeyEncryptionKey(deps),
  })
  return [vault, admin, idempotencyService(deps.log, deps.pool)]
}
