import { createHash, randomBytes } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { Request } from 'express'
import type { Answer } from '../partner-call'
import { PixRefusal } from './pix-refusal'
import { Shelf } from './shelf'

const CLIENTS_MAX = 10_000
const TOKENS_MAX = 10_000
const CLIENT_ID = /^[\w.-]{1,100}$/
const SECRET = /^[\x21-\x7e]{8,200}$/
const TOKEN_SECONDS = 3_600

/** Without a hash, the next call sets the credentials again. */
type Client = { clientId: string; secretHash?: string; certificate?: string }

type Token = { clientId: string; certificate: string; scopes: readonly string[]; endsAt: number }

/**
 * There is no sign-up: a client exists from its first call for a token. The secret and the certificate of that call
 * become its own. A token counts only with the certificate that asked for it (RFC 8705). Tokens end with the process.
 */
export class PixClients {
  tokenSeconds = TOKEN_SECONDS
  private readonly tokens = new Map<string, Token>()
  private readonly clients: Shelf<Client>

  constructor(
    folder: string,
    private readonly scopes: readonly string[],
  ) {
    this.clients = new Shelf(folder, 'clients', ({ clientId }) => clientId)
  }

  /** Answers a call for a token (RFC 6749, client credentials). */
  grant(request: Request): Answer {
    const certificate = certificateOf(request)
    const [clientId = '', secret = ''] = basicCredentials(request)
    if (certificate === undefined || !this.isKnown(clientId, secret, certificate)) {
      return { status: 401, body: { error: 'invalid_client' } }
    }
    const { grant_type: kind, scope = this.scopes.join(' ') } = (request.body ?? {}) as Record<
      string,
      unknown
    >
    if (kind !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } }
    const scopes = String(scope).split(' ')
    if (!scopes.every((one) => this.scopes.includes(one)))
      return { status: 400, body: { error: 'invalid_scope' } }
    const token = randomBytes(32).toString('base64url')
    this.keep(token, { clientId, certificate, scopes, endsAt: Date.now() + this.tokenSeconds * 1_000 })
    const expiry = { expires_in: this.tokenSeconds, scope: scopes.join(' ') }
    return { status: 200, body: { access_token: token, token_type: 'Bearer', ...expiry } }
  }

  /** Returns the client of a call. Throws PixRefusal without a certificate, a valid token and its scope. */
  identify(request: Request, scope: string): string {
    const certificate = certificateOf(request)
    if (certificate === undefined) throw new PixRefusal('AcessoNegado')
    const [, bearer = ''] = /^Bearer (.+)$/.exec(request.get('authorization') ?? '') ?? []
    const token = this.tokens.get(bearer)
    if (!token || token.endsAt <= Date.now() || token.certificate !== certificate) {
      throw new PixRefusal('NaoAutorizado')
    }
    if (!token.scopes.includes(scope)) throw new PixRefusal('AcessoNegado')
    return token.clientId
  }

  /** Ends every token at once. */
  endTokens(): void {
    this.tokens.clear()
  }

  /** Forgets a client's secret and certificate, so that it may bring new ones. Its tokens end. */
  forget(clientId: string): boolean {
    if (!this.clients.get(clientId)) return false
    this.clients.save({ clientId })
    for (const [token, { clientId: owner }] of this.tokens) if (owner === clientId) this.tokens.delete(token)
    return true
  }

  close(): void {
    this.clients.close()
  }

  private isKnown(clientId: string, secret: string, certificate: string): boolean {
    if (!CLIENT_ID.test(clientId) || !SECRET.test(secret)) return false
    const secretHash = createHash('sha256').update(secret).digest('hex')
    const known = this.clients.get(clientId)
    if (known?.secretHash !== undefined) {
      return known.secretHash === secretHash && known.certificate === certificate
    }
    if (this.clients.count >= CLIENTS_MAX) return false
    this.clients.save({ clientId, secretHash, certificate })
    return true
  }

  private keep(token: string, issued: Token): void {
    this.tokens.set(token, issued)
    const [oldest] = this.tokens.keys()
    if (this.tokens.size > TOKENS_MAX && oldest !== undefined) this.tokens.delete(oldest)
  }
}

/** Returns the fingerprint of the caller's certificate. TLS proves that the caller has its key. */
function certificateOf({ socket }: Request): string | undefined {
  return socket instanceof TLSSocket ? socket.getPeerCertificate()?.fingerprint256 : undefined
}

/** RFC 6749, 2.3.1: both parts are form-encoded. */
function basicCredentials(request: Request): string[] {
  const [, coded = ''] = /^Basic (.+)$/.exec(request.get('authorization') ?? '') ?? []
  const text = Buffer.from(coded, 'base64').toString('utf8')
  const at = text.indexOf(':')
  if (at < 0) return []
  return [text.slice(0, at), text.slice(at + 1)].map(decoded)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
