import type { PartnerCall, PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { within } from '@cofre/platform/within'
import type { OpenAccount } from '../accounts/account'
import type { Deps } from '../deps'
import { readToken, tokenRequest } from '../tokens/token-request'
import type { AccessToken } from '../tokens/tokens'
import { notSent, unlessDatabaseDown } from './call-outcome'
import type { OpenPartner } from './open-partners'
import type { OAuthSetting } from './partners'

/** A partner's outcome, and the access tokens that the call carried. */
export type Sent = { outcome: PartnerOutcome; tokens: string[] }

/** `until`: epoch milliseconds by the database's clock. `once`: the body can't be sent a second time. */
type Sending = {
  request: { sellerId: number; method: string; path: string }
  call: Omit<PartnerCall, 'timeoutMs'>
  until: number
  once?: boolean
}

/** How long a token endpoint may take. Its answer serves other calls too, whatever the time of the first one. */
const TOKEN_MS = 5_000

/** Makes a call to a partner, and logs what became of it. */
export async function sendCall(
  deps: Deps,
  partner: OpenPartner,
  account: OpenAccount,
  sending: Sending,
): Promise<Sent> {
  const startedAt = databaseNow()
  const sent = await send(deps, partner, account, sending)
  const { sellerId, method, path } = sending.request
  const facts = { sellerId, partner: partner.name, route: `${method} ${path}`, ms: databaseNow() - startedAt }
  deps.tellOutcome(facts, sent.outcome, partner.setting.bearer)
  return sent
}

/**
 * Makes a call on the account's own connections, with an access token where the partner wants one. A call with a kept
 * token that is answered 401 gets a new token and is made once more: by 401 the partner says that it did nothing.
 */
async function send(
  deps: Deps,
  partner: OpenPartner,
  account: OpenAccount,
  { call, until, once = false }: Sending,
): Promise<Sent> {
  const { oauth } = partner.setting
  const callOnce = async (headers = call.headers): Promise<PartnerOutcome> => {
    const timeoutMs = until - databaseNow()
    if (timeoutMs <= 0) return notSent('no time left')
    return partner.lines.of(account).api.call({ ...call, ...(headers ? { headers } : {}), timeoutMs })
  }
  if (!oauth) return { outcome: await callOnce(), tokens: [] }

  const began = databaseNow()
  const owner = { accountId: account.id, accountVersion: account.version, partner: partner.name }
  const ask = () => askForToken(partner, oauth, account)
  const carried: string[] = []
  const sendWithToken = async (): Promise<{ outcome: PartnerOutcome; token?: AccessToken }> => {
    const token = await within(until - databaseNow(), deps.tokens.find(owner, ask), 'no time left').catch(
      reasonOf,
    )
    if (typeof token === 'string') return { outcome: notSent(`no access token: ${token}`) }
    carried.push(token.text)
    return { outcome: await callOnce({ ...call.headers, authorization: `Bearer ${token.text}` }), token }
  }
  const first = await sendWithToken()
  const isRefused = first.outcome.outcome === 'answered' && first.outcome.answer.status === 401
  if (!isRefused || !first.token || first.token.madeAt >= began) return { ...first, tokens: carried }
  await deps.tokens.forget(owner, first.token).catch(unlessDatabaseDown)
  if (once) return { outcome: notSent('the access token had ended'), tokens: carried }
  return { outcome: (await sendWithToken()).outcome, tokens: carried }
}

async function askForToken(partner: OpenPartner, oauth: OAuthSetting, account: OpenAccount) {
  const request = tokenRequest(oauth, account.credentials)
  const { tokens } = partner.lines.of(account)
  const asked = await tokens.call({
    method: 'POST',
    path: '',
    route: 'access token',
    ...request,
    timeoutMs: TOKEN_MS,
  })
  if (asked.outcome !== 'answered') throw new Error(asked.reason)
  const token = readToken(asked.answer)
  if (!token) throw new Error(`the token endpoint answered ${asked.answer.status}`)
  return token
}

/** Why there is no token. Nothing was sent to the partner's API, so the outcome is never unknown. */
function reasonOf(error: unknown): string {
  if (isDatabaseDown(error)) return 'the database does not answer'
  return error instanceof Error ? error.message : String(error)
}
