import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { VoucherReportsService } from '@cofre/proto/vouchers/v1/reports'
import { VouchersAdminService, VouchersService } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from './deps'
import { beginRedirect } from './rpc/begin-redirect'
import { cancelPayment } from './rpc/cancel-payment'
import { createPayment } from './rpc/create-payment'
import { createToken } from './rpc/create-token'
import { deleteToken } from './rpc/delete-token'
import { finishRedirect } from './rpc/finish-redirect'
import { getPayment } from './rpc/get-payment'
import { getToken } from './rpc/get-token'
import { listBrands } from './rpc/list-brands'
import { listPayments } from './rpc/list-payments'
import { listPendingPayments } from './rpc/list-pending-payments'
import { resolvePayment } from './rpc/resolve-payment'
import { sumDays } from './rpc/sum-days'

const GATEWAY = ['gateway'] as const
const PLATFORM_TEAM = ['cofrectl'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function voucherServices(deps: Deps): ServedService[] {
  const vouchers = serve(deps, VouchersService, {
    listBrands: [GATEWAY, listBrands],
    createToken: [GATEWAY, createToken],
    getToken: [GATEWAY, getToken],
    deleteToken: [GATEWAY, deleteToken],
    beginRedirect: [GATEWAY, beginRedirect],
    finishRedirect: [GATEWAY, finishRedirect],
    createPayment: [GATEWAY, createPayment],
    getPayment: [GATEWAY, getPayment],
    listPayments: [GATEWAY, listPayments],
    cancelPayment: [GATEWAY, cancelPayment],
  })
  const reports = serve(deps, VoucherReportsService, { sumDays: [GATEWAY, sumDays] })
  const admin = serve(deps, VouchersAdminService, {
    resolvePayment: [PLATFORM_TEAM, resolvePayment],
    listPendingPayments: [PLATFORM_TEAM, listPendingPayments],
  })
  return [vouchers, reports, admin, idempotencyService(deps)]
}
