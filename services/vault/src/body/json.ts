/** A parsed JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [member: string]: Json }

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns undefined when the bytes are not JSON in UTF-8. The parser's error is dropped, since it quotes the text. */
export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch {
    return undefined
  }
}
