import type { NamedKeys } from '@cofre/platform/named-keys'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/**
 * The data that travels through the holder's browser and comes back once. It names the token, and holds the secrets of
 * the token's exchange (PKCE, RFC 7636; nonce, OpenID Connect Core 3.1.2.1). It is sealed: neither the browser nor the
 * provider can read it, and nobody else can make one.
 */
export type State = { token: string; sellerId: number; nonce: string; verifier: string }

const CONTEXT = 'voucher redirect'

/** Seals a state as `id.base64url`; the id names the key. */
export function sealState({ current, byId }: NamedKeys, state: State): string {
  const key = byId.get(current) as Buffer
  return `${current}.${sealSecret(key, JSON.stringify(state), CONTEXT).toString('base64url')}`
}

/** Returns undefined when the text is not a state of ours, or was changed. */
export function openState({ byId }: NamedKeys, text: string): State | undefined {
  const [, id = '', sealed = ''] =
    /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})\.([A-Za-z0-9_-]{40,2000})$/.exec(text) ?? []
  const key = byId.get(id)
  if (!key) return undefined
  try {
    return JSON.parse(openSecret(key, Buffer.from(sealed, 'base64url'), CONTEXT).toString()) as State
  } catch {
    return undefined
  }
}
