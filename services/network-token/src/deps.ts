import type { EventLog } from '@cofre/platform/events/event-log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import type { Logger } from '@cofre/platform/telemetry/log'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openAccounts, type Accounts } from './token-service/accounts'
import type { Config } from './config'
import { openNumbers, type Numbers } from './token/numbers'
import { startResolver, type Resolver } from './sweepers/resolver'
import { openTokenService } from './token-service/acquirer-token-service'
import type { TokenService } from './token-service/token-service'

export type Rules = Pick<
  Config,
  | 'tokenServiceSecret'
  | 'tokenServiceTimeoutMs'
  | 'resolveConcurrency'
  | 'resolveEveryMs'
  | 'resolveFirstMs'
  | 'resolveMaxMs'
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
export type RpcDeps = Deps & { resolver: Resolver }
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
  const resolver = startResolver(deps)
  onClose(() => resolver.stop())
  return { ...deps, eventLog: await eventLog(config), resolver }
}
