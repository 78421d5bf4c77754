import { SCOPES } from '@cofre/api/scopes'
import { randomUUID } from 'node:crypto'
import { notFound } from '@cofre/platform/errors'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { SignJWT } from 'jose'
import { findSeller } from '../seller-store'
import type { SigningKeys } from './signing-keys'
import { checkTokenRequest, type Token, type TokenRequest } from './token'
import { insertToken, type NewToken } from './token-store'

/** Attempts to make one token: its signing key may be replaced in between. */
const MAX_TRIES = 5

/** Makes an API token. The JWT is in this answer and nowhere else. */
export async function issueToken(
  { pool, keys, baseUrl }: { pool: Pool; keys: SigningKeys; baseUrl: string },
  request: TokenRequest,
): Promise<{ accessToken: string; token: Token }> {
  const { title, expiresAt, scopes } = checkTokenRequest(request)
  if (!(await findSeller(pool, request.sellerId))) throw notFound('There is no such seller.')
  const made = {
    id: randomUUID(),
    sellerId: request.sellerId,
    title,
    scopes,
    expiresAt,
    madeBy: request.madeBy ?? null,
  }
  const { token, kid, key } = await insertSigned({ pool, keys }, made)
  const jwt = new SignJWT({ scope: (scopes.length > 0 ? scopes : SCOPES).join(' ') })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
    .setIssuer(baseUrl)
    .setSubject(String(token.sellerId))
    .setJti(token.id)
    .setIssuedAt(Math.floor(token.createdAt / 1000))
  if (expiresAt !== null) jwt.setExpirationTime(Math.floor(expiresAt / 1000))
  return { accessToken: await jwt.sign(key), token }
}

/** Returns the new token and the key that signs it. A key that is retired meanwhile gives way to its successor. */
async function insertSigned({ pool, keys }: { pool: Pool; keys: SigningKeys }, made: Omit<NewToken, 'kid'>) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { kid, key } = await keys.current()
    const token = await insertToken(pool, { ...made, kid })
    if (token) return { token, kid, key }
  }
  throw new Error('the signing key is replaced again and again')
}
