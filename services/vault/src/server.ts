import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { VaultAdminService, VaultService } from '@cofre/proto/vault/v1/vault'
import type { Deps } from './deps'
import { deleteCard } from './rpc/delete-card'
import { describeCard } from './rpc/describe-card'
import { destroyNetworkToken } from './rpc/destroy-network-token'
import { destroyVoucher } from './rpc/destroy-voucher'
import { findAccount } from './rpc/find-account'
import { forward } from './rpc/forward'
import { forwardFile } from './rpc/forward-file'
import { getEncryptionKey } from './rpc/get-encryption-key'
import { keepAuthorizationCode } from './rpc/keep-authorization-code'
import { keepNetworkToken } from './rpc/keep-network-token'
import { keepVoucher } from './rpc/keep-voucher'
import { listAccounts } from './rpc/list-accounts'
import { listBins } from './rpc/list-bins'
import { putAccount } from './rpc/put-account'
import { putBin } from './rpc/put-bin'
import { removeAccount } from './rpc/remove-account'
import { removeBin } from './rpc/remove-bin'
import { rotateDataKey } from './rpc/rotate-data-key'
import { rotateEncryptionKey } from './rpc/rotate-encryption-key'
import { rotateKeyEncryptionKey } from './rpc/rotate-key-encryption-key'
import { sealCardData } from './rpc/seal-card-data'
import { storeCard } from './rpc/store-card'

const GATEWAY = ['gateway'] as const
const NETWORK_TOKEN = ['network-token'] as const
const VOUCHERS = ['vouchers'] as const
/** Sellers store cards through the gateway. A customer may let the seller keep the card that pays an invoice. */
const KEEPERS = ['gateway', 'invoices'] as const
const PLATFORM_TEAM = ['cofrectl'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function vaultServices(deps: Deps): ServedService[] {
  const vault = serve(deps, VaultService, {
    sealCardData: [GATEWAY, sealCardData],
    storeCard: [KEEPERS, storeCard],
    describeCard: [['gateway', 'orders', 'invoices'], describeCard],
    deleteCard: [KEEPERS, deleteCard],
    listBins: [GATEWAY, listBins],
    getEncryptionKey: [GATEWAY, getEncryptionKey],
    // The settings of a partner name the services that may have it called.
    forward: [['orders', 'network-token', 'vouchers', 'invoices'], forward],
    forwardFile: [['orders'], forwardFile],
    keepNetworkToken: [NETWORK_TOKEN, keepNetworkToken],
    destroyNetworkToken: [NETWORK_TOKEN, destroyNetworkToken],
    keepVoucher: [VOUCHERS, keepVoucher],
    keepAuthorizationCode: [VOUCHERS, keepAuthorizationCode],
    destroyVoucher: [VOUCHERS, destroyVoucher],
    findAccount: [['network-token', 'vouchers', 'invoices', 'orders'], findAccount],
  })
  const admin = serve(deps, VaultAdminService, {
    putAccount: [PLATFORM_TEAM, putAccount],
    removeAccount: [PLATFORM_TEAM, removeAccount],
    listAccounts: [PLATFORM_TEAM, listAccounts],
    putBin: [PLATFORM_TEAM, putBin],
    removeBin: [PLATFORM_TEAM, removeBin],
    listBins: [PLATFORM_TEAM, listBins],
    rotateDataKey: [PLATFORM_TEAM, rotateDataKey],
    rotateEncryptionKey: [PLATFORM_TEAM, rotateEncryptionKey],
    rotateKeyEncryptionKey: [PLATFORM_TEAM, rotateKeyEncryptionKey],
  })
  return [vault, admin, idempotencyService(deps)]
}
