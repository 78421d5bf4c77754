import { join } from 'node:path'
import {
  loadPackageDefinition,
  type Client,
  type GrpcObject,
  type ServiceClientConstructor,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { DomainError } from '@cofre/platform/errors'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import type { AdminService, Connection } from './connection'
import { UsageError } from './usage-error'

const PROTO_DIR = join(__dirname, '../../proto')
const ADMIN: Record<AdminService, string> = {
  invoices: 'invoices.v1.InvoicesAdmin',
  gateway: 'gateway.v1.GatewayAdmin',
  orders: 'orders.v1.OrdersAdmin',
  vault: 'vault.v1.VaultAdmin',
  vouchers: 'vouchers.v1.VouchersAdmin',
}
/** Rotating keys encrypts every stored card again and takes longer; every other call answers at once. */
const TIMEOUT_MS = 15_000

export type AdminCall = <Response>(rpc: string, request: object, timeoutMs?: number) => Promise<Response>
export type Admin = { on(service: AdminService): AdminCall; close(): void }

/** Opens the administration RPCs of the services, as their protos describe them. */
export function openAdmin(connection: Connection): Admin {
  const clients = new Map<AdminService, Client>()
  const clientOf = (service: AdminService, address: string) => {
    const client = clients.get(service) ?? connect(service, address, connection)
    clients.set(service, client)
    return client
  }
  return {
    on: (service) => async (rpc, request, timeoutMs) => {
      const address = connection.addresses[service]
      if (address === undefined) throw new UsageError(`COFRE_${service.toUpperCase()}_ADDRESS is missing.`)
      return callAdmin(clientOf(service, address), `${service} at ${address}`, { rpc, request, timeoutMs })
    },
    close: () => clients.forEach((client) => client.close()),
  }
}

function connect(service: AdminService, address: string, { tls }: Connection): Client {
  const file = join(service, 'v1', `${service}.proto`)
  const definition = loadSync(file, {
    includeDirs: [PROTO_DIR],
    longs: Number,
    enums: String,
    defaults: true,
  })
  const found = ADMIN[service]
    .split('.')
    .reduce((scope: unknown, name) => (scope as GrpcObject)[name], loadPackageDefinition(definition))
  return new (found as ServiceClientConstructor)(address, clientCredentials(tls), CLIENT_OPTIONS)
}

type Call = { rpc: string; request: object; timeoutMs: number | undefined }

async function callAdmin<Response>(client: Client, where: string, call: Call): Promise<Response> {
  const method = (client as unknown as Record<string, Parameters<typeof callRpc<object, Response>>[1]>)[
    call.rpc
  ]
  if (!method) throw new Error(`there is no ${call.rpc}`)
  try {
    return await callRpc(client, method, call.request, { timeoutMs: call.timeoutMs ?? TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error
    const detail = `The ${where} does not answer, or does not accept this certificate.`
    throw new DomainError(error.kind, error.reason, detail, error.extra)
  }
}
