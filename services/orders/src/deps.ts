import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Acquirer } from './acquirer/acquirer'
import type { Terms } from './charge/charge'
import type { OrdersSettings } from './config'
import type { NetworkTokens } from './network-tokens/network-tokens'

export type Rules = Pick<
  OrdersSettings,
  | 'ACQUIRER_TIMEOUT_MS'
  | 'ESTABLISHMENT_KEY_FILE'
  | 'SETTLE_FIRST_MS'
  | 'SETTLE_MAX_MS'
  | 'ABSENCE_GRACE_MS'
  | 'CAPTURE_WINDOW_DAYS'
  | 'DECLINES_PER_MINUTE'
>

export type Deps = { pool: Pool; log: Logger; acquirer: Acquirer; networkTokens: NetworkTokens; rules: Rules }

/** Left of the caller's time to save what came of a call and answer: whoever got no answer may ask again. */
const ANSWER_MS = 1_000

/** The terms of an operation that begins now. Nothing leaves so late that its caller would not hear of it. */
export function termsFrom({ rules }: Deps, operationId: string): Terms {
  const at = Date.now()
  const callerWaitsUntil = currentCall()?.deadline ?? Infinity
  return {
    operationId,
    at,
    deadline: Math.min(at + rules.ACQUIRER_TIMEOUT_MS, callerWaitsUntil - ANSWER_MS),
    firstAskAt: at + rules.SETTLE_FIRST_MS,
  }
}
