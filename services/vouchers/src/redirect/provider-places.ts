import { randomUUID } from 'node:crypto'
import { unavailable } from '@cofre/platform/errors'
import { readJson } from '@cofre/platform/outbound/partner-answers'
import { callPartner } from '@cofre/platform/outbound/vault-forward'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { RedirectBrand } from '../brands/brand'
import type { Asked } from './identity-provider'

/** Where a provider is asked: the address for browsers, and what the vault calls, a path or an endpoint by its name. */
export type Places = { authorization: string; token: string; keys: string; revocation: string | null }

type Asker = Omit<Asked, 'token'>

/** Throws UNAVAILABLE when the provider's document can't be read, or is another issuer's. */
export type FindPlaces = (brand: RedirectBrand, asker: Asker) => Promise<Places>

/** OpenID Connect Discovery 1.0, section 4. The vault finds the paths of the other endpoints in the same document. */
const DOCUMENT = '/.well-known/openid-configuration'
const NAMED = { token: '{token_endpoint}', keys: '{jwks_uri}' }
const REVOCATION = '{revocation_endpoint}'
/** Where the settings name the address for browsers, and no other. */
const USUAL = { token: '/connect/token', keys: '/connect/jwks', revocation: '/connect/revocation' }
const KEPT_MS = 3_600_000
const BRANDS_MAX = 100

const document = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  revocation_endpoint: z.unknown().optional(),
})

/** Finds the places of providers: in the settings of the brand, or in the provider's document, read once an hour. */
export function openPlaces(vault: VaultClient, log: Pick<Logger, 'error'>): FindPlaces {
  const kept = new LRUCache<string, Places, { brand: RedirectBrand; asker: Asker }>({
    max: BRANDS_MAX,
    ttl: KEPT_MS,
    // An old document is better than none: a provider seldom moves its endpoints.
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: (_name, _stale, { context: { brand, asker } }) =>
      discover(vault, brand, asker).catch((error: Error) => {
        log.error({ brand: brand.name, reason: error.message }, 'identity provider not discovered')
        throw unavailable('The identity provider does not say where it can be asked.')
      }),
  })
  return async (brand, asker) => {
    const { authorizationEndpoint: authorization, paths = {} } = brand.identity
    if (authorization !== undefined) {
      const { token = USUAL.token, keys = USUAL.keys, revocation = USUAL.revocation } = paths
      return { authorization, token, keys, revocation }
    }
    const places = await kept.fetch(brand.name, { context: { brand, asker } })
    if (!places) throw unavailable('The identity provider is not known yet.')
    return places
  }
}

async function discover(
  vault: VaultClient,
  { identity: { partner, issuer } }: RedirectBrand,
  { sellerId, clientId, deadline }: Asker,
): Promise<Places> {
  const asked = { partner, method: 'GET', path: DOCUMENT, requestId: randomUUID() }
  const sent = await callPartner(vault, { ...asked, sellerId, account: clientId }, deadline, [])
  if (sent.result !== 'answered') throw new Error(`no answer: ${sent.result}`)
  const { status, body } = sent.answer
  if (status !== 200) throw new Error(`its document was answered ${status}`)
  const read = readJson(document, body)
  if (!read) throw new Error('its document lacks an endpoint, or is none')
  const { authorization_endpoint: authorization, revocation_endpoint: revocation } = read
  // OpenID Connect Discovery 1.0, section 4.3: a document of another issuer must not be used.
  if (read.issuer !== issuer) throw new Error('its document names another issuer than the settings')
  if (issuer.startsWith('https:') && !authorization.startsWith('https:'))
    throw new Error('its authorization_endpoint is not https')
  return { authorization, ...NAMED, revocation: revocation === undefined ? null : REVOCATION }
}
