import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { OrdersAdminService, OrdersService } from '@cofre/proto/orders/v1/orders'
import type { Deps } from './deps'
import { authorizeOrder } from './rpc/authorize-order'
import { captureCharge } from './rpc/capture-charge'
import { createEstablishment } from './rpc/create-establishment'
import { getCharge } from './rpc/get-charge'
import { listCharges } from './rpc/list-charges'
import { listEstablishments } from './rpc/list-establishments'
import { listPendingTransactions } from './rpc/list-pending-transactions'
import { refundCharge } from './rpc/refund-charge'
import { replaceMetadata } from './rpc/replace-metadata'
import { resolveTransaction } from './rpc/resolve-transaction'

const GATEWAY = ['gateway'] as const
/** Invoices are paid by charges, and refund a charge that an invoice can't take. */
const PAYERS = ['gateway', 'invoices'] as const
const PLATFORM_TEAM = ['cofrectl'] as const

/** For each RPC: its callers, by certificate name, and the function that answers. */
export function ordersServices(deps: Deps): ServedService[] {
  const orders = serve(deps, OrdersService, {
    authorizeOrder: [PAYERS, authorizeOrder],
    captureCharge: [GATEWAY, captureCharge],
    refundCharge: [PAYERS, refundCharge],
    getCharge: [PAYERS, getCharge],
    listCharges: [GATEWAY, listCharges],
    replaceMetadata: [GATEWAY, replaceMetadata],
  })
  const admin = serve(deps, OrdersAdminService, {
    createEstablishment: [PLATFORM_TEAM, createEstablishment],
    listEstablishments: [PLATFORM_TEAM, listEstablishments],
    resolveTransaction: [PLATFORM_TEAM, resolveTransaction],
    listPendingTransactions: [PLATFORM_TEAM, listPendingTransactions],
  })
  return [orders, admin, idempotencyService(deps, PAYERS)]
}
