import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { DisputesService } from '@cofre/proto/orders/v1/disputes'
import { OrdersAdminService, OrdersService } from '@cofre/proto/orders/v1/orders'
import { ChargeReportsService } from '@cofre/proto/orders/v1/reports'
import type { Deps } from './deps'
import { acceptDispute } from './rpc/accept-dispute'
import { authorizeOrder } from './rpc/authorize-order'
import { captureCharge } from './rpc/capture-charge'
import { createEstablishment } from './rpc/create-establishment'
import { getCharge } from './rpc/get-charge'
import { getDispute } from './rpc/get-dispute'
import { exportCharges, listCharges } from './rpc/list-charges'
import { listDisputes } from './rpc/list-disputes'
import { listEstablishments } from './rpc/list-establishments'
import { listPendingTransactions } from './rpc/list-pending-transactions'
import { cancelCharge } from './pix/rpc/cancel-charge'
import { chargePix } from './pix/rpc/charge-pix'
import { getPixCode, takePixHint } from './pix/rpc/pix-code'
import { refundCharge } from './rpc/refund-charge'
import { replaceMetadata } from './rpc/replace-metadata'
import { resolveTransaction } from './rpc/resolve-transaction'
import { submitEvidence } from './rpc/submit-evidence'
import { sumDays } from './rpc/sum-days'
import { takeDisputeHint } from './rpc/take-dispute-hint'

const GATEWAY = ['gateway'] as const
/** Invoices are paid by charges, and refund a charge that an invoice can't take. */
const PAYERS = ['gateway', 'invoices'] as const
const PLATFORM_TEAM = ['cofrectl'] as const

/** For each RPC: its callers, by certificate name, and the function that answers. */
export function ordersServices(deps: Deps): ServedService[] {
  const orders = serve(deps, OrdersService, {
    authorizeOrder: [PAYERS, authorizeOrder],
    chargePix: [GATEWAY, chargePix],
    cancelCharge: [GATEWAY, cancelCharge],
    getPixCode: [GATEWAY, getPixCode],
    takePixHint: [PAYERS, takePixHint],
    captureCharge: [GATEWAY, captureCharge],
    refundCharge: [PAYERS, refundCharge],
    getCharge: [PAYERS, getCharge],
    listCharges: [GATEWAY, listCharges],
    exportCharges: [GATEWAY, exportCharges],
    replaceMetadata: [GATEWAY, replaceMetadata],
  })
  const disputes = serve(deps, DisputesService, {
    listDisputes: [GATEWAY, listDisputes],
    getDispute: [GATEWAY, getDispute],
    acceptDispute: [GATEWAY, acceptDispute],
    submitEvidence: [GATEWAY, submitEvidence],
    takeDisputeHint: [GATEWAY, takeDisputeHint],
  })
  const reports = serve(deps, ChargeReportsService, { sumDays: [GATEWAY, sumDays] })
  const admin = serve(deps, OrdersAdminService, {
    createEstablishment: [PLATFORM_TEAM, createEstablishment],
    listEstablishments: [PLATFORM_TEAM, listEstablishments],
    resolveTransaction: [PLATFORM_TEAM, resolveTransaction],
    listPendingTransactions: [PLATFORM_TEAM, listPendingTransactions],
  })
  return [orders, disputes, reports, admin, idempotencyService(deps, PAYERS)]
}
