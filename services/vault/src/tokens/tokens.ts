import type { Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { LRUCache } from 'lru-cache'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import { deleteToken, findToken, saveToken, TOKEN_KEY_CONSTRAINT, type TokenOwner } from './token-store'

/** An access token. `madeAt`: when this process had it from the partner; 0 when it was kept before. */
export type AccessToken = { text: string; usableUntil: number; madeAt: number; sealed: Buffer }

/** Asks the partner for a token. Throws when there is none. */
export type AskForToken = () => Promise<{ text: string; usableMs: number }>

/** The access tokens of sellers' accounts at partners. */
export type Tokens = {
  /** The kept token, or a new one. Calls of one moment share one request. */
  find(owner: TokenOwner, ask: AskForToken): Promise<AccessToken>
  /** Drops a token that the partner refused. One that is newer stays. */
  forget(owner: TokenOwner, token: AccessToken): Promise<void>
}

const KEPT_MAX = 10_000

export function openTokens(pool: Pool, keys: KeyRing): Tokens {
  const kept = new LRUCache<string, AccessToken, { owner: TokenOwner; ask: AskForToken }>({
    max: KEPT_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (_name, _old, { context: { owner, ask }, options }) => {
      const token = (await readToken(pool, keys, owner)) ?? (await makeToken(pool, keys, owner, ask))
      options.ttl = Math.max(1, token.usableUntil - databaseNow())
      return token
    },
  })
  const nameOf = ({ accountId, accountVersion, partner }: TokenOwner) =>
    `${accountId}:${accountVersion}:${partner}`
  return {
    find: async (owner, ask) => {
      const token = await kept.fetch(nameOf(owner), { context: { owner, ask } })
      if (!token) throw new Error('the token is gone')
      return token
    },
    forget: async (owner, token) => {
      if (kept.peek(nameOf(owner)) === token) kept.delete(nameOf(owner))
      await deleteToken(pool, owner, token.sealed)
    },
  }
}

function readToken(pool: Pool, keys: KeyRing, owner: TokenOwner): Promise<AccessToken | undefined> {
  return openStored(
    keys,
    'a stored access token',
    () => findToken(pool, owner),
    (key, { sealed, usableUntil }) => {
      const text = openSecret(key.bytes, sealed, contextOf(owner)).toString()
      return { text, usableUntil, madeAt: 0, sealed }
    },
  )
}

async function makeToken(
  pool: Pool,
  keys: KeyRing,
  owner: TokenOwner,
  ask: AskForToken,
): Promise<AccessToken> {
  // Its life counts from before the request: the partner may have begun to count at once.
  const asked = databaseNow()
  const { text, usableMs } = await ask()
  const usableUntil = asked + usableMs
  const seal = (key: DataKey) => sealSecret(key.bytes, text, contextOf(owner))
  const sealed = await withCurrentKey(keys, TOKEN_KEY_CONSTRAINT, async () => {
    const key = keys.current('card')
    const sealedToken = { sealed: seal(key), dataKeyId: key.id, usableUntil }
    await saveToken(pool, owner, sealedToken)
    return sealedToken.sealed
  })
  return { text, usableUntil, madeAt: databaseNow(), sealed }
}

/** Binds a ciphertext to its row: it does not open for another account, version or partner. */
function contextOf({ accountId, accountVersion, partner }: TokenOwner): string {
  return `access-token:${accountId}:${accountVersion}:${partner}`
}
