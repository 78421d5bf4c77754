import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Journal } from '../journal'
import { ChargebackRefusal } from './chargeback-refusal'

const CLIENTS_MAX = 10_000
const TOKENS_MAX = 10_000
const TOKEN_SECONDS = 300
const MERCHANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SECRET = /^[\x21-\x7e]{8,200}$/

type Client = { clientId: string; secretHash: string }

/**
 * There is no sign-up: a client is named by the MerchantId whose chargebacks it sees, and exists from its first token
 * request, whose secret becomes its secret. Tokens are in memory: a restart ends them all.
 */
export class ChargebackClients {
  private readonly secretHashes = new Map<string, string>()
  private readonly tokens = new Map<string, { clientId: string; endsAt: number }>()
  private readonly journal: Journal<Client>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'chargeback-clients.jsonl'), ({ clientId }) => clientId)
    for (const { clientId, secretHash } of this.journal.open(CLIENTS_MAX))
      this.secretHashes.set(clientId, secretHash)
  }

  /** Gives a token for client credentials (RFC 6749, section 4.4). Throws when they are wrong. */
  giveToken(form: Readonly<Record<string, unknown>>, now: number): object {
    const { grant_type: grantType, client_id: clientId, client_secret: secret } = form
    if (grantType !== 'client_credentials')
      throw new ChargebackRefusal(400, { error: 'unsupported_grant_type' })
    const isClient = typeof clientId === 'string' && MERCHANT_ID.test(clientId)
    if (!isClient || typeof secret !== 'string' || !SECRET.test(secret) || !this.knows(clientId, secret))
      throw new ChargebackRefusal(401, { error: 'invalid_client' })
    const token = randomBytes(24).toString('base64url')
    // The oldest token makes room.
    const [oldest] = this.tokens.size >= TOKENS_MAX ? this.tokens.keys() : []
    if (oldest !== undefined) this.tokens.delete(oldest)
    this.tokens.set(token, { clientId, endsAt: now + TOKEN_SECONDS * 1_000 })
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS }
  }

  /** Returns the MerchantId of a call. Throws without a good token. */
  identify(authorization: string | undefined, now: number): string {
    const found = this.tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '')
    if (!found || found.endsAt <= now) throw new ChargebackRefusal(401, { error: 'invalid_token' })
    return found.clientId
  }

  /** Ends every token, as an acquirer does that restarts. Returns how many there were. */
  endTokens(): number {
    const { size } = this.tokens
    this.tokens.clear()
    return size
  }

  close(): void {
    this.journal.close()
  }

  private knows(clientId: string, secret: string): boolean {
    const secretHash = createHash('sha256').update(secret).digest('hex')
    const known = this.secretHashes.get(clientId)
    if (known !== undefined) return known === secretHash
    if (this.secretHashes.size >= CLIENTS_MAX) return false
    this.journal.append({ clientId, secretHash })
    this.secretHashes.set(clientId, secretHash)
    return true
  }
}
