import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Accounts } from './token-service/accounts'
import type { Config } from './config'
import type { NetworkToken } from './token/network-token'
import type { Numbers } from './token/numbers'
import type { Times } from './token/settlement'
import type { TokenCall, TokenService } from './token-service/token-service'

export type Rules = Pick<
  Config,
  | 'TOKEN_SERVICE_SECRET_FILE'
  | 'TOKEN_SERVICE_TIMEOUT_MS'
  | 'SETTLE_CONCURRENCY'
  | 'SETTLE_EVERY_MS'
  | 'SETTLE_FIRST_MS'
  | 'SETTLE_MAX_MS'
  | 'ABSENCE_GRACE_MS'
  | 'PENDING_MAX_MS'
  | 'DECLINES_PER_MINUTE'
  | 'WATCH_EVERY_MS'
>

export type Deps = {
  pool: Pool
  log: Logger
  accounts: Accounts
  numbers: Numbers
  tokenService: TokenService
  rules: Rules
}

export function timesOf({ rules }: Deps): Times {
  return {
    at: Date.now(),
    pendingMaxMs: rules.PENDING_MAX_MS,
    graceMs: rules.ABSENCE_GRACE_MS,
    firstAskMs: rules.SETTLE_FIRST_MS,
    watchMs: rules.WATCH_EVERY_MS,
  }
}

/** A call about a token, in the name of the account that it was made for. */
export async function callAbout(
  { accounts, rules }: Deps,
  { sellerId, token, merchantId }: NetworkToken,
  deadline = Date.now() + rules.TOKEN_SERVICE_TIMEOUT_MS,
): Promise<TokenCall> {
  const account = await accounts.find(sellerId, merchantId)
  return { sellerId, token, account, deadline }
}
