import { openPartner, type OpenPartner } from '@cofre/platform/outbound/partner-call'
import { LRUCache } from 'lru-cache'
import type { OpenAccount } from '../accounts/account'
import type { PartnerSetting } from './partners'

/** The connections of a partner's calls: to its API, and to where its access tokens are had. */
export type Line = { api: OpenPartner; tokens: OpenPartner }

/** The lines of one partner. */
export type Lines = {
  /** The line of an account. It is good for one call: the next call asks again. */
  of(account: OpenAccount): Line
  /** The line without any client certificate. */
  shared: Line
  close(): Promise<void>
}

/** How many accounts with client certificates have their connections open at once. */
const ACCOUNTS_MAX = 200
/** The most calls at once of one account. */
const CONNECTIONS = 32

type Kept = Line & { version: number }

/** Opens the lines of a partner. Where it wants a client certificate, each account has connections of its own. */
export function openLines(name: string, setting: PartnerSetting, ca: string | undefined): Lines {
  const trust = ca === undefined ? { name } : { name, ca }
  const shared = openLine(setting, trust)
  const kept = new LRUCache<number, Kept>({ max: ACCOUNTS_MAX, dispose: (line) => retire(line) })
  const close = async () => {
    kept.clear()
    await Promise.all([shared.api.close(), shared.tokens.close()])
  }
  const of = ({ id, version, credentials: { certificate = '', privateKey = '' } }: OpenAccount) => {
    const known = kept.get(id)
    if (known && known.version >= version) return known
    const pair = { cert: certificate, key: privateKey }
    const opened = openLine(setting, { ...trust, pair, connections: CONNECTIONS })
    const line = { ...opened, version }
    kept.set(id, line)
    return line
  }
  return { of: setting.clientCertificate ? of : () => shared, shared, close }
}

function openLine({ url, bearer, oauth, maxAnswerBytes }: PartnerSetting, options: LineOptions): Line {
  const tokensExpire = bearer || oauth !== undefined
  return {
    api: openPartner(url, { ...options, tokensExpire, maxAnswerBytes }),
    tokens: openPartner(new URL(oauth?.url ?? '', url).href, options),
  }
}

type LineOptions = { name: string; ca?: string; pair?: { cert: string; key: string }; connections?: number }

/** Lets running calls end: an account may be replaced at any moment. */
function retire({ api, tokens }: Line): void {
  void api.retire()
  void tokens.retire()
}
