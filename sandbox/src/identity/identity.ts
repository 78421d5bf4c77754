import type { Provider } from 'oidc-provider'
import type { SandboxConfig } from '../config'
import type { Faults } from '../faults'
import { type CardGrant, CardGrants } from './card-grants'
import { IdentityStore } from './identity-store'
import { findCard, findPerson, type Person, type TicketCard } from './people'
import { SERVICE_SCOPE, startProvider } from './provider'

export type IdentitySettings = Pick<SandboxConfig, 'dataDir' | 'identity'>

/** The state that the identity provider's pages, its controls and the issuer share. */
export type Identity = {
  readonly settings: IdentitySettings
  readonly faults: Faults
  readonly grants: CardGrants
  readonly store: IdentityStore
  /** Set once the page's address is known, because the issuer's name contains it. */
  provider?: Provider
}

export function openIdentity(settings: IdentitySettings, faults: Faults): Identity {
  const { dataDir } = settings
  return { settings, faults, grants: new CardGrants(dataDir), store: new IdentityStore(dataDir) }
}

export function closeIdentity({ grants, store }: Identity): void {
  grants.close()
  store.close()
}

/** Starts the provider, so that people can sign in; `pageUrl` is the sandbox's address for browsers. */
export function startIdentity(identity: Identity, pageUrl: string): void {
  identity.provider = startProvider(identity, `${pageUrl}/identity`)
}

export function providerOf({ provider }: Identity): Provider {
  if (!provider) throw new Error('the identity provider has not started')
  return provider
}

/** Returns the person and card of an access token; undefined when unknown, expired, revoked or not for cards. */
export function cardOf(
  identity: Identity,
  accessToken: string,
): { person: Person; card: TicketCard } | undefined {
  const token = identity.store.find('AccessToken', accessToken)
  if (!token?.grantId || !token.scope?.split(' ').includes(SERVICE_SCOPE)) return undefined
  const grant = identity.grants.find(token.grantId)
  return grant && cardOfGrant(grant)
}

export function cardOfGrant({ email, cardId }: CardGrant): { person: Person; card: TicketCard } | undefined {
  const person = findPerson(email)
  const card = person && findCard(person, cardId)
  return person && card && { person, card }
}

/** Revokes everything that a person authorized, as that person can at the issuer. Returns the number of grants. */
export function revokeOf({ grants, store }: Identity, email: string): number {
  const wanted = grants.list().filter((grant) => grant.email === email && !grant.revoked)
  for (const { grantId } of wanted) {
    grants.revoke(grantId)
    store.remove('Grant', grantId)
    store.removeOfGrant(grantId)
  }
  return wanted.length
}
