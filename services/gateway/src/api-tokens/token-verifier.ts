import { createHash } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SigningKeys } from './signing-keys'
import { isTokenId, tokenStatus, type Token } from './token'
import { findToken } from './token-store'

/** A revocation holds everywhere within a second: what the database said is believed for half of one. */
const STATE_FOR_MS = 500
const MAX_KEPT = 10_000
const MAX_JWT_LENGTH = 4_096

export type TokenVerifier = {
  /** The token that a JWT stands for. Throws TOKEN_INVALID, TOKEN_EXPIRED or TOKEN_REVOKED. */
  verify(jwt: string): Promise<Token>
  /** Whether this JWT's signature is already known to be good. */
  isKnown(jwt: string): boolean
}

/** What a good signature says, and under which key. */
type Proof = Pick<Token, 'id' | 'sellerId' | 'kid'>

/** Keeps the hashes of JWTs whose signature was good, and for a moment what the database says of each token. */
export function createTokenVerifier(deps: { pool: Pool; keys: SigningKeys; baseUrl: string }): TokenVerifier {
  const proofs = new LRUCache<string, Proof>({ max: MAX_KEPT })
  const states = new LRUCache<string, Promise<Token | undefined>>({ max: MAX_KEPT, ttl: STATE_FOR_MS })
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
    // Whoever knows one key makes no token of another's: not under a retired key, for one made under its successor.
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

/** Checks signature, issuer and form. */
async function prove({ keys, baseUrl }: { keys: SigningKeys; baseUrl: string }, jwt: string): Promise<Proof> {
  if (jwt.length > MAX_JWT_LENGTH) throw invalid()
  const keyOf = async ({ kid }: { kid?: string }) => {
    const key = kid === undefined ? undefined : await keys.publicKey(kid)
    if (!key) throw invalid()
    return key
  }
  try {
    // Expiry is the database's to tell, so that a token both revoked and expired is told as revoked.
    const { payload } = await jwtVerify(jwt, keyOf, {
      algorithms: ['EdDSA'],
      issuer: baseUrl,
      requiredClaims: ['sub', 'jti', 'iat'],
    })
    return proofOf(jwt, payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired) return proofOf(jwt, error.payload)
    throw error instanceof errors.JOSEError ? invalid() : error
  }
}

function proofOf(jwt: string, { jti, sub }: { jti?: string; sub?: string }): Proof {
  const { kid = '' } = decodeProtectedHeader(jwt)
  const sellerId = Number(sub)
  if (!jti || !isTokenId(jti) || !Number.isSafeInteger(sellerId)) throw invalid()
  return { id: jti, sellerId, kid }
}

function hashOf(jwt: string): string {
  return createHash('sha256').update(jwt).digest('base64')
}

function refused(reason: Reason, message: string): DomainError {
  return new DomainError('unauthenticated', reason, message)
}
function invalid(): DomainError {
  return refused('TOKEN_INVALID', 'This token was not made here, or it was changed.')
}
function expired(): DomainError {
  return refused('TOKEN_EXPIRED', 'This token has expired.')
}
