import { readFileSync } from 'node:fs'
import type { Tls } from '@cofre/platform/grpc/tls'
import type { Administered } from '@cofre/platform/service/services'
import { findLocalSystem } from './local-system'
import { UsageError } from './usage-error'

export type AdminService = Administered

/** The addresses of the services, and our identity towards them. */
export type Connection = { addresses: Record<AdminService, string | undefined>; tls: Tls }

export type ConnectionFlags = {
  gatewayAddress?: string
  ordersAddress?: string
  vaultAddress?: string
  vouchersAddress?: string
  invoicesAddress?: string
  caFile?: string
  certFile?: string
  keyFile?: string
}

/** Reads the connection from flags, else the environment, else the `.run` of the folder where `npm start` runs. */
export function readConnection(flags: ConnectionFlags, env: NodeJS.ProcessEnv, cwd: string): Connection {
  const local = localConnection(cwd)
  const file = (flag: string | undefined, setting: string, fallback: string | undefined) => {
    const path = flag ?? env[setting] ?? fallback
    if (path === undefined) {
      throw new UsageError(
        `${setting} is missing. Set it, or run cofrectl in the folder where npm start runs.`,
      )
    }
    return readPem(path)
  }
  return {
    addresses: {
      gateway: flags.gatewayAddress ?? env['COFRE_GATEWAY_ADDRESS'] ?? local?.gateway,
      orders: flags.ordersAddress ?? env['COFRE_ORDERS_ADDRESS'] ?? local?.orders,
      vault: flags.vaultAddress ?? env['COFRE_VAULT_ADDRESS'] ?? local?.vault,
      vouchers: flags.vouchersAddress ?? env['COFRE_VOUCHERS_ADDRESS'] ?? local?.vouchers,
      invoices: flags.invoicesAddress ?? env['COFRE_INVOICES_ADDRESS'] ?? local?.invoices,
    },
    tls: {
      ca: file(flags.caFile, 'COFRE_TLS_CA_FILE', local?.caFile),
      cert: file(flags.certFile, 'COFRE_TLS_CERT_FILE', local?.certFile),
      key: file(flags.keyFile, 'COFRE_TLS_KEY_FILE', local?.keyFile),
    },
  }
}

function localConnection(cwd: string) {
  const local = findLocalSystem(cwd)
  if (local === undefined) return undefined
  const address = (service: AdminService) =>
    local.ports[service] === undefined ? undefined : `localhost:${local.ports[service]}`
  return {
    ...local,
    gateway: address('gateway'),
    orders: address('orders'),
    vault: address('vault'),
    vouchers: address('vouchers'),
    invoices: address('invoices'),
  }
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}
