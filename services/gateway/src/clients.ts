import type { Boot } from '@cofre/platform/service/run-service'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Config } from './config'

/** The services behind the routes. */
export type Services = {
  vault: VaultClient
  orders: OrdersClient
  notifier: NotifierClient
  networkTokens: NetworkTokensClient
  /** One for each service that owns effects. */
  idempotency: readonly IdempotencyClient[]
}

/** Connects on first use. */
export function openServices(config: Config, { connect }: Boot): Services {
  const { vaultAddress, ordersAddress, notifierAddress, networkTokenAddress } = config
  const owners = [vaultAddress, ordersAddress, notifierAddress, networkTokenAddress]
  return {
    vault: connect(VaultClient, vaultAddress),
    orders: connect(OrdersClient, ordersAddress),
    notifier: connect(NotifierClient, notifierAddress),
    networkTokens: connect(NetworkTokensClient, networkTokenAddress),
    idempotency: owners.map((address) => connect(IdempotencyClient, address)),
  }
}
