import { randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { Logger } from '@cofre/platform/telemetry/log'
import { isDone, readJson } from '@cofre/platform/outbound/partner-answers'
import { callPartner, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  None,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import { z } from 'zod'
import type { RedirectBrand } from '../brands/brand'
import type { Asked, GrantOutcome, IdentityProvider } from './identity-provider'
import { openPlaces, type FindPlaces } from './provider-places'
import type { State } from './state'

/** The library needs addresses. The vault knows the real host, and `Places` the paths. */
const TOKENS = 'https://identity.invalid/tokens'
const KEYS = 'https://identity.invalid/keys'

/** The assumed life of an access token when the provider does not say (`expires_in`: RFC 6749, 5.1), seconds. */
const LIFETIME_S = 300

/** Placeholders for values that the vault fills in; nobody sees them here. */
const CODE = '{{authorizationCode}}'
const REFRESH_TOKEN = '{{refreshToken}}'

export function openOpenidProvider(vault: VaultClient, baseUrl: string, log: Logger): IdentityProvider {
  const redirectUriOf = ({ name }: RedirectBrand) => `${baseUrl}/partners/${name.toLowerCase()}/callback`
  const placesOf = openPlaces(vault, log)
  return {
    authorizationEndpoint: async (brand, asker) => (await placesOf(brand, asker)).authorization,
    authorizationUrl: async (brand, { clientId, authorizationEndpoint }, sealed, { nonce, verifier }) => {
      const { scope, acrValues, uiLocales } = brand.identity
      const url = buildAuthorizationUrl(configurationOf(brand, clientId, authorizationEndpoint), {
        redirect_uri: redirectUriOf(brand),
        scope: `openid offline_access ${scope}`,
        state: sealed,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        acr_values: acrValues,
        ui_locales: uiLocales,
      })
      return url.href
    },
    exchange: (brand, asked, { nonce, verifier }: State) =>
      grant({ vault, placesOf }, brand, asked, async (configuration) => {
        const back = new URL(redirectUriOf(brand))
        back.searchParams.set('code', CODE)
        return authorizationCodeGrant(configuration, back, {
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
      }),
    refresh: (brand, asked) =>
      grant({ vault, placesOf }, brand, asked, (configuration) =>
        refreshTokenGrant(configuration, REFRESH_TOKEN),
      ),
    takeBack: async (brand, asked, verifier) => {
      const places = await placesOf(brand, asked).catch(unlessUnavailable)
      if (!places) return false
      const used = {
        grant_type: 'authorization_code',
        client_id: asked.clientId,
        redirect_uri: redirectUriOf(brand),
        code: CODE,
        code_verifier: verifier ?? '',
      }
      const revoked = { client_id: asked.clientId, token: REFRESH_TOKEN }
      // A code that was exchanged is no longer kept: then there is nothing to use up.
      const code = await send(vault, brand, asked, { path: places.token, body: used })
      if (places.revocation === null) return isOver(code)
      const token = await send(vault, brand, asked, { path: places.revocation, body: revoked })
      return isOver(code) && isOver(token)
    },
  }
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error
}

/** True when done, when the code or token is already invalid at the provider, or when the vault keeps none. */
function isOver(sent: Forwarded): boolean {
  if (sent.result === 'not_sent') return sent.refusal?.reason === 'CARD_TOKEN_UNUSABLE'
  if (sent.result !== 'answered') return false
  const { status, body } = sent.answer
  return isDone(status) || ['invalid_grant', 'invalid_token'].includes(errorOf(status, body))
}

const failure = z.object({ error: z.string() })

/** Returns the provider's error (RFC 6749, 5.2); empty when it did not look at the request or say why. */
function errorOf(status: number, body: Uint8Array): string {
  return (status === 400 && readJson(failure, body)?.error) || ''
}

function configurationOf(
  { identity }: RedirectBrand,
  clientId: string,
  authorizationEndpoint: string,
): Configuration {
  const server = {
    issuer: identity.issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: TOKENS,
    jwks_uri: KEYS,
  }
  // The vault adds the client's secret.
  const configuration = new Configuration(server, clientId, undefined, None())
  // This concerns the browser's address alone: the vault calls partners only by https.
  if (authorizationEndpoint.startsWith('http:')) allowInsecureRequests(configuration)
  return configuration
}

type Grant = (configuration: Configuration) => Promise<TokenEndpointResponse & TokenEndpointResponseHelpers>

/** The facts known about a grant's calls. `lost`: one had no answer; the others are of the token endpoint. */
type Heard = { lost?: 'not_sent' | 'unknown'; status?: number; error?: string; kept?: boolean }

async function grant(
  { vault, placesOf }: { vault: VaultClient; placesOf: FindPlaces },
  brand: RedirectBrand,
  asked: Asked,
  run: Grant,
): Promise<GrantOutcome> {
  const places = await placesOf(brand, asked).catch(unlessUnavailable)
  if (!places) return { result: 'not_sent' }
  const heard: Heard = {}
  const configuration = configurationOf(brand, asked.clientId, places.authorization)
  enableNonRepudiationChecks(configuration)
  configuration[customFetch] = async (url, { body }) => {
    const path = url === TOKENS ? places.token : places.keys
    const members = body instanceof URLSearchParams ? Object.fromEntries(body) : undefined
    const sent = await send(vault, brand, asked, { path, ...(members ? { body: members } : {}) })
    if (sent.result !== 'answered') {
      heard.lost = sent.result
      throw new Error('no answer')
    }
    const { status, headers, body: bytes } = sent.answer
    if (url === TOKENS) Object.assign(heard, { status, error: errorOf(status, bytes), kept: sent.grantKept })
    return new Response(Buffer.from(bytes), { status, headers })
  }
  try {
    const { expires_in: seconds = LIFETIME_S } = await run(configuration)
    return heard.kept
      ? { result: 'granted', accessExpiresAt: databaseNow() + seconds * 1_000 }
      : { result: 'unknown' }
  } catch {
    return outcomeOf(heard)
  }
}

/**
 * Uses only the known facts of the call, since the library's error quotes the answer. Any error but `invalid_grant` is
 * about our client or the way there, and says nothing about the grant.
 */
function outcomeOf({ lost, status, error }: Heard): GrantOutcome {
  if (status === undefined) return { result: lost ?? 'not_sent' }
  // Without the provider's keys, nobody could check the ID token.
  if (isDone(status)) return { result: lost ? 'unknown' : 'untrusted' }
  return { result: error === 'invalid_grant' ? 'refused' : 'unknown' }
}

/** Sends a call through the vault. Without a `body` it is a GET, which is about no token. */
function send(
  vault: VaultClient,
  { identity }: RedirectBrand,
  { sellerId, token, clientId, deadline }: Asked,
  { path, body }: { path: string; body?: Record<string, string> },
): Promise<Forwarded> {
  const request = {
    sellerId,
    partner: identity.partner,
    account: clientId,
    path,
    requestId: randomUUID(),
    ...(body ? { method: 'POST', body, voucherToken: token } : { method: 'GET' }),
  }
  // The library decides on every answer.
  return callPartner(vault, request, deadline, [])
}
