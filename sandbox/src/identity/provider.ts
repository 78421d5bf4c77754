import { type ClientMetadata, type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { IdentityClient } from '../config'
import { burnCodes } from './burned-codes'
import type { Identity } from './identity'
import { providerFaults } from './identity-faults'
import { readKeys } from './identity-keys'
import { adapterOf } from './identity-store'
import { showFailure } from './pages'
import { findPerson } from './people'

export const SERVICE_SCOPE = 'edg-xp-mealdelivery-api'

const DAY_S = 86_400
const CODE_S = 60
const INTERACTION_S = 900

/** Starts a real OpenID provider. The issuer is an address without a trailing slash. */
export function startProvider(identity: Identity, issuer: string): Provider {
  const { paths } = identity.settings.identity
  const provider = new Provider(issuer, configuration(identity))
  provider.on('grant.revoked', (_ctx, grantId) => identity.grants.revoke(grantId))
  provider.use(providerFaults(identity.faults, paths))
  provider.use(burnCodes(identity.store, paths.token))
  provider.use(nameAtIssuer(issuer))
  return provider
}

/** The document of this path (OpenID Connect Discovery 1.0, section 4) names every endpoint. */
export const DOCUMENT_PATH = '/.well-known/openid-configuration'

/** Has the document name each endpoint below the issuer, wherever it was asked for: a browser reaches that address. */
function nameAtIssuer(issuer: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    if (ctx.path !== DOCUMENT_PATH || ctx.status !== 200) return
    const [here, there] = [new URL(ctx.href).origin, new URL(issuer).origin]
    const named = Object.entries(ctx.body as object).map(([member, value]: [string, unknown]) => {
      const isHere = typeof value === 'string' && value.startsWith(`${here}/`)
      return [member, isHere ? `${there}${value.slice(here.length)}` : value]
    })
    ctx.body = Object.fromEntries(named)
  }
}

function configuration({ settings, store }: Identity): Configuration {
  const { clients, accessTokenSeconds, paths } = settings.identity
  const { revocation, ...routes } = paths
  const keys = readKeys(settings.dataDir)
  return {
    adapter: adapterOf(store),
    clients: clients.map(clientMetadata),
    jwks: { keys: [keys.signing] },
    cookies: { keys: [keys.cookies] },
    scopes: ['openid', 'offline_access', SERVICE_SCOPE],
    // One listed value is enough for the provider to honour any value that a client sends.
    acrValues: ['tenant:br-ben'],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    // An expired token is refused from that second on.
    clockTolerance: 0,
    ttl: {
      AuthorizationCode: CODE_S,
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      RefreshToken: 90 * DAY_S,
      Grant: 365 * DAY_S,
      Interaction: INTERACTION_S,
      Session: INTERACTION_S,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: {
        enabled: revocation !== null,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
    },
    routes: { ...routes, ...(revocation === null ? {} : { revocation }) },
    discovery: { ui_locales_supported: ['pt-BR', 'en'] },
    interactions: { url: (_ctx, { uid }) => `/identity/interaction/${uid}` },
    findAccount: (_ctx: KoaContextWithOIDC, id) => {
      const person = findPerson(id)
      return person && { accountId: person.email, claims: () => ({ sub: person.email }) }
    },
    renderError: showFailure,
  }
}

function clientMetadata({ clientId, clientSecret, redirectUris, name }: IdentityClient): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: name ?? clientId,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
