import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { CustomersService } from '@cofre/proto/invoices/v1/customers'
import type { Deps } from './deps'
import { createCustomer } from './rpc/create-customer'
import { deleteCustomer } from './rpc/delete-customer'
import { getCustomer } from './rpc/get-customer'
import { listCustomers } from './rpc/list-customers'
import { replaceCustomer } from './rpc/replace-customer'

const GATEWAY = ['gateway'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function invoiceServices(deps: Deps): ServedService[] {
  const customers = serve(deps, CustomersService, {
    createCustomer: [GATEWAY, createCustomer],
    getCustomer: [GATEWAY, getCustomer],
    listCustomers: [GATEWAY, listCustomers],
    replaceCustomer: [GATEWAY, replaceCustomer],
    deleteCustomer: [GATEWAY, deleteCustomer],
  })
  return [customers, idempotencyService(deps)]
}
