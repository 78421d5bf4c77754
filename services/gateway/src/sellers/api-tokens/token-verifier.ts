import { createHash, verify as verifySignature, type KeyObject } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SigningKeys } from './signing-keys'
import { isTokenId, tokenStatus, type Token, type UsedToken } from './token'
import { findToken } from './token-store'

/** A revocation holds everywhere within a second: the state of a token is cached for half of one. */
const STATE_FOR_MS = 500
const MAX_KEPT = 10_000
const MAX_JWT_LENGTH = 4_096

export type TokenVerifier = {
  /** The token that a JWT stands for. Throws TOKEN_INVALID, TOKEN_EXPIRED or TOKEN_REVOKED. */
  verify(jwt: string): Promise<UsedToken>
  /** True when the signature of this JWT is already known to be good. */
  isKnown(jwt: string): boolean
}

/** The claims of a JWT whose signature is good, and its key. */
type Proof = Pick<Token, 'id' | 'sellerId' | 'kid'>

/** Creates a verifier that caches the hashes of JWTs with good signatures and, briefly, the state of each token. */
export function createTokenVerifier(deps: { pool: Pool; keys: SigningKeys; baseUrl: string }): TokenVerifier {
  const proofs = new LRUCache<string, Proof>({ max: MAX_KEPT })
  const states = new LRUCache<string, Promise<UsedToken | undefined>>({ max: MAX_KEPT, ttl: STATE_FOR_MS })
  const stateOf = (id: string) => {
    const known = states.get(id)
    if (known) return known
    const token = findToken(deps.pool, id)
    states.set(id, token)
    token.catch(() => states.delete(id))
    return token
  }
  const verify = async (jwt: string) => {
    const hash = hashOf(jwt)
    const proof = proofs.get(hash) ?? (await prove(deps, jwt))
    const token = await stateOf(proof.id)
    // A key signs only its own tokens: a stolen retired key can't sign a token that was made under its successor.
    if (!token || token.sellerId !== proof.sellerId || token.kid !== proof.kid) throw invalid()
    const status = tokenStatus(token, Date.now())
    if (status !== 'ACTIVE') {
      proofs.delete(hash)
      throw status === 'EXPIRED' ? expired() : refused('TOKEN_REVOKED', 'This token was revoked.')
    }
    if (!proofs.has(hash)) proofs.set(hash, proof)
    return token
  }
  return { verify, isKnown: (jwt) => proofs.has(hashOf(jwt)) }
}

/**
 * Checks signature, issuer and form. The signature is verified in this thread, in a tenth of a millisecond: Node's pool
 * of threads hashes passwords, and a token would wait behind them.
 */
async function prove({ keys, baseUrl }: { keys: SigningKeys; baseUrl: string }, jwt: string): Promise<Proof> {
  if (jwt.length > MAX_JWT_LENGTH) throw invalid()
  const { header, claims } = decode(jwt)
  const { alg, kid, crit } = header
  const key = alg === 'EdDSA' && kid !== undefined && crit === undefined && (await keys.publicKey(kid))
  if (!key || !isSigned(jwt, key)) throw invalid()
  // The database decides expiry, so that a token both revoked and expired is refused as revoked.
  const { iss, sub, jti = '', iat } = claims
  const sellerId = Number(sub)
  const isComplete = iss === baseUrl && sub !== undefined && typeof iat === 'number'
  if (!isComplete || !isTokenId(jti) || !Number.isSafeInteger(sellerId)) throw invalid()
  return { id: jti, sellerId, kid }
}

function decode(jwt: string) {
  try {
    return { header: decodeProtectedHeader(jwt), claims: decodeJwt(jwt) }
  } catch {
    throw invalid()
  }
}

function isSigned(jwt: string, key: KeyObject): boolean {
  const end = jwt.lastIndexOf('.')
  const signature = jwt.slice(end + 1)
  const bytes = Buffer.from(signature, 'base64url')
  // Each signature has one valid spelling: other spellings of a known JWT would have other hashes in the cache.
  if (bytes.toString('base64url') !== signature) return false
  return verifySignature(null, Buffer.from(jwt.slice(0, end)), key, bytes)
}

function hashOf(jwt: string): string {
  return createHash('sha256').update(jwt).digest('base64')
}

function refused(reason: Reason, message: string): DomainError {
  return new DomainError('unauthenticated', reason, message)
}
function invalid(): DomainError {
  return refused('TOKEN_INVALID', 'This token was not issued here, or it was changed.')
}
function expired(): DomainError {
  return refused('TOKEN_EXPIRED', 'This token has expired.')
}
