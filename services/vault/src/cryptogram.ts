import { inspect } from 'node:util'

/** A network's cryptogram for one payment. It lives in memory and in sealed handles, is never stored, and prints as stars. */
export class Cryptogram {
  readonly #text: string

  constructor(text: string) {
    if (!Cryptogram.isOne(text))
      throw new Error('a cryptogram is 28 characters of base64 or 40 hexadecimal digits')
    this.#text = text
  }

  /** 20 bytes, as base64 or hexadecimal. */
  static isOne(text: unknown): text is string {
    return typeof text === 'string' && /^([A-Za-z0-9+/]{27}=|[0-9A-Fa-f]{40})$/.test(text)
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
