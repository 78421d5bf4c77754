import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import {
  NetworkTokenAccountsService,
  OrdersAdminService,
  OrdersService,
  type AuthorizeOrderRequest,
  type CaptureChargeRequest,
  type CreateEstablishmentRequest,
  type FindAccountRequest,
  type GetChargeRequest,
  type ListChargesRequest,
  type ListEstablishmentsRequest,
  type RefundChargeRequest,
  type ReplaceMetadataRequest,
  type ResolveTransactionRequest,
} from '@cofre/proto/orders/v1/orders'
import type { Deps } from './deps'
import { authorizeOrder } from './rpc/authorize-order'
import { captureCharge } from './rpc/capture-charge'
import { createEstablishment } from './rpc/create-establishment'
import { findAccount } from './rpc/find-account'
import { getCharge } from './rpc/get-charge'
import { listCharges } from './rpc/list-charges'
import { listEstablishments } from './rpc/list-establishments'
import { refundCharge } from './rpc/refund-charge'
import { replaceMetadata } from './rpc/replace-metadata'
import { resolveTransaction } from './rpc/resolve-transaction'

const SELLING = ['gateway', 'invoices']
const ADMIN = ['cofrectl']

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function ordersServices(deps: Deps): ServedService[] {
  const orders = serve(
    deps.log,
    OrdersService,
    {
      authorizeOrder: SELLING,
      captureCharge: SELLING,
      refundCharge: SELLING,
      getCharge: SELLING,
      listCharges: SELLING,
      replaceMetadata: SELLING,
    },
    {
      authorizeOrder: (request: AuthorizeOrderRequest) => authorizeOrder(deps, request),
      captureCharge: (request: CaptureChargeRequest) => captureCharge(deps, request),
      refundCharge: (request: RefundChargeRequest) => refundCharge(deps, request),
      getCharge: (request: GetChargeRequest) => getCharge(deps, request),
      listCharges: (request: ListChargesRequest) => listCharges(deps, request),
      replaceMetadata: (request: ReplaceMetadataRequest) => replaceMetadata(deps, request),
    },
  )
  const admin = serve(
    deps.log,
    OrdersAdminService,
    { createEstablishment: ADMIN, listEstablishments: ADMIN, resolveTransaction: ADMIN },
    {
      createEstablishment: (request: CreateEstablishmentRequest) => createEstablishment(deps, request),
      listEstablishments: (request: ListEstablishmentsRequest) => listEstablishments(deps, request),
      resolveTransaction: (request: ResolveTransactionRequest) => resolveTransaction(deps, request),
    },
  )
  const accounts = serve(
    deps.log,
    NetworkTokenAccountsService,
    { findAccount: ['network-token'] },
    { findAccount: (request: FindAccountRequest) => findAccount(deps, request) },
  )
  return [orders, admin, accounts, idempotencyService(deps.log, deps.pool)]
}
