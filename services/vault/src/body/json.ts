import type { FieldError } from '@cofre/platform/errors'
import { lostInParsing } from '@cofre/platform/json-source'

/** A parsed JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [member: string]: Json }

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True when an object has a value for a member: null is none. */
export function gives(object: JsonObject, member: string): boolean {
  return Object.hasOwn(object, member) && object[member] !== null
}

/** Returns undefined when the bytes are not JSON in UTF-8. The parser's error is dropped, since it quotes the text. */
export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch {
    return undefined
  }
}

/** Returns the faults of what parsing lost of bytes that are JSON. */
export function lostOf(bytes: Uint8Array): FieldError[] {
  return lostInParsing(new TextDecoder().decode(bytes))
}
