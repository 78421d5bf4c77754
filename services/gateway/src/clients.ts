import { CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { clientCredentials, type Tls } from '@cofre/platform/grpc/tls'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'

/** The services behind the routes. */
export type Services = {
  vault: VaultClient
  orders: OrdersClient
  notifier: NotifierClient
  networkTokens: NetworkTokensClient
  /** One for each service that owns effects. */
  idempotency: readonly IdempotencyClient[]
}

export type Addresses = { vault: string; orders: string; notifier: string; networkToken: string }

/** Connects on first use; `close` cuts what still runs. */
export function openClients(addresses: Addresses, tls: Tls): { services: Services; close(): void } {
  const credentials = clientCredentials(tls)
  const services = {
    vault: new VaultClient(addresses.vault, credentials, CLIENT_OPTIONS),
    orders: new OrdersClient(addresses.orders, credentials, CLIENT_OPTIONS),
    notifier: new NotifierClient(addresses.notifier, credentials, CLIENT_OPTIONS),
    networkTokens: new NetworkTokensClient(addresses.networkToken, credentials, CLIENT_OPTIONS),
    idempotency: Object.values(addresses).map(
      (address) => new IdempotencyClient(address, credentials, CLIENT_OPTIONS),
    ),
  }
  const { idempotency, ...named } = services
  const close = () => {
    for (const client of [...Object.values(named), ...idempotency]) client.close()
  }
  return { services, close }
}
