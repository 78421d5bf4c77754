import { databaseNow } from '@cofre/platform/service/database-clock'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { Deps } from '../deps'
import { askLater, leaseAccounts, noteAsked, type DisputeAccount } from '../dispute-store/account-store'
import { askAccount } from '../disputes/ask-account'

const AT_ONCE = 10
/** Reading all cases of an account may take this long. */
const WHOLE_MS = 600_000
/** Whoever died meanwhile leaves the account due then, or after so many turns. */
const LEASED_TURNS = 10
/** An account that the acquirer did not show, as before its key is there, is asked for again after this time. */
const AGAIN_MS = 60_000

/** Asks the acquirers for the disputes of accounts that are due. Returns how many accounts. */
export async function askDisputes(deps: Deps): Promise<number> {
  const at = databaseNow()
  const until = at + Math.min(WHOLE_MS, LEASED_TURNS * deps.rules.disputesEveryMs)
  const accounts = await leaseAccounts(deps.pool, { at, until, batch: AT_ONCE })
  await Promise.all(accounts.map((account) => askInCall(deps, account, at)))
  return accounts.length
}

function askInCall(deps: Deps, account: DisputeAccount, at: number): Promise<void> {
  const { log, rules } = deps
  const facts = { establishmentId: account.establishmentId }
  return workInCall({ log, timeoutMs: WHOLE_MS, what: 'disputes not asked for', facts }, async () => {
    if (await askAccount(deps, account)) {
      await noteAsked(deps.pool, account, { at, nextAt: at + rules.disputesEveryMs })
      return
    }
    log.warn(facts, 'disputes not shown by the acquirer')
    await askLater(deps.pool, account, databaseNow() + Math.min(rules.disputesEveryMs, AGAIN_MS))
  })
}
