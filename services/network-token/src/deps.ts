import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openAccounts, type Accounts } from './token-service/accounts'
import type { Config } from './config'
import type { NetworkToken } from './token/network-token'
import { openNumbers, type Numbers } from './token/numbers'
import type { Times } from './token/settlement'
import { startSettler, type Settler } from './sweepers/settler'
import { openTokenService } from './token-service/acquirer-token-service'
import type { TokenCall, TokenService } from './token-service/token-service'

export type Rules = Pick<
  Config,
  | 'tokenServiceSecret'
  | 'tokenServiceTimeoutMs'
  | 'settleConcurrency'
  | 'settleEveryMs'
  | 'settleFirstMs'
  | 'settleMaxMs'
  | 'absenceGraceMs'
  | 'pendingMaxMs'
  | 'declinesPerMinute'
  | 'watchEveryMs'
> & {
  /**
   * How long a new token belongs to its own process, which renews the hold while the token waits. Another process would
   * ask without the CVV, which is in that process's memory only. After its death, others wait no longer than this.
   */
  ownMs: number
  holdEveryMs: number
}

const HOLD = { ownMs: 5_000, holdEveryMs: 2_000 }

export type Deps = {
  pool: Pool
  log: Logger
  accounts: Accounts
  numbers: Numbers
  tokenService: TokenService
  rules: Rules
}

/** The dependencies of RPCs. */
export type RpcDeps = Deps & { settler: Settler }
/** The dependencies of sweepers. */
export type SweeperDeps = Deps & { eventLog: EventLog }

export async function openDeps(
  config: Config,
  { pool, log, connect, eventLog, onClose }: Boot,
): Promise<RpcDeps & SweeperDeps> {
  const vault = connect(VaultClient, config.vaultAddress)
  const deps: Deps = {
    pool,
    log,
    accounts: openAccounts(vault),
    numbers: openNumbers(vault),
    tokenService: openTokenService(vault, config.callbackUrl),
    rules: { ...config, ...HOLD },
  }
  const settler = startSettler(deps)
  onClose(() => settler.stop())
  return { ...deps, eventLog: await eventLog(config), settler }
}

export function timesOf({ rules }: Deps): Times {
  return {
    at: Date.now(),
    pendingMaxMs: rules.pendingMaxMs,
    graceMs: rules.absenceGraceMs,
    firstAskMs: rules.settleFirstMs,
    watchMs: rules.watchEveryMs,
  }
}

/** A call about a token, made with the seller's account under which it was requested. */
export function callAbout(
  { rules }: Deps,
  { sellerId, token, merchantId }: NetworkToken,
  deadline = Date.now() + rules.tokenServiceTimeoutMs,
): TokenCall {
  return { sellerId, token, merchantId, deadline }
}
