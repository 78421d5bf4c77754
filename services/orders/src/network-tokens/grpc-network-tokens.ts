import { callRpc } from '@cofre/platform/grpc/client'
import type { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import type { NetworkTokens } from './network-tokens'

/** The other half of a payment's time is for charging with the cryptogram. */
const SHARE = 0.5

/** The network-token service, over gRPC. */
export function openNetworkTokens(client: NetworkTokensClient): NetworkTokens {
  return {
    describe: (sellerId, token) => callRpc(client, client.describeActiveToken, { sellerId, token }),
    obtainCryptogram: async ({ deadline, ...payment }) => {
      const timeoutMs = Math.floor((deadline - Date.now()) * SHARE)
      const { handle } = await callRpc(client, client.obtainCryptogram, payment, { timeoutMs })
      return handle
    },
  }
}
