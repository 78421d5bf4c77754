import { DomainError } from '@cofre/platform/errors'
import type { NetworkTokens } from './network-tokens'

/** A deployment without a network-token service: none of its tokens is active. */
export const noNetworkTokens: NetworkTokens = { describe: notActive, obtainCryptogram: notActive }

function notActive(): Promise<never> {
  const message = 'The network token is not active.'
  return Promise.reject(new DomainError('failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', message))
}
