import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { sumOf } from '@cofre/platform/money'
import { isOrderTxid } from '@cofre/platform/pix-txid'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { ListedPix } from '@cofre/proto/orders/v1/orders'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { Period, PixReceived, Reported } from '../pix/bank/pix-bank'
import { hasPermissions } from '../pix/automatic/permission-store'
import { paidForPix } from '../pix/store/pix-asks'
import { leaseKeys, noteKnown, tokensOfSeller, type PixKey } from '../pix/store/pix-account-store'
import { keyOfPix } from './receipt-store'
import { takeReceipt } from './take-receipt'

const DAY_MS = 86_400_000
/** A bank lists what it received some time after it received it: so much is listed once more. */
const OVERLAP_MS = 3_600_000
/** The longest time that one call asks for. */
const PERIOD_MS = 5 * DAY_MS
/** So long after it came, money may go back; the bank itself has some days more than a seller. */
const RETURNED_WITHIN_MS = 100 * DAY_MS
/** Little goes back: one call asks about more days. */
const RETURNS_PERIOD_MS = 25 * DAY_MS
/** A key receives at most 100 Pix a page: a day of more than 100,000 takes several looks. */
const PAGES_MAX = 1_000

/**
 * Looks at each Pix key once a day, and when the bank reports money of no charge: whether the bank reports to us, and
 * what it received, and gave back, that no report and no look at a charge has brought.
 */
export const { take: takeDueKeys, start: startLookingAtKeys } = resolverOf<Deps, PixKey>(
  {
    what: 'Pix keys',
    lease: leaseKeys,
    nameOf: ({ account }) => account,
    rulesOf: ({ pix }) => pix.rules,
    now,
  },
  (deps, key) => {
    const { log, pix } = deps
    const facts = { sellerId: key.sellerId, account: key.account }
    const limits = { log, timeoutMs: 10 * pix.rules.bankTimeoutMs, what: 'Pix key not looked at', facts }
    return workInCall(limits, () => lookAtKey(deps, key))
  },
)

export function noticesUrlOf({ baseUrl }: Pick<Deps, 'baseUrl'>, { token }: Pick<PixKey, 'token'>): string {
  return `${baseUrl}/partners/pix/${token}`
}

export async function lookAtKey(deps: Deps, key: PixKey): Promise<void> {
  const reports = await areReported(deps, key)
  if (!reports)
    deps.log.warn({ sellerId: key.sellerId, account: key.account }, 'the bank does not report all')
  const at = now()
  const from = key.knownUntil - OVERLAP_MS
  const to = Math.min(at, key.knownUntil + PERIOD_MS)
  if (!(await takeReceived(deps, key, { from, to }))) return
  for (let since = at - RETURNED_WITHIN_MS; since < at; since += RETURNS_PERIOD_MS) {
    const period = { from: since, to: since + RETURNS_PERIOD_MS, isReturned: true }
    if (!(await takeReceived(deps, key, period))) return
  }
  const isDone = to === at && reports
  await noteKnown(deps.pool, key.account, { knownUntil: to, askAt: isDone ? at + DAY_MS : at + 60_000 })
}

/**
 * Has the bank report what a key receives, and the permissions and collections of a key that has some. Of these an
 * account has one address: that of any key of the seller will do, else two keys of an account took it from each other.
 */
async function areReported(deps: Deps, key: PixKey): Promise<boolean> {
  const { bank, rules } = deps.pix
  const url = noticesUrlOf(deps, key)
  const ofSeller = (await tokensOfSeller(deps.pool, key.sellerId)).map((token) =>
    noticesUrlOf(deps, { token }),
  )
  const kinds: Reported[] = (await hasPermissions(deps.pool, key.account)) ? ['pix', 'rec', 'cobr'] : ['pix']
  let reports = true
  for (const kind of kinds) {
    const deadline = databaseNow() + rules.bankTimeoutMs
    // Whatever the bank has, or does not say, is put right.
    const there = await bank.reportsTo(key, kind, deadline)
    const isThere = there === url || (kind !== 'pix' && ofSeller.some((other) => other === there))
    reports = (isThere || (await bank.reportTo(key, kind, url, deadline))) && reports
  }
  return reports
}

/** Takes all that a key received in a time, which its bank lists among what the account received. False when the bank did not list it all. */
async function takeReceived(deps: Deps, key: PixKey, period: Period): Promise<boolean> {
  const { bank, rules } = deps.pix
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await bank.received(key, period, page, databaseNow() + rules.bankTimeoutMs)
    if (answer.result !== 'page') return false
    for (const pix of answer.received) {
      const account = await accountOf(deps, key, pix)
      if (account) await takeReceipt(deps, paidForPix({ ...pix, account }), pix)
    }
    const ofOrders = answer.received.filter(({ txid }) => isOrderTxid(txid))
    if (ofOrders.length > 0) await deps.orders.handOn(ofOrders.map(listedOf))
    if (!answer.more) return true
  }
  return false
}

function listedOf({ txid, bankId: endToEndId, returns = [] }: PixReceived): ListedPix {
  const gone = returns.filter(({ status }) => status === 'SUCCEEDED')
  return { txid, endToEndId, returnedAmount: sumOf(gone.map(({ amount }) => amount)) }
}

/**
 * The key for which a Pix is taken: that of its charge, or of its receipt. Any other is taken if it came for this key since
 * Cofre uses it. The rest is the seller's own affair. Undefined: it is not taken.
 */
async function accountOf(
  { pool }: Deps,
  { account, sellerId, usedSince }: PixKey,
  { bankId, txid, key, paidAt }: PixReceived,
): Promise<string | undefined> {
  if (isOrderTxid(txid)) return undefined
  const known = await keyOfPix(pool, { sellerId, bankId, txid })
  const isOurs = (key === null || key === account) && paidAt >= usedSince
  return known ?? (isOurs ? account : undefined)
}
