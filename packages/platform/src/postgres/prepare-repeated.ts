import { createHash } from 'node:crypto'
import { Client } from 'pg'

/** The most texts that a connection keeps prepared beside those with a name: a plan takes some 50 KB of the server. */
const PREPARED_MAX = 100
/** A text that is asked for seldom takes the place of no other. */
const OFTEN = 5
const ASKED_MAX = 1_000

/** Returns the name under which a text is prepared; undefined until it was asked for often, and once there are too many. */
type NameOf = (text: string) => string | undefined

/** Names the texts that are asked often: those of lists and of filters are made of parts, and nobody can name them all. */
function namesOfRepeated(): NameOf {
  const asked = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED_MAX) return known
    const times = (asked.get(text) ?? 0) + 1
    if (times < OFTEN) {
      if (asked.size >= ASKED_MAX) asked.clear()
      asked.set(text, times)
      return undefined
    }
    asked.delete(text)
    // The same in each process, for a pooler between them and the server.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 16)
    names.set(text, name)
    return name
  }
}

type Query = (this: Client, statement: unknown, values?: unknown, ...callback: unknown[]) => unknown

/**
 * The class of a pool's connections, which prepare what is asked often: reading and planning a list's text costs the
 * server more than running it. A statement without values may be several at once, which can't be prepared.
 */
export function preparingClient(): typeof Client {
  const nameOf = namesOfRepeated()
  const query: Query = function (text, values, ...callback) {
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    const given = name === undefined ? [text, values, ...callback] : [{ name, text, values }, ...callback]
    return Reflect.apply(Client.prototype.query, this, given)
  }
  class Preparing extends Client {}
  Preparing.prototype.query = query as Client['query']
  return Preparing
}
