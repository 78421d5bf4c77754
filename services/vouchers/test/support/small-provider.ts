import { createSign, randomUUID } from 'node:crypto'
import { rsaPair } from '@cofre/testing/rsa-pair'
import type { Reply } from './small-issuer'

/** `iss` of its ID tokens. */
export const IDENTITY = 'https://sso.example.com'

const { publicKey, privateKey } = rsaPair()
const KID = 'k1'

/** The paths of three providers: each is served all the time. */
export const TOKEN_PATHS = ['/connect/token', '/token', '/oauth2/token']
export const KEY_PATHS = ['/connect/jwks', '/keys', '/.well-known/jwks.json']
export const REVOCATION_PATHS = ['/connect/revocation', '/oauth2/revoke']
export const DOCUMENT_PATH = '/.well-known/openid-configuration'

/** A very small identity provider: codes and refresh tokens are good once, and a refresh token rotates. */
export class SmallProvider {
  /** The life of access tokens, seconds; undefined when the provider does not say. */
  expiresIn: number | undefined = 300
  /** Its discovery document, if it has one. */
  document: Record<string, unknown> | undefined
  /** The refresh tokens that are good. */
  readonly live = new Set<string>()
  /** The access tokens that are good. */
  readonly access = new Set<string>()
  private readonly codes = new Map<string, { nonce: string; clientId: string }>()

  /** Lets the holder sign in and agree; returns the code that the browser brings back. */
  authorize(authUrl: string): string {
    const { searchParams } = new URL(authUrl)
    const code = `code-${randomUUID()}`
    const [nonce, clientId] = [searchParams.get('nonce') ?? '', searchParams.get('client_id') ?? '']
    this.codes.set(code, { nonce, clientId })
    return code
  }

  /** Returns the answer at the path; undefined when there is no such path. */
  answer(path: string, body: Record<string, unknown>): Reply | undefined {
    if (path === DOCUMENT_PATH) return this.document && { status: 200, body: this.document }
    if (KEY_PATHS.includes(path)) return { status: 200, body: { keys: [KEY] } }
    if (REVOCATION_PATHS.includes(path)) {
      this.live.delete(String(body.token))
      return { status: 200, body: {} }
    }
    return TOKEN_PATHS.includes(path) ? this.grant(body) : undefined
  }

  private grant(body: Record<string, unknown>): Reply {
    const { code, refresh_token: used } = body as Record<string, string>
    const known = code === undefined ? undefined : this.codes.get(code)
    if (code === undefined ? !this.live.delete(used ?? '') : !known) return INVALID_GRANT
    if (code !== undefined) this.codes.delete(code)
    const refreshToken = randomUUID()
    this.live.add(refreshToken)
    const accessToken = randomUUID()
    this.access.add(accessToken)
    const tokens = { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer' }
    const more = { expires_in: this.expiresIn, id_token: known && idToken(known) }
    return { status: 200, body: { ...tokens, ...more } }
  }
}

const KEY = { ...publicKey.export({ format: 'jwk' }), kid: KID, alg: 'RS256', use: 'sig' }
export const INVALID_GRANT: Reply = { status: 400, body: { error: 'invalid_grant' } }

function idToken({ nonce, clientId }: { nonce: string; clientId: string }): string {
  const at = Math.floor(Date.now() / 1_000)
  const claims = { iss: IDENTITY, aud: clientId, sub: 'ana', nonce, iat: at, exp: at + 300 }
  const signed = [{ alg: 'RS256', kid: KID }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
}
