import type { Partner } from '@cofre/platform/outbound/partner-call'
import type { Logger } from '@cofre/platform/telemetry/log'
import { within } from '@cofre/platform/within'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { parseJson } from '../body/json'

/** The endpoints of an identity provider that a route may name in place of a path, as its document names them. */
export const ENDPOINTS = ['token_endpoint', 'jwks_uri', 'revocation_endpoint'] as const
type Endpoint = (typeof ENDPOINTS)[number]
type Paths = Partial<Record<Endpoint, string>>

/** OpenID Connect Discovery 1.0, section 4. */
const DOCUMENT = '/.well-known/openid-configuration'
const ASK_MS = 3_000
/** How old the document may be before it is read again, behind the calls. */
const KEPT_MS = 3_600_000

const document = z.object({
  issuer: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  revocation_endpoint: z.url().optional(),
})

/** Returns the path that a call goes to; undefined when it is an endpoint that is not known within `timeoutMs`. */
export type PathOf = (asked: string, timeoutMs: number) => Promise<string | undefined>

/**
 * Finds the paths of the endpoints that a call names as `{token_endpoint}`. They are those of the document that the
 * partner serves below its address, and are called at that address alone: neither a caller nor the document names a host.
 */
export function openDiscovery(
  { url, connection }: { url: string; connection: Partner },
  log: Pick<Logger, 'warn'>,
  keptMs = KEPT_MS,
): PathOf {
  const kept = new LRUCache<string, Paths>({
    max: 1,
    ttl: keptMs,
    // An old document is better than none: a provider seldom moves its endpoints.
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: () => readPaths(connection, new URL(url)),
  })
  return async (asked, timeoutMs) => {
    const endpoint = ENDPOINTS.find((name) => asked === `{${name}}`)
    if (!endpoint) return asked
    try {
      const paths = await within(timeoutMs, kept.fetch(DOCUMENT), 'there was no time left')
      return paths?.[endpoint]
    } catch (error) {
      const { message } = error as Error
      log.warn({ partner: new URL(url).hostname, reason: message }, 'identity provider not discovered')
      return undefined
    }
  }
}

async function readPaths(connection: Partner, partner: URL): Promise<Paths> {
  const called = await connection.call({
    method: 'GET',
    path: DOCUMENT,
    route: `GET ${DOCUMENT}`,
    timeoutMs: ASK_MS,
  })
  if (called.outcome !== 'answered') throw new Error(`no answer: ${called.reason}`)
  const { status, body } = called.answer
  if (status !== 200) throw new Error(`its document was answered ${status}`)
  const read = document.safeParse(parseJson(body))
  if (!read.success) throw new Error('its document lacks an endpoint, or is none')
  const hosts = [partner.origin, new URL(read.data.issuer).origin]
  const found = ENDPOINTS.flatMap((name) => {
    const address = read.data[name]
    return address === undefined ? [] : [[name, pathBelow(partner, hosts, new URL(address), name)] as const]
  })
  return Object.fromEntries(found)
}

/** The path of an endpoint below the partner's address, which precedes the path of every call. */
function pathBelow(partner: URL, hosts: readonly string[], endpoint: URL, name: Endpoint): string {
  const prefix = partner.pathname.replace(/\/$/, '')
  const { origin, pathname, search } = endpoint
  if (!hosts.includes(origin) || !pathname.startsWith(`${prefix}/`))
    throw new Error(`its ${name} is not below the address of the partner`)
  return `${pathname.slice(prefix.length)}${search}`
}
