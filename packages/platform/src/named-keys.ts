import { readKey } from './secret-box'

/** 256-bit keys by id, in the order of the text; the first is the current one. */
export type NamedKeys = { current: string; byId: ReadonlyMap<string, Buffer> }

/**
 * Reads keys from lines `id:base64-of-32-bytes`. Skips blank lines. Throws when there is no key, a line is bad, or two
 * keys share an id. `what` names the keys in messages: "key-encryption key".
 */
export function readNamedKeys(text: string, what: string): NamedKeys {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const byId = new Map(lines.map((line) => readLine(line, what)))
  const [current] = byId.keys()
  if (current === undefined) throw new Error(`there is no ${what}`)
  if (byId.size < lines.length) throw new Error(`two ${what}s have one id`)
  return { current, byId }
}

function readLine(line: string, what: string): [string, Buffer] {
  const [, id, key] = /^\s*([A-Za-z0-9._-]{1,64}):(\S+)\s*$/.exec(line) ?? []
  if (!id || !key) throw new Error(`a ${what} is a line id:base64-of-32-bytes`)
  return [id, readKey(key)]
}
