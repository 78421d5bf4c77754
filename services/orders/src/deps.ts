import type { Logger } from '@cofre/platform/log'
import type { Pool } from '@cofre/platform/postgres'
import type { Acquirer } from './acquirer'
import type { Terms } from './charge'
import type { OrdersSettings } from './config'
import type { NetworkTokens } from './network-tokens'

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

/** The terms of an operation that begins now. */
export function termsFrom({ rules }: Deps, operationId: string): Terms {
  const at = Date.now()
  return {
    operationId,
    at,
    deadline: at + rules.ACQUIRER_TIMEOUT_MS,
    firstAskAt: at + rules.SETTLE_FIRST_MS,
  }
}
