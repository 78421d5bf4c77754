import { callRpc } from '@cofre/platform/grpc-client'
import type { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import type { NetworkTokens } from './network-tokens'

/** Left of a payment's time to charge with the cryptogram. */
const CHARGE_MS = 1_000

/** The network-token service, over gRPC. */
export function openNetworkTokens(client: NetworkTokensClient): NetworkTokens {
  return {
    describe: (sellerId, token) => callRpc(client, client.describeActiveToken, { sellerId, token }),
    obtainCryptogram: async ({ deadline, ...payment }) => {
      const timeoutMs = deadline - CHARGE_MS - Date.now()
      const { handle } = await callRpc(client, client.obtainCryptogram, payment, { timeoutMs })
      return handle
    },
  }
}
