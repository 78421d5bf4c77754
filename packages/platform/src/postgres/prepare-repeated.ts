import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'

/** The most texts that a connection keeps prepared beside those with a name: a plan takes some 50 KB of the server. */
const PREPARED_MAX = 100
const SEEN_MAX = 1_000

/** Returns the name under which a text is prepared; undefined the first time, and once there are too many. */
export type NameOf = (text: string) => string | undefined

/** Names the texts that are asked again: those of lists and of filters are made of parts, and nobody can name them all. */
export function namesOfRepeated(): NameOf {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED_MAX) return known
    if (!seen.delete(text)) {
      if (seen.size >= SEEN_MAX) seen.clear()
      seen.add(text)
      return undefined
    }
    // The same in each process, for a pooler between them and the server.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 16)
    names.set(text, name)
    return name
  }
}

type Query = (statement: unknown, values?: unknown, ...callback: unknown[]) => unknown

/**
 * Has a connection prepare what is asked again: reading and planning a list's text costs the server more than running
 * it. A statement without values may be several at once, which can't be prepared.
 */
export function prepareRepeated(client: PoolClient, nameOf: NameOf): void {
  const query = client.query.bind(client) as Query
  const prepared: Query = (text, values, ...callback) => {
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    return name === undefined ? query(text, values, ...callback) : query({ name, text, values }, ...callback)
  }
  client.query = prepared as PoolClient['query']
}
